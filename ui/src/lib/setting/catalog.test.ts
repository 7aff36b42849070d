import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import { listed } from '../backend/fake/models';
import { Catalog } from './catalog.svelte';

describe('the models of a service', () => {
  it('are asked for once', async () => {
    const backend = answering({ list_models: () => [listed('small')] });
    const catalog = new Catalog(backend);
    const asking = catalog.ask('s');
    expect(catalog.of('s').state).toBe('asking');
    await Promise.all([asking, catalog.ask('s')]);
    await catalog.ask('s');
    expect(catalog.of('s')).toEqual({ state: 'listed', models: [listed('small')] });
    expect(backend.asked).toHaveLength(1);
  });

  it('are asked for again if the service gave no list', async () => {
    let up = false;
    const catalog = new Catalog(
      answering({
        list_models: () => {
          if (!up) throw failure('auth');
          return [listed('small')];
        },
      }),
    );
    await catalog.ask('s');
    expect(catalog.of('s').state).toBe('unlisted');
    up = true;
    await catalog.ask('s');
    expect(catalog.of('s').state).toBe('listed');
  });
});
