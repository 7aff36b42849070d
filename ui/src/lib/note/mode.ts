// How notes are shown, and what the window remembers of it.

import { t } from '../language/language.svelte';

/** The ways to show a note. */
export type Mode = 'write' | 'preview' | 'split';

const MODES: readonly Mode[] = ['write', 'preview', 'split'];
const KEY = 'note-mode';
const OPEN_KEY = 'note-open';

/** The ways with their names, in the language of the window. */
export function modeNames(): { value: Mode; name: string }[] {
  return MODES.map((value) => ({ value, name: t(`notes.mode.${value}`) }));
}

/** The way last chosen; writing if none was. */
export function rememberedMode(storage: Pick<Storage, 'getItem'>): Mode {
  const kept = storage.getItem(KEY);
  return MODES.find((mode) => mode === kept) ?? 'write';
}

/** Remember a way for the next time. */
export function rememberMode(storage: Pick<Storage, 'setItem'>, mode: Mode): void {
  storage.setItem(KEY, mode);
}

/** The path of the note last open, if one was. */
export function rememberedNote(storage: Pick<Storage, 'getItem'>): string | null {
  return storage.getItem(OPEN_KEY);
}

/** Remember which note is open; null: none. */
export function rememberNote(storage: Pick<Storage, 'setItem' | 'removeItem'>, path: string | null): void {
  if (path === null) storage.removeItem(OPEN_KEY);
  else storage.setItem(OPEN_KEY, path);
}
