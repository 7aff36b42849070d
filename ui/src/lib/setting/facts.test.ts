import { afterEach, describe, expect, it } from 'vitest';
import type { KnownFacts, ModelView, Price } from '../backend/bindings';
import { facts } from '../backend/fake/models';
import { language } from '../language/language.svelte';
import { factRows, priceText } from './facts';

const UNKNOWN: KnownFacts = {
  context_window: null,
  max_output_tokens: null,
  tools: null,
  images: null,
  documents: null,
  reasoning: null,
  price: null,
};
const view = (known: Partial<KnownFacts>): ModelView => ({
  model: { service: 's', model: 'm' },
  known: { ...UNKNOWN, ...known },
  set: facts(),
  window: 8_192,
  table_date: '2026-11-20',
});
const price = (input: number, output: number, more: Partial<Price['usual']> = {}): Price => ({
  usual: { input, output, cached_input: null, cache_written: null, ...more },
  long: null,
});

afterEach(() => void (language.current = 'en'));

describe('what is known of a model', () => {
  it.each([
    ['user', 'your setting', '你的设置'],
    ['service', 'the service', '服务提供'],
    ['learned', 'learned from a refusal', '从服务的拒绝中得知'],
    ['table', 'table of 2026-11-20', '2026-11-20 的数据表'],
  ] as const)('names who says so: %s', (source, english, chinese) => {
    const known = view({ tools: { value: true, source } });
    expect(factRows(known)[2]).toEqual({ name: 'Tools', value: 'yes', source: english });
    language.current = 'zh-CN';
    expect(factRows(known)[2]?.source).toBe(chinese);
  });

  it('says what is taken for the window as long as nobody knows it', () => {
    expect(factRows(view({}))[0]).toMatchObject({ value: 'not known; 8,192 tokens are assumed', source: '' });
    const known = view({ context_window: { value: 131_072, source: 'service' } });
    expect(factRows(known)[0]?.value).toBe('131,072 tokens');
  });

  it('says of each other fact that nobody knows it', () => {
    expect(factRows(view({})).slice(1).every(({ value }) => value === 'not known')).toBe(true);
  });
});

describe('the price of a million tokens', () => {
  it.each([
    [price(0, 0), 'free'],
    [price(3_000_000, 15_000_000), '$3.00 in · $15.00 out'],
    [price(270_000, 1_100_000, { cached_input: 70_000 }), '$0.27 in · $0.07 cached · $1.10 out'],
    [
      { ...price(1_250_000, 10_000_000), long: { above: 200_000, rates: price(2_500_000, 15_000_000).usual } },
      '$1.25 in · $10.00 out; above 200,000 tokens $2.50 in · $15.00 out',
    ],
  ])('fits one line', (of, text) => expect(priceText(of)).toBe(text));
});
