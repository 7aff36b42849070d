// What is known of a model, in words: each fact with its value and who says so.

import type { FactSource, Known, ModelView, Price, Rates } from '../backend/bindings';
import { t } from '../language/language.svelte';
import { countText, moneyText } from '../language/number';

/** The least window that leaves room for a system prompt and an answer; the core refuses less. */
export const SMALLEST_WINDOW = 1_024;

export type FactRow = {
  name: string;
  value: string;
  /** Who says so; blank where nobody does. */
  source: string;
};

/** Every fact of a model, also those that nobody knows. */
export function factRows({ known, window, table_date }: ModelView): FactRow[] {
  const row = <T>(name: string, fact: Known<T> | null, text: (value: T) => string, unknown = t('settings.facts.unknown')) =>
    fact === null
      ? { name, value: unknown, source: '' }
      : { name, value: text(fact.value), source: sourceText(fact.source, table_date) };
  const tokens = (count: number) => t('settings.facts.tokens', { count: countText(count) });
  return [
    row(t('settings.facts.window'), known.context_window, tokens, t('settings.facts.assumed', { count: countText(window) })),
    row(t('settings.facts.output'), known.max_output_tokens, tokens),
    row(t('settings.facts.tools'), known.tools, isText),
    row(t('settings.facts.images'), known.images, isText),
    row(t('settings.facts.documents'), known.documents, isText),
    row(t('settings.facts.reasoning'), known.reasoning, isText),
    row(t('settings.facts.price'), known.price, priceText),
  ];
}

function isText(is: boolean): string {
  return t(is ? 'settings.facts.yes' : 'settings.facts.no');
}

function sourceText(source: FactSource, date: string): string {
  return t(`settings.facts.from.${source}`, { date });
}

/** What a million tokens cost, and what they cost in a long request. */
export function priceText({ usual, long }: Price): string {
  if (long === null) return ratesText(usual);
  const above = t('settings.facts.long', { count: countText(long.above), rates: ratesText(long.rates) });
  return `${ratesText(usual)}; ${above}`;
}

function ratesText({ input, output, cached_input }: Rates): string {
  if (input === 0 && output === 0) return t('usage.free');
  const parts = [t('usage.in', { count: rateText(input) }), t('usage.out', { count: rateText(output) })];
  if (cached_input !== null) parts.splice(1, 0, t('settings.facts.cached', { rate: rateText(cached_input) }));
  return parts.join(' · ');
}

/** A rate is told in millionths of a dollar. */
function rateText(rate: number): string {
  return moneyText(rate * 1_000);
}
