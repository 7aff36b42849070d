// Why an act is asked in every mode, in the language in effect.
//
// The core says it in English, for the model and the trace as well. What it says is listed beside the
// core, for the command line too, and a test holds the list to the core's own words; what is not listed
// is shown as it is.

import words from '../../../../src-tauri/crates/domain/src/concern/words.json';
import { language } from '../language/language.svelte';

/** The core's words, and what a Chinese reader is told. */
export const CONCERNS: Record<string, string> = words;

/** A variable's name stands before it. */
const STARTS = ' can change what is started';

/** What the core said, in words of the language in effect. */
export function concernText(what: string): string {
  if (language.current === 'en') return what;
  if (what.endsWith(STARTS)) return `${what.slice(0, -STARTS.length)} 会改变所启动的程序`;
  return CONCERNS[what] ?? what;
}
