import { afterEach, describe, expect, it } from 'vitest';
import type { Notice } from '../backend/bindings';
import { language } from '../language/language.svelte';
import { noticeWords } from './notice';

const switched: Notice = {
  about: 'model_switched',
  from: { service: 'a', model: 'big' },
  to: { service: 'b', model: 'small' },
  code: 'overloaded',
  message: '529',
};

afterEach(() => void (language.current = 'en'));

describe('a notice', () => {
  it('of another model says which, why, and what exactly was said', () => {
    expect(noticeWords(switched)?.text).toBe('small answers instead of big. The service is busy.');
    expect(noticeWords(switched)?.detail).toBe('529');
    language.current = 'zh-CN';
    expect(noticeWords(switched)?.text).toBe('改由 small 回答（原为 big）。服务繁忙。');
  });

  it('of a cut input tells both counts and what to do', () => {
    const words = noticeWords({ about: 'input_cut', sent: 12_000, read: 4_096 });
    expect(words?.text).toContain('4,096 of about 12,000 tokens');
    expect(words?.text).toContain('num_ctx');
  });

  it('of what was left out says what the model misses', () => {
    expect(noticeWords({ about: 'tools_left_out' })?.text).toContain('takes no tools');
    expect(noticeWords({ about: 'images_left_out' })?.text).toContain('takes no images');
    language.current = 'zh-CN';
    expect(noticeWords({ about: 'images_left_out' })?.text).toContain('不支持图片');
  });

  it('of instructions that are not followed names them and says why', () => {
    const left = { about: 'instructions_left_out', path: '/w/AGENTS.md' } as const;
    expect(noticeWords({ ...left, is_suspicious: true })?.text).toContain('/w/AGENTS.md try to take over');
    expect(noticeWords({ ...left, is_suspicious: false })?.text).toContain('/w/AGENTS.md are too long');
  });

  it('of a later version is passed over', () => {
    expect(noticeWords({ about: 'of a later version' } as unknown as Notice)).toBe(null);
  });
});
