// The backend, handed down from the page's root.

import { createContext } from 'svelte';

import type { Backend } from './backend';

export const [useBackend, setBackend] = createContext<Backend>();
