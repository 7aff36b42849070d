// Signing in to a service in the browser: the attempt, its countdown and the look whether the
// browser has come back. The guide's key step shows it for services that are signed in to.

import type { ApiError, AuthorizationAttempt } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';

/** Where the sign-in stands. */
export type Phase = 'idle' | 'opening' | 'waiting' | 'checking' | 'done' | 'failed' | 'expired';

/** How often it looks by itself whether the browser has come back. */
const LOOK_EVERY_MS = 2000;

export class Authorization {
  phase = $state<Phase>('idle');
  attempt = $state<AuthorizationAttempt | null>(null);
  /** Seconds until the attempt is given up. */
  secondsLeft = $state(0);
  error = $state<ApiError | null>(null);
  /** Set when the user asked, and the service had not heard from the browser yet. */
  notYet = $state(false);

  #backend: Backend;
  #onDone: (service: string) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #looks: ReturnType<typeof setInterval> | undefined;
  #asking = false;

  /** `onDone` gets the id of the service that was made. */
  constructor(backend: Backend, onDone: (service: string) => void) {
    this.#backend = backend;
    this.#onDone = onDone;
  }

  /** Make an attempt and open its page in the browser. */
  async begin(preset: string): Promise<void> {
    this.#stopClocks();
    this.error = null;
    this.notYet = false;
    this.phase = 'opening';
    try {
      const attempt = await this.#backend.call('begin_authorization', { preset });
      this.attempt = attempt;
      this.secondsLeft = attempt.expires_in;
      this.phase = 'waiting';
      this.#timer = setInterval(() => this.#tick(), 1000);
      this.#looks = setInterval(() => void this.#ask(), LOOK_EVERY_MS);
      await this.#backend.openLink(attempt.url);
    } catch (error) {
      // With an attempt the page only failed to open by itself: the link can still be copied.
      if (this.attempt === null) this.#fail(asApiError(error));
      else this.error = asApiError(error);
    }
  }

  /** The user says it is done: look now. */
  async check(): Promise<void> {
    if (this.phase !== 'waiting') return;
    this.phase = 'checking';
    await this.#ask();
    if (this.phase === 'checking') {
      this.phase = 'waiting';
      this.notYet = true;
    }
  }

  /** Give the attempt up. */
  async cancel(): Promise<void> {
    const attempt = this.attempt;
    this.#stopClocks();
    this.attempt = null;
    this.phase = 'idle';
    this.error = null;
    this.notYet = false;
    if (attempt === null) return;
    try {
      await this.#backend.call('cancel_authorization', { attempt: attempt.attempt });
    } catch (error) {
      this.error = asApiError(error);
    }
  }

  /** Stop looking; the page is gone. */
  dispose(): void {
    if (this.phase === 'waiting' || this.phase === 'checking') void this.cancel();
    this.#stopClocks();
  }

  #tick(): void {
    this.secondsLeft = Math.max(0, this.secondsLeft - 1);
    if (this.secondsLeft > 0) return;
    void this.cancel();
    this.phase = 'expired';
  }

  async #ask(): Promise<void> {
    const attempt = this.attempt;
    if (attempt === null || this.#asking) return;
    this.#asking = true;
    try {
      const state = await this.#backend.call('read_authorization', { attempt: attempt.attempt });
      if (this.attempt !== attempt) return;
      if (state.state === 'done') {
        this.#stopClocks();
        this.attempt = null;
        this.phase = 'done';
        this.#onDone(attempt.service);
      } else if (state.state === 'failed') {
        this.#fail({ code: state.code, message: state.message, hint: '' });
      }
    } catch (error) {
      if (this.attempt === attempt) this.#fail(asApiError(error));
    } finally {
      this.#asking = false;
    }
  }

  #fail(error: ApiError): void {
    this.#stopClocks();
    this.attempt = null;
    this.phase = 'failed';
    this.error = error;
  }

  #stopClocks(): void {
    clearInterval(this.#timer);
    clearInterval(this.#looks);
  }
}

/** Seconds as `m:ss`. */
export function countdownText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
