// The search over the text of all sessions. The session list shows it in place of its sections.

import type { ApiError, SearchHit } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';

/** How long typing must rest before it asks. */
export const SEARCH_DELAY_MS = 150;
/** As many hits as anyone scrolls through. */
const LIMIT = 50;

export class SessionSearch {
  query = $state('');
  /** What was found; null: no answer yet. */
  hits = $state.raw<SearchHit[] | null>(null);
  error = $state<ApiError | null>(null);

  readonly active: boolean = $derived(this.query.trim() !== '');

  #backend: Backend;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts questions, so that a slow answer to an earlier one is dropped. */
  #asked = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Looks for this once typing rests. A blank query ends the search at once. */
  type(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    this.#asked += 1;
    if (this.active) this.#timer = setTimeout(() => void this.ask(), SEARCH_DELAY_MS);
    else this.hits = null;
  }

  /** Looks again, because something changed. */
  async ask(): Promise<void> {
    if (!this.active) return;
    const asked = ++this.#asked;
    try {
      const hits = await this.#backend.call('search_sessions', { query: this.query.trim(), limit: LIMIT });
      if (asked !== this.#asked) return;
      this.hits = hits;
      this.error = null;
    } catch (error) {
      if (asked === this.#asked) this.error = asApiError(error);
    }
  }
}
