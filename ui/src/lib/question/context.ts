// The open questions, handed down from the page's root.

import { createContext } from 'svelte';

import type { Questions } from './questions.svelte';

export const [useQuestions, setQuestions] = createContext<Questions>();
