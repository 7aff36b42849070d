// The settings, handed down from the page's root.

import { createContext } from 'svelte';

import type { Settings } from './settings.svelte';

export const [useSettings, setSettings] = createContext<Settings>();
