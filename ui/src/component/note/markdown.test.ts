import { expect, test } from 'vitest';
import { lineEnding, smallestChange } from './markdown';

test.each([
  ['', 'a'],
  ['a', ''],
  ['abc', 'abXc'],
  ['aaaa', 'aa'],
  ['会议记录', '会议的记录'],
  ['one\ntwo\nthree', 'one\n2\nthree'],
  ['same start', 'other end'],
])('the smallest change from %j to %j leads there', (from, to) => {
  const change = smallestChange(from, to);
  expect(change).not.toBeNull();
  if (change !== null) expect(from.slice(0, change.from) + change.insert + from.slice(change.to)).toBe(to);
});

test('the smallest change touches nothing around it', () => {
  expect(smallestChange('head middle tail', 'head other tail')).toEqual({ from: 5, to: 11, insert: 'other' });
});

test('equal texts need no change', () => {
  expect(smallestChange('a', 'a')).toBeNull();
});

test('a text with Windows line endings keeps them', () => {
  expect(lineEnding('a\r\nb')).toBe('\r\n');
  expect(lineEnding('a\nb')).toBe('\n');
  expect(lineEnding('')).toBe('\n');
});
