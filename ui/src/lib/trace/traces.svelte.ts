// What turns did: the list of traces, searched, and the one that is open. The Traces view shows it.

import type { Backend } from '../backend/backend';
import type { ApiError, Trace, TraceLine, TurnId } from '../backend/bindings';
import { asApiError } from '../backend/failure';

/** How long typing in the search must rest before it asks. */
export const SEARCH_DELAY_MS = 150;
/** So many are listed; older ones are found by searching. */
const MOST = 200;

export class Traces {
  lines = $state.raw<TraceLine[]>([]);
  query = $state('');
  /** Whether the first answer is still on its way. */
  loading = $state(true);
  open = $state.raw<Trace | null>(null);
  error = $state.raw<ApiError | null>(null);

  #backend: Backend;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The questions on their way: an answer to an earlier one is dropped. */
  #listed = 0;
  #wanted: TurnId | null = null;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async load(): Promise<void> {
    const listed = ++this.#listed;
    try {
      const lines = await this.#backend.call('list_traces', { query: this.query.trim(), limit: MOST });
      if (listed !== this.#listed) return;
      this.lines = lines;
      this.error = null;
    } catch (thrown) {
      if (listed === this.#listed) this.error = asApiError(thrown);
    } finally {
      if (listed === this.#listed) this.loading = false;
    }
  }

  search(query: string): void {
    this.query = query;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), SEARCH_DELAY_MS);
  }

  async show(turn: TurnId): Promise<void> {
    this.#wanted = turn;
    this.error = null;
    try {
      const trace = await this.#backend.call('read_trace', { turn_id: turn });
      if (this.#wanted === turn) this.open = trace;
    } catch (thrown) {
      if (this.#wanted === turn) this.error = asApiError(thrown);
    }
  }

  /** The open trace as OpenTelemetry writes it; null if it could not be made. */
  async exported(): Promise<string | null> {
    if (this.open === null) return null;
    try {
      const json = await this.#backend.call('export_trace', { turn_id: this.open.line.turn_id });
      return JSON.stringify(json, null, 2);
    } catch (thrown) {
      this.error = asApiError(thrown);
      return null;
    }
  }
}
