// A session's commands in the background: what runs, and its end.

import type { Backend } from '../backend/backend';
import type { ApiError, ProcessView } from '../backend/bindings';
import { asApiError } from '../backend/failure';

export class Processes {
  readonly session: string;
  list = $state.raw<ProcessView[]>([]);
  error = $state.raw<ApiError | null>(null);

  readonly running: number = $derived.by(() => this.list.filter(({ running }) => running).length);

  #backend: Backend;

  constructor(backend: Backend, session: string) {
    this.#backend = backend;
    this.session = session;
  }

  async load(): Promise<void> {
    try {
      this.list = await this.#backend.call('list_processes', { session_id: this.session });
      this.error = null;
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }

  async stop(id: number): Promise<void> {
    try {
      await this.#backend.call('stop_process', { session_id: this.session, id });
      await this.load();
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }
}
