import { afterEach, describe, expect, it } from 'vitest';
import type { Language } from '../backend/bindings';
import { language } from './language.svelte';
import { countText, moneyText, shareText, shortCountText, sizeText } from './number';

afterEach(() => void (language.current = 'en'));

function speak(spoken: Language): void {
  language.current = spoken;
}

describe('a count', () => {
  it.each([
    [0, '0', '0'],
    [9_999, '9,999', '9,999'],
    [12_345, '12.3K', '1.23万'],
    [1_048_576, '1.05M', '105万'],
    [1_234_567_890, '1.23B', '12.3亿'],
  ])('of %i is short in each language', (count, english, chinese) => {
    expect(shortCountText(count)).toBe(english);
    speak('zh-CN');
    expect(shortCountText(count)).toBe(chinese);
  });

  it('is told exactly where there is room', () => expect(countText(1_234_567)).toBe('1,234,567'));
});

describe('a share', () => {
  it.each([
    [0, 0, '0'],
    [0, 10, '0'],
    [1, 1_000, '1'],
    [1_054, 1_240, '85'],
    [999, 1_000, '99'],
    [1_000, 1_000, '100'],
    [12, 10, '100'],
  ])('of %i in %i is %s percent', (part, whole, text) => expect(shareText(part, whole)).toBe(text));
});

describe('a sum of money', () => {
  it.each([
    [1, '< $0.0001'],
    [99_999, '< $0.0001'],
    [100_000, '$0.0001'],
    [2_100_000, '$0.0021'],
    [500_000_000, '$0.50'],
    [1_234_567_890, '$1.23'],
    [1_234_000_000_000, '$1,234.00'],
  ])('of %i billionths is %s in each language', (sum, text) => {
    expect(moneyText(sum)).toBe(text);
    speak('zh-CN');
    expect(moneyText(sum)).toBe(text);
  });
});

describe('a size', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [1449, '1.4 KB'],
    [9_960, '10 KB'],
    [820_400, '820 KB'],
    [999_499, '999 KB'],
    [999_500, '1 MB'],
    [1_420_000, '1.4 MB'],
    [20_000_000, '20 MB'],
  ])('of %i bytes reads as %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });
});
