// The keyboard shortcuts: the list people read, and which press means which action.

import { isComposing } from '../keyboard';
import type { Word } from '../language/words';

/** What a shortcut of the frame does. */
export type Action = 'palette' | 'new' | 'find' | 'sidebar' | 'chat' | 'notes' | 'traces' | 'settings' | 'shortcuts';

/** One line of the list. `Mod` is ⌘ on a Mac and Ctrl elsewhere. */
export type Shortcut = { keys: readonly string[]; word: Word; action?: Action };

/** Every shortcut, in the order people read them. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ['Mod', 'K'], word: 'frame.palette', action: 'palette' },
  { keys: ['Mod', 'N'], word: 'session.new', action: 'new' },
  { keys: ['Mod', 'F'], word: 'frame.find', action: 'find' },
  { keys: ['Mod', 'B'], word: 'frame.sidebar', action: 'sidebar' },
  { keys: ['Mod', '1'], word: 'frame.chat', action: 'chat' },
  { keys: ['Mod', '2'], word: 'frame.notes', action: 'notes' },
  { keys: ['Mod', '3'], word: 'frame.traces', action: 'traces' },
  { keys: ['Mod', ','], word: 'frame.settings', action: 'settings' },
  { keys: ['Mod', '/'], word: 'frame.shortcuts', action: 'shortcuts' },
  { keys: ['Esc'], word: 'frame.key.escape' },
  { keys: ['Enter'], word: 'frame.key.send' },
  { keys: ['Shift', 'Enter'], word: 'frame.key.line' },
  { keys: ['↑', '↓'], word: 'frame.key.arrows' },
  { keys: ['F2'], word: 'frame.key.rename' },
  { keys: ['Delete'], word: 'frame.key.delete' },
  { keys: ['Mod', 'S'], word: 'frame.key.save' },
];

/** Whether the keyboard is a Mac's. */
export const isMac: boolean = /mac/i.test(globalThis.navigator?.platform ?? '');

/** What a press asks the frame to do; null: nothing. */
export function actionOf(event: KeyboardEvent, mac: boolean = isMac): Action | null {
  if (isComposing(event) || event.defaultPrevented || event.repeat) return null;
  const [mod, other] = mac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (!mod || other || event.altKey || event.shiftKey) return null;
  const key = event.key.toUpperCase();
  return shortcuts.find(({ action, keys }) => action !== undefined && keys[1] === key)?.action ?? null;
}

/** An action's keys as its tooltip shows them, such as "Ctrl K" or "⌘ K". */
export function keysOf(wanted: Action, mac: boolean = isMac): string {
  const keys = shortcuts.find(({ action }) => action === wanted)?.keys ?? [];
  return keys.map((key) => (key === 'Mod' ? (mac ? '⌘' : 'Ctrl') : key)).join(' ');
}
