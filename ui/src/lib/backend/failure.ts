// What a command throws, made sure of.

import { language } from '../language/language.svelte';
import type { ApiError } from './bindings';
import { errorWords } from './errors';

/** The failure as an ApiError, whatever was thrown. */
export function asApiError(thrown: unknown): ApiError {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'message' in thrown) {
    return thrown as ApiError;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, hint: '' };
}

/** One sentence for people. */
export function failureText(error: ApiError): string {
  const { title, advice } = errorWords(error);
  return language.current === 'zh-CN' ? `${title}${advice}` : `${title} ${advice}`;
}
