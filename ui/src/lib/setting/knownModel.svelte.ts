// One model and what is known of it. The settings show it and let the user correct it.

import type { Backend } from '../backend/backend';
import type { ApiError, ModelFacts, ModelRef, ModelView } from '../backend/bindings';
import { asApiError } from '../backend/failure';
import { isSame } from './fallbacks';

export class KnownModel {
  /** Which one is wanted. */
  model = $state.raw<ModelRef | null>(null);
  /** What is known of it; null until that was read. */
  view = $state.raw<ModelView | null>(null);
  error = $state.raw<ApiError | null>(null);
  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Shows another model. */
  async read(model: ModelRef): Promise<void> {
    if (!this.#isWanted(model)) this.view = null;
    this.model = model;
    await this.#take(model, () => this.#backend.call('read_model', { model }));
  }

  /** Keeps what the user says; null leaves a fact to the others who know it. */
  async set(change: Partial<ModelFacts>): Promise<void> {
    if (this.view === null) return;
    const { model, set } = this.view;
    await this.#take(model, () => this.#backend.call('set_model_facts', { model, facts: { ...set, ...change } }));
  }

  /** An answer about a model that is no longer wanted comes too late. */
  async #take(model: ModelRef, ask: () => Promise<ModelView>): Promise<void> {
    this.error = null;
    try {
      const view = await ask();
      if (this.#isWanted(model)) this.view = view;
    } catch (thrown) {
      if (this.#isWanted(model)) this.error = asApiError(thrown);
    }
  }

  #isWanted(model: ModelRef): boolean {
    return this.model !== null && isSame(this.model, model);
  }
}
