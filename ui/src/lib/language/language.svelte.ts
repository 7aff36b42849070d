// The language in effect, and words, dates and sizes in it.

import type { Language } from '../backend/bindings';
import { words, type Word } from './words';

/** The language in effect; the settings set it. */
export const language = new (class {
  current = $state<Language>('en');
})();

/** A word in the language in effect, with `{name}` replaced by an argument. */
export function t(word: Word, args: Record<string, string | number> = {}): string {
  const text: string = words[word][language.current];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole));
}

// A cache; nothing is drawn from it.
// eslint-disable-next-line svelte/prefer-svelte-reactivity
const formats = new Map<string, Intl.DateTimeFormat>();

function format(kind: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language.current} ${kind}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(language.current, options);
  formats.set(key, known);
  return known;
}

/** A day, such as "Nov 30" or "11月30日". */
export function dateText(moment: number): string {
  return format('date', { month: 'short', day: 'numeric' }).format(moment);
}

/** A time of day, such as "14:05". */
export function timeText(moment: number): string {
  return format('time', { hour: '2-digit', minute: '2-digit', hour12: false }).format(moment);
}

/** A day with its time. */
export function momentText(moment: number): string {
  return format('moment', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  }).format(moment);
}
