// Models as the fake backend lists them, and what it knows of each.

import type { Commands, Known, ListedModel, ModelFacts, ModelRef, ModelView } from '../bindings';

/** Facts of a model of which only these are known. */
export function facts(known: Partial<ModelFacts> = {}): ModelFacts {
  return {
    context_window: null,
    max_output_tokens: null,
    tools: null,
    images: null,
    documents: null,
    reasoning: null,
    price: null,
    ...known,
  };
}

/** A listed model of which only these facts are known. */
export function listed(name: string, known: Partial<ModelFacts> = {}): ListedModel {
  return { name, facts: facts(known) };
}

/** What the bundled table of the fake backend says of every model that costs something. */
const TABLE = facts({
  max_output_tokens: 8_192,
  documents: false,
  price: {
    usual: { input: 270_000, output: 1_100_000, cached_input: 70_000, cache_written: null },
    long: null,
  },
});

/** What is known of a model of which the service and the user say this. */
export function knownOf(model: ModelRef, listed: ModelFacts, set: ModelFacts, table = facts()): ModelView {
  const first = <K extends keyof ModelFacts>(name: K): Known<NonNullable<ModelFacts[K]>> | null => {
    const sources = [
      { source: 'user', said: set },
      { source: 'service', said: listed },
      { source: 'table', said: table },
    ] as const;
    const found = sources.find(({ said }) => said[name] !== null);
    return found === undefined ? null : { value: found.said[name] as NonNullable<ModelFacts[K]>, source: found.source };
  };
  const known = {
    context_window: first('context_window'),
    max_output_tokens: first('max_output_tokens'),
    tools: first('tools'),
    images: first('images'),
    documents: first('documents'),
    reasoning: first('reasoning'),
    price: first('price'),
  };
  return { model, known, set, window: known.context_window?.value ?? 8_192, table_date: '2026-11-20' };
}

/** The commands about single models. */
export class FakeModels {
  #set: Record<string, ModelFacts> = {};
  #listed: (model: ModelRef) => ModelFacts;

  constructor(listed: (model: ModelRef) => ModelFacts) {
    this.#listed = listed;
  }

  answers = {
    read_model: ({ model }: Commands['read_model']['arguments']) => this.#view(model),
    set_model_facts: ({ model, facts }: Commands['set_model_facts']['arguments']) => {
      this.#set[JSON.stringify(model)] = facts;
      return this.#view(model);
    },
  };

  #view(model: ModelRef): ModelView {
    const table = model.service === 'ollama' ? facts() : TABLE;
    return knownOf(model, this.#listed(model), this.#set[JSON.stringify(model)] ?? facts(), table);
  }
}
