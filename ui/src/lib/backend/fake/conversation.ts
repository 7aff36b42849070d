// The sessions of the fake backend.

import type { Change } from '../bindings';
import type { FakeNotes } from './notes';

export class FakeConversation {
  constructor(_notes: FakeNotes, _changed: (change: Change) => void) {}
  answers = { list_sessions: () => [] };
  streams = {};
}
