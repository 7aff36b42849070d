import { afterEach, describe, expect, it } from 'vitest';
import type { Usage } from '../backend/bindings';
import { language } from '../language/language.svelte';
import { isEmpty, NOTHING, plus, usageRows, usageText } from './usage';

const used = (input_tokens: number, output_tokens: number, more: Partial<Usage> = {}): Usage => ({
  ...NOTHING,
  input_tokens,
  output_tokens,
  ...more,
});

afterEach(() => void (language.current = 'en'));

describe('the sum of what turns took', () => {
  it.each([
    ['both', used(1, 1, { cost: 5 }), used(2, 2, { cost: 7 }), 12],
    ['one that is free', used(1, 1, { cost: 0 }), used(2, 2, { cost: 7 }), 7],
    ['the first only', used(1, 1, { cost: 5 }), used(2, 2), undefined],
    ['the second only', used(1, 1), used(2, 2, { cost: 5 }), undefined],
    ['the one that used something', NOTHING, used(2, 2, { cost: 5 }), 5],
    ['the one that used something, first', used(2, 2, { cost: 5 }), NOTHING, 5],
  ])('has a cost where it is known of %s', (_, one, two, cost) => {
    expect(plus(one, two).cost).toBe(cost);
    expect(plus(one, two).input_tokens).toBe(one.input_tokens + two.input_tokens);
  });
});

describe('what a turn took', () => {
  it.each([
    [used(1_240, 320, { cached_tokens: 1_054, cost: 2_100_000 }), '1,240 in · 85 % cached · 320 out · $0.0021', '输入 1,240 · 缓存 85 % · 输出 320 · $0.0021'],
    [used(1_240, 320), '1,240 in · 320 out', '输入 1,240 · 输出 320'],
    [used(40_960, 12, { cost: 0 }), '41K in · 12 out · free', '输入 4.1万 · 输出 12 · 免费'],
    [used(9, 1, { cost: 12 }), '9 in · 1 out · < $0.0001', '输入 9 · 输出 1 · < $0.0001'],
  ])('fits one line', (usage, english, chinese) => {
    expect(usageText(usage)).toBe(english);
    language.current = 'zh-CN';
    expect(usageText(usage)).toBe(chinese);
  });

  it('is told exactly in its details', () => {
    const rows = usageRows(used(40_960, 12, { cached_tokens: 100, cache_written_tokens: 7 }));
    expect(rows.map(({ value }) => value)).toEqual(['40,960', '100', '7', '12', 'not known']);
  });

  it('says nothing of a cache that was not written', () => {
    expect(usageRows(used(1, 1)).map(({ name }) => name)).toEqual(['Sent', 'From the cache', 'Received', 'Cost']);
  });

  it.each([
    [NOTHING, true],
    [used(0, 1), false],
    [used(1, 0), false],
  ])('is nothing only if no token was used', (usage, empty) => expect(isEmpty(usage)).toBe(empty));
});
