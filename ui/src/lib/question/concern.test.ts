import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { language } from '../language/language.svelte';
import { CONCERNS, concernText } from './concern';
import { reasonWords } from './effect';

afterEach(() => void (language.current = 'en'));

/** What the core can say, read from its decisions: all but what no mode allows, which is not asked. */
function said(): string[] {
  const folder = resolve('../src-tauri/crates/agent/src/permission');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!tests)\.rs$/.test(file));
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const found = [
    /\b(?:danger|unclear)\(\s*"([^"]+)"/g,
    /\bconst [A-Z]+: &str =\s*"([^"]+ [^"]+)"/g,
    /\bErr\(\s*"(a path [^"]+)"/g,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, words]) => words ?? ''));
  return [...new Set(found)].filter((words) => !/\b(never|alone)\b/.test(words)).sort();
}

describe('why an act is asked in every mode', () => {
  it('has Chinese words for all that the core can say, and for nothing else', () => {
    expect(said()).toEqual(Object.keys(CONCERNS).sort());
  });

  it.each([
    ['runs as administrator', '以管理员身份运行'],
    ['LD_PRELOAD can change what is started', 'LD_PRELOAD 会改变所启动的程序'],
    ['what nobody has listed', 'what nobody has listed'],
  ])('is told in the language in effect: %s', (what, chinese) => {
    expect(concernText(what)).toBe(what);
    language.current = 'zh-CN';
    expect(concernText(what)).toBe(chinese);
    expect(reasonWords({ why: 'dangerous', what })).toBe(`可能造成无法挽回的后果（${chinese}）。`);
  });
});
