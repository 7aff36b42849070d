// The older texts of one note. The Notes view's side panel shows them.

import type { ApiError, NoteVersion } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';

export class NoteHistory {
  versions = $state<NoteVersion[]>([]);
  /** The version that is looked at, with its text once it is there. */
  shown = $state<{ version: NoteVersion; text: string } | null>(null);
  loading = $state(false);
  error = $state<ApiError | null>(null);

  #backend: Backend;
  #path = '';
  #asked = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async load(path: string): Promise<void> {
    const asked = ++this.#asked;
    if (path !== this.#path) {
      this.versions = [];
      this.shown = null;
    }
    this.#path = path;
    this.loading = true;
    this.error = null;
    try {
      const versions = await this.#backend.call('list_note_versions', { path });
      if (asked === this.#asked) this.versions = versions;
    } catch (error) {
      if (asked === this.#asked) this.error = asApiError(error);
    } finally {
      if (asked === this.#asked) this.loading = false;
    }
  }

  /** Look at a version beside the note as it is now. */
  async show(version: NoteVersion): Promise<void> {
    const path = this.#path;
    this.error = null;
    try {
      const text = await this.#backend.call('read_note_version', { path, version: version.version });
      if (path === this.#path) this.shown = { version, text };
    } catch (error) {
      if (path === this.#path) this.error = asApiError(error);
    }
  }

  hide(): void {
    this.shown = null;
  }
}
