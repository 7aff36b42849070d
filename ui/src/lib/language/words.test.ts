import { expect, test } from 'vitest';
import { words } from './words';

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const entries = Object.entries(words);

test('every word has the same arguments in both languages', () => {
  for (const [key, word] of entries) expect(holes(word['zh-CN']), key).toEqual(holes(word.en));
});

test('no word is blank, and none shouts', () => {
  for (const [key, word] of entries) {
    for (const text of [word.en, word['zh-CN']]) {
      expect(text.trim(), key).not.toBe('');
      expect(text, key).not.toMatch(/[!！]/);
    }
  }
});

test('a Chinese sentence ends with a Chinese full stop', () => {
  for (const [key, word] of entries) {
    if (/\p{Script=Han}/u.test(word['zh-CN'])) expect(word['zh-CN'], key).not.toMatch(/\p{Script=Han}[.,;:?]/u);
  }
});
