// The check-up that Talaria does of itself. The settings' last section shows it.

import type { ApiError, Diagnosis } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';

export class Doctor {
  /** What came of the last check-up; null: none was done. */
  findings = $state<Diagnosis[] | null>(null);
  running = $state(false);
  error = $state<ApiError | null>(null);

  readonly failed: number = $derived(this.findings?.filter((finding) => !finding.passed).length ?? 0);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.error = null;
    try {
      this.findings = await this.#backend.call('run_doctor', {});
    } catch (error) {
      this.error = asApiError(error);
    } finally {
      this.running = false;
    }
  }
}
