import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { ModelRef, ModelView } from '../backend/bindings';
import { facts, knownOf } from '../backend/fake/models';
import { KnownModel } from './knownModel.svelte';

const model = (name: string): ModelRef => ({ service: 's', model: name });
const view = (of: ModelRef, set = facts()): ModelView => knownOf(of, facts(), set);

describe('what is known of a model', () => {
  it('is read, and never shown under the name of another', async () => {
    const waiting: (() => void)[] = [];
    const known = new KnownModel(
      answering({ read_model: ({ model }) => new Promise((done) => waiting.push(() => done(view(model)))) }),
    );
    const first = known.read(model('a'));
    const second = known.read(model('b'));
    waiting.reverse().forEach((answer) => answer());
    await Promise.all([first, second]);
    expect(known.view?.model).toEqual(model('b'));
  });

  it('is corrected fact by fact, and the other corrections stay', async () => {
    const set = facts({ tools: false });
    const backend = answering({
      read_model: ({ model }) => view(model, set),
      set_model_facts: ({ model, facts }) => view(model, facts),
    });
    const known = new KnownModel(backend);
    await known.read(model('a'));
    await known.set({ context_window: 32_768 });
    expect(backend.asked.at(-1)?.args).toEqual({ model: model('a'), facts: { ...set, context_window: 32_768 } });
    expect(known.view?.known.context_window).toEqual({ value: 32_768, source: 'user' });
  });

  it('stays as it was if a correction is refused, and says why', async () => {
    const known = new KnownModel(
      answering({
        read_model: ({ model }) => view(model),
        set_model_facts: () => {
          throw failure('storage');
        },
      }),
    );
    await known.read(model('a'));
    await known.set({ tools: true });
    expect(known.view?.known.tools).toBe(null);
    expect(known.error?.code).toBe('storage');
  });

  it('of nothing can not be corrected', async () => {
    const backend = answering({});
    await new KnownModel(backend).set({ tools: true });
    expect(backend.asked).toEqual([]);
  });
});
