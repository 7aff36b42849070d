// The proof that a service and a model work: the list of checks as they turn, and the models to
// choose from. The guide's fourth step shows it.

import type { ApiError, ListedModel, ProofEvent, ProofStep, Remedy } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';

/** The checks in the order they run. */
export const PROOF_STEPS: readonly ProofStep[] = ['reach', 'key', 'models', 'answer', 'tool_call', 'window'];

/** Where one check stands, as the list shows it. */
export type Row = { step: ProofStep } & (
  | { state: 'waiting' | 'running' | 'skipped' }
  | { state: 'passed'; detail: string; millis: number }
  | { state: 'limited' | 'failed'; remedy: Remedy; message: string }
);

/** What came of a run. */
export type Outcome = 'none' | 'running' | 'passed' | 'limited' | 'failed';

export class Proof {
  rows = $state<Row[]>(waiting());
  running = $state(false);
  /** Set when the run itself broke off, not a check of it. */
  error = $state<ApiError | null>(null);
  model = $state('');
  models = $state<ListedModel[]>([]);
  /** Whether the list of models is on its way. */
  listing = $state(false);
  /** Why there is no list; the name can be typed all the same. */
  listError = $state<ApiError | null>(null);

  readonly outcome: Outcome = $derived.by(() => {
    if (this.running) return 'running';
    if (this.error !== null || this.rows.some((row) => row.state === 'failed')) return 'failed';
    if (this.rows.every((row) => row.state === 'waiting')) return 'none';
    return this.rows.some((row) => row.state === 'limited') ? 'limited' : 'passed';
  });

  #backend: Backend;
  /** Counts runs and listings, so that an answer to an earlier question is dropped. */
  #run = 0;
  #list = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Back to the beginning, for another service. */
  reset(): void {
    this.#run += 1;
    this.#list += 1;
    this.rows = waiting();
    this.running = false;
    this.error = null;
    this.model = '';
    this.models = [];
    this.listing = false;
    this.listError = null;
  }

  /** Choose a model. What was proved with another one no longer counts. */
  choose(model: string): void {
    if (model === this.model) return;
    this.model = model;
    this.#run += 1;
    this.running = false;
    this.error = null;
    this.rows = waiting();
  }

  /** Ask the service for its models and choose one: the preferred one, else the first listed. */
  async listModels(service: string, preferred: string): Promise<void> {
    const list = ++this.#list;
    this.listing = true;
    this.listError = null;
    if (this.model === '' && preferred !== '') this.model = preferred;
    try {
      const models = await this.#backend.call('list_models', { id: service });
      if (list !== this.#list) return;
      this.models = models;
      if (this.model === '') this.model = models[0]?.name ?? '';
    } catch (error) {
      if (list !== this.#list) return;
      this.listError = asApiError(error);
    } finally {
      if (list === this.#list) this.listing = false;
    }
  }

  /** Run the checks from the start. */
  async run(service: string): Promise<void> {
    const run = ++this.#run;
    this.rows = waiting();
    this.error = null;
    this.running = true;
    try {
      await this.#backend.stream('prove_service', { id: service, model: this.model }, (event) => {
        if (run === this.#run) this.#take(event);
      });
    } catch (error) {
      if (run === this.#run) this.error = asApiError(error);
    } finally {
      if (run === this.#run) {
        this.running = false;
        this.rows = this.rows.map((row) => (row.state === 'running' ? { step: row.step, state: 'waiting' } : row));
      }
    }
  }

  #take(event: ProofEvent): void {
    this.rows = this.rows.map((row) => (row.step === event.step ? rowOf(event) : row));
  }
}

function waiting(): Row[] {
  return PROOF_STEPS.map((step) => ({ step, state: 'waiting' }));
}

function rowOf(event: ProofEvent): Row {
  switch (event.state) {
    case 'running':
    case 'skipped':
      return { step: event.step, state: event.state };
    case 'passed':
      return { step: event.step, state: 'passed', detail: event.detail, millis: event.millis };
    case 'limited':
    case 'failed':
      return { step: event.step, state: event.state, remedy: event.remedy, message: event.message };
  }
}

/** A duration as the list shows it: whole milliseconds below a second, then tenths of a second. */
export function durationText(millis: number): string {
  return millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`;
}
