import { expect, test } from 'vitest';
import { modeNames, rememberedMode, rememberedNote, rememberMode, rememberNote } from './mode';

function storage() {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  };
}

test('a mode is remembered, and anything else in its place counts as writing', () => {
  const kept = storage();
  expect(rememberedMode(kept)).toBe('write');
  for (const { value } of modeNames()) {
    rememberMode(kept, value);
    expect(rememberedMode(kept)).toBe(value);
  }
  kept.setItem('note-mode', 'upside down');
  expect(rememberedMode(kept)).toBe('write');
});

test('the open note is remembered until it is closed', () => {
  const kept = storage();
  expect(rememberedNote(kept)).toBeNull();
  rememberNote(kept, '会议.md');
  expect(rememberedNote(kept)).toBe('会议.md');
  rememberNote(kept, null);
  expect(rememberedNote(kept)).toBeNull();
});
