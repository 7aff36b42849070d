import { afterEach, describe, expect, it } from 'vitest';
import { language } from './language.svelte';
import { spanText, waitText } from './span';

afterEach(() => void (language.current = 'en'));

describe('a span of time', () => {
  it.each([
    [-5, '<0.1 s', '<0.1 秒'],
    [49, '<0.1 s', '<0.1 秒'],
    [50, '0.1 s', '0.1 秒'],
    [140, '0.1 s', '0.1 秒'],
    [9_960, '10 s', '10 秒'],
    [12_400, '12 s', '12 秒'],
    [60_000, '1 min', '1 分钟'],
    [125_000, '2 min 5 s', '2 分 5 秒'],
  ])('of %i ms is told in each language', (millis, english, chinese) => {
    expect(spanText(millis)).toBe(english);
    language.current = 'zh-CN';
    expect(spanText(millis)).toBe(chinese);
  });
});

describe('a wait', () => {
  it.each([
    [0, '1 s'],
    [1_001, '2 s'],
    [61_000, '1 min 1 s'],
  ])('of %i ms is never told too short', (millis, text) => expect(waitText(millis)).toBe(text));
});
