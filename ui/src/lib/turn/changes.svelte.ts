// The files that a session's tools changed, and how they are put back.

import type { Backend } from '../backend/backend';
import type { ApiError, FileChangeView } from '../backend/bindings';
import { asApiError } from '../backend/failure';

export class FileChanges {
  readonly session: string;
  all = $state.raw<FileChangeView[]>([]);
  busy = $state(false);
  error = $state.raw<ApiError | null>(null);

  #backend: Backend;

  constructor(backend: Backend, session: string) {
    this.#backend = backend;
    this.session = session;
  }

  async load(): Promise<void> {
    try {
      this.all = await this.#backend.call('list_file_changes', { session_id: this.session });
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }

  /** The changes of one turn, in order. */
  of(turn: string): FileChangeView[] {
    return this.all.filter(({ turn_id }) => turn_id === turn);
  }

  async undo(changes: FileChangeView[]): Promise<void> {
    const ids = changes.filter(({ undone, lost }) => !undone && !lost).map(({ id }) => id);
    if (ids.length === 0) return;
    this.busy = true;
    this.error = null;
    try {
      this.all = await this.#backend.call('undo_file_changes', { ids });
    } catch (thrown) {
      this.error = asApiError(thrown);
    } finally {
      this.busy = false;
    }
  }
}
