// Models as the fake backend lists them.

import type { ListedModel, ModelFacts } from '../bindings';

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
