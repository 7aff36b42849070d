// What a session's model is sent, layer by layer, and how that is shortened.

import type { Backend } from '../backend/backend';
import type { ApiError, CompactionView, ContextReport } from '../backend/bindings';
import { asApiError } from '../backend/failure';

export class Meter {
  readonly session: string;
  report = $state.raw<ContextReport | null>(null);
  /** The latest shortening that still holds. */
  latest = $state.raw<CompactionView | null>(null);
  compacting = $state(false);
  error = $state.raw<ApiError | null>(null);

  /** The tokens of the latest request. */
  readonly used: number = $derived(this.report?.layers.reduce((sum, layer) => sum + layer.tokens, 0) ?? 0);

  #backend: Backend;

  constructor(backend: Backend, session: string) {
    this.#backend = backend;
    this.session = session;
  }

  async load(): Promise<void> {
    try {
      const [report, compactions] = await Promise.all([
        this.#backend.call('read_context', { session_id: this.session }),
        this.#backend.call('list_compactions', { session_id: this.session }),
      ]);
      this.report = report;
      this.latest = compactions.findLast(({ undone }) => !undone) ?? null;
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }

  /** Shortens now; `keep` is what the user wants kept above all. */
  async compact(keep: string): Promise<void> {
    this.compacting = true;
    this.error = null;
    try {
      this.latest = await this.#backend.call('compact_session', { session_id: this.session, keep });
    } catch (thrown) {
      const error = asApiError(thrown);
      // Who stopped it knows that.
      if (error.code !== 'cancelled') this.error = error;
    } finally {
      this.compacting = false;
    }
  }

  /** Stops what `compact` began; nothing is changed then. */
  async stop(): Promise<void> {
    try {
      await this.#backend.call('stop_compaction', { session_id: this.session });
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }

  async undo(): Promise<void> {
    if (this.latest === null) return;
    this.error = null;
    try {
      await this.#backend.call('undo_compaction', { session_id: this.session, compaction_id: this.latest.id });
      await this.load();
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }
}
