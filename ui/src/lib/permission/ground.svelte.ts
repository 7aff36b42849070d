// What a session may do without asking, and where.

import type { Backend } from '../backend/backend';
import type { ApiError, Folder, FolderAccess, Mode } from '../backend/bindings';
import { asApiError } from '../backend/failure';

export class Ground {
  readonly session: string;
  mode = $state<Mode>('ask');
  folders = $state.raw<Folder[]>([]);
  error = $state.raw<ApiError | null>(null);

  #backend: Backend;

  constructor(backend: Backend, session: string) {
    this.#backend = backend;
    this.session = session;
  }

  async load(): Promise<void> {
    await this.#attempt(async () => {
      this.folders = await this.#backend.call('list_folders', { session_id: this.session });
    });
  }

  async setMode(mode: Mode): Promise<void> {
    const before = this.mode;
    this.mode = mode;
    const done = await this.#attempt(() => this.#backend.call('set_session_mode', { session_id: this.session, mode }));
    if (!done) this.mode = before;
  }

  /** Lets the user choose a folder, and grants it. */
  async add(access: FolderAccess): Promise<void> {
    const path = await this.#backend.chooseFolder();
    if (path !== null) await this.grant({ path, access, trusted: false });
  }

  /** Grants a folder, or changes how it is granted. */
  async grant(folder: Folder): Promise<void> {
    await this.#attempt(() => this.#backend.call('grant_folder', { session_id: this.session, folder }));
    await this.#reload();
  }

  async revoke(path: string): Promise<void> {
    await this.#attempt(() => this.#backend.call('revoke_folder', { session_id: this.session, path }));
    await this.#reload();
  }

  /** Reads the folders again, and keeps what went wrong before in sight. */
  async #reload(): Promise<void> {
    const { error } = this;
    await this.load();
    this.error ??= error;
  }

  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    this.error = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = asApiError(thrown);
      return false;
    }
  }
}
