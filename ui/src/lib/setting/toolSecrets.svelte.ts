// The secrets that commands can be given, by name. Their values go in and never come back.

import type { Backend } from '../backend/backend';
import type { ApiError } from '../backend/bindings';
import { asApiError } from '../backend/failure';

export class ToolSecrets {
  names = $state.raw<string[]>([]);
  busy = $state(false);
  error = $state.raw<ApiError | null>(null);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async load(): Promise<void> {
    await this.#attempt(async () => undefined);
  }

  /** Keeps a value; tells whether that worked, so that the form can be emptied. */
  save(name: string, value: string): Promise<boolean> {
    return this.#attempt(() => this.#backend.call('save_tool_secret', { name, value }));
  }

  remove(name: string): Promise<boolean> {
    return this.#attempt(() => this.#backend.call('remove_tool_secret', { name }));
  }

  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    this.busy = true;
    this.error = null;
    try {
      await work();
      this.names = (await this.#backend.call('list_tool_secrets', {})).map(({ name }) => name);
      return true;
    } catch (thrown) {
      this.error = asApiError(thrown);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
