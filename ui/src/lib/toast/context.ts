// Short messages at the bottom of the window, with one action at most.

import { createContext } from 'svelte';

export type Toast = { text: string; action?: { text: string; run: () => void } };

export interface Toasts {
  show(toast: Toast): void;
}

export const [useToasts, setToasts] = createContext<Toasts>();
