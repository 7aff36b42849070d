// The pictures that were read, handed down from the page's root.

import { createContext } from 'svelte';

import type { Pictures } from './pictures';

export const [usePictures, setPictures] = createContext<Pictures>();
