// The list of notes, searched and kept fresh. The Notes view shows it.

import type { ApiError, Note, NoteSummary } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';

/** How long typing in the search must rest before it asks. */
export const SEARCH_DELAY_MS = 150;

export class NoteLibrary {
  notes = $state<NoteSummary[]>([]);
  query = $state('');
  /** Whether the first answer is still on its way. */
  loading = $state(true);
  error = $state<ApiError | null>(null);

  #backend: Backend;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts questions, so that a slow answer to an earlier one is dropped. */
  #asked = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async load(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const notes = await this.#backend.call('list_notes', { query: this.query.trim() });
      if (asked !== this.#asked) return;
      this.notes = notes;
      this.error = null;
    } catch (error) {
      if (asked === this.#asked) this.error = asApiError(error);
    } finally {
      if (asked === this.#asked) this.loading = false;
    }
  }

  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), SEARCH_DELAY_MS);
  }

  /** Make a note with a heading and nothing else. Null if it could not be made. */
  async create(title: string): Promise<Note | null> {
    return this.#change(() => this.#backend.call('create_note', { title, text: `# ${title}\n\n`, session_id: null }));
  }

  /** Delete a note; it can be restored. */
  async remove(path: string): Promise<boolean> {
    return (await this.#change(() => this.#backend.call('delete_note', { path }).then(() => true))) ?? false;
  }

  /** Undo a deletion. */
  async restore(path: string): Promise<Note | null> {
    return this.#change(() => this.#backend.call('restore_note', { path }));
  }

  /** The note after this one in the list, else the one before; where to go when it is deleted. */
  neighbour(path: string): string | null {
    const at = this.notes.findIndex((note) => note.path === path);
    if (at < 0) return null;
    return (this.notes[at + 1] ?? this.notes[at - 1])?.path ?? null;
  }

  async #change<T>(work: () => Promise<T>): Promise<T | null> {
    this.error = null;
    try {
      const result = await work();
      await this.load();
      return result;
    } catch (error) {
      this.error = asApiError(error);
      return null;
    }
  }
}
