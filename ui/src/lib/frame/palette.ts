// What the palette offers for what is typed in it.

import type { NoteSummary, SessionLine } from '../backend/bindings';
import { t } from '../language/language.svelte';
import { titleOf } from '../session/sessions.svelte';
import { shortcuts, type Action } from './shortcuts';

export type Offer = {
  actions: Action[];
  sessions: SessionLine[];
  notes: NoteSummary[];
};

/** So many sessions and notes at most: more is not a choice but a list, and has its own search. */
const MOST = 8;

/** What matches every word of the query; all of it, cut short, for a blank one. */
export function offerFor(query: string, sessions: readonly SessionLine[], notes: readonly NoteSummary[]): Offer {
  const actions = shortcuts.flatMap(({ action, word }) =>
    action !== undefined && action !== 'palette' && matches(query, t(word)) ? [action] : [],
  );
  return {
    actions,
    sessions: sessions.filter((line) => matches(query, `${titleOf(line)} ${line.last_words}`)).slice(0, MOST),
    notes: notes.filter((note) => matches(query, `${note.title} ${note.path}`)).slice(0, MOST),
  };
}

function matches(query: string, text: string): boolean {
  const plain = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => plain.includes(word));
}
