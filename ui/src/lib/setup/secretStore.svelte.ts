// Where keys are kept, and choosing it. The guide's key step and the settings show it.

import type { ApiError, Backend as StoreKind, StoreChoice, StoreState } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';

/** The shortest passphrase that is taken. */
export const SHORTEST_PASSPHRASE = 8;

/** What is wrong with a passphrase that was typed; null: it can be used. */
export type PassphraseFault = 'too_short' | 'not_equal';

/** Judges a passphrase. One that only opens an existing file is typed once and may be anything. */
export function passphraseFault(passphrase: string, repeated: string, opens: boolean): PassphraseFault | null {
  if (opens) return passphrase === '' ? 'too_short' : null;
  if ([...passphrase].length < SHORTEST_PASSPHRASE) return 'too_short';
  return passphrase === repeated ? null : 'not_equal';
}

export class SecretStore {
  state = $state<StoreState | null>(null);
  busy = $state(false);
  error = $state<ApiError | null>(null);

  /** Whether a key can be kept now. */
  readonly ready: boolean = $derived(this.state !== null && this.state.active !== null);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Take a state that came with something else. */
  take(state: StoreState): void {
    this.state = state;
  }

  /** Ask again; probes the keyring. */
  probe(): Promise<boolean> {
    return this.#ask(async () => (await this.#backend.call('read_secret_store', {})).store);
  }

  /** Keep keys there from now on. False if it did not work; `error` then says why. */
  choose(kind: StoreKind, passphrase = ''): Promise<boolean> {
    const choice: StoreChoice = kind === 'file' ? { backend: 'file', passphrase } : { backend: kind };
    return this.#ask(async () => (await this.#backend.call('choose_secret_store', { choice })).store);
  }

  async #ask(question: () => Promise<StoreState>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.error = null;
    try {
      this.state = await question();
      return true;
    } catch (error) {
      this.error = asApiError(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
