// The sessions, handed down from the page's root.

import { createContext } from 'svelte';

import type { Sessions } from './sessions.svelte';

export const [useSessions, setSessions] = createContext<Sessions>();
