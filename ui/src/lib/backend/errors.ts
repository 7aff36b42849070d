// The one table of words for failures: what happened and what to do, by code.

import { t } from '../language/language.svelte';
import type { ErrorCode } from './bindings';

export type ErrorWords = { title: string; advice: string };

/** What a failure of this kind is called, and what the user can do. */
export function errorWords(code: ErrorCode): ErrorWords {
  return { title: t(`error.${code}.title`), advice: t(`error.${code}.advice`) };
}
