import { afterEach, describe, expect, it } from 'vitest';
import { language } from '../language/language.svelte';
import { errorWords, type Failure } from './errors';

afterEach(() => void (language.current = 'en'));

const said = (failure: Failure) => Object.values(errorWords(failure)).join(' ');

describe('the words of a failure', () => {
  it.each<[Failure, string, string]>([
    [{ code: 'rate_limited', retry_after_ms: 61_000 }, 'try again in 1 min 1 s', '请在 1 分 1 秒后重试'],
    [{ code: 'overloaded', retry_after_ms: 2_000 }, 'try again in 2 s', '请在 2 秒后重试'],
    [{ code: 'context_overflow', limit: 131_072 }, '131,072 tokens', '131,072 个词元'],
  ])('tell how long or how much, where it is known', (failure, english, chinese) => {
    expect(said(failure)).toContain(english);
    language.current = 'zh-CN';
    expect(said(failure)).toContain(chinese);
  });

  it.each<Failure>([
    { code: 'rate_limited' },
    { code: 'context_overflow' },
    { code: 'billing', retry_after_ms: 1_000 },
    { code: 'auth', limit: 5 },
  ])('leave out what is not known, or of no use', (failure) => expect(said(failure)).not.toMatch(/\d/));
});
