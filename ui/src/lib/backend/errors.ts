// The one table of words for failures: what happened and what to do, by code.

import { t } from '../language/language.svelte';
import { countText } from '../language/number';
import { waitText } from '../language/span';
import type { ApiError } from './bindings';

export type ErrorWords = { title: string; advice: string };

/** A failure as far as its words need it. */
export type Failure = Pick<ApiError, 'code' | 'retry_after_ms' | 'limit'>;

/** What a failure is called, and what the user can do; with its wait or its limit, where they are known. */
export function errorWords({ code, retry_after_ms, limit }: Failure): ErrorWords {
  const title =
    code === 'context_overflow' && limit !== undefined
      ? t('error.context_overflow.limit', { limit: countText(limit) })
      : t(`error.${code}.title`);
  const isBusy = code === 'rate_limited' || code === 'overloaded';
  const advice =
    isBusy && retry_after_ms !== undefined
      ? t('error.wait', { wait: waitText(retry_after_ms) })
      : t(`error.${code}.advice`);
  return { title, advice };
}
