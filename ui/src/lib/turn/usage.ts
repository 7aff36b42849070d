// What turns took: sums, and one line that tells them.

import type { Usage } from '../backend/bindings';
import { t } from '../language/language.svelte';
import { countText, moneyText, shareText, shortCountText } from '../language/number';

export const NOTHING: Usage = { input_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, output_tokens: 0 };

/** Whether the service reported nothing. */
export function isEmpty(usage: Usage): boolean {
  return usage.input_tokens === 0 && usage.output_tokens === 0;
}

/** The sum of both. Its cost is known only if that of both is; what used nothing costs nothing. */
export function plus(one: Usage, two: Usage): Usage {
  if (isEmpty(one)) return two;
  if (isEmpty(two)) return one;
  const sum: Usage = {
    input_tokens: one.input_tokens + two.input_tokens,
    cached_tokens: one.cached_tokens + two.cached_tokens,
    cache_written_tokens: one.cache_written_tokens + two.cache_written_tokens,
    output_tokens: one.output_tokens + two.output_tokens,
  };
  return one.cost === undefined || two.cost === undefined ? sum : { ...sum, cost: one.cost + two.cost };
}

/** What it cost; null where no price is known. */
export function costText({ cost }: Usage): string | null {
  if (cost === undefined) return null;
  return cost === 0 ? t('usage.free') : moneyText(cost);
}

/** One line, such as "1,240 in · 85 % cached · 320 out · $0.0021". */
export function usageText(usage: Usage): string {
  const { input_tokens, cached_tokens, output_tokens } = usage;
  return [
    t('usage.in', { count: shortCountText(input_tokens) }),
    cached_tokens > 0 ? t('usage.cached', { share: shareText(cached_tokens, input_tokens) }) : null,
    t('usage.out', { count: shortCountText(output_tokens) }),
    costText(usage),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** Every number by its name, exactly. */
export function usageRows(usage: Usage): { name: string; value: string }[] {
  const rows = [
    { name: t('usage.sent'), value: countText(usage.input_tokens) },
    { name: t('usage.from_cache'), value: countText(usage.cached_tokens) },
    { name: t('usage.to_cache'), value: countText(usage.cache_written_tokens) },
    { name: t('usage.received'), value: countText(usage.output_tokens) },
    { name: t('usage.cost'), value: costText(usage) ?? t('usage.no_price') },
  ];
  return rows.filter((_, index) => index !== 2 || usage.cache_written_tokens > 0);
}
