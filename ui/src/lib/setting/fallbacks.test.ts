import { describe, expect, it } from 'vitest';
import type { ModelRef } from '../backend/bindings';
import { moved, withModel, withoutAt } from './fallbacks';

const model = (name: string, service = 's'): ModelRef => ({ service, model: name });
const list = [model('a'), model('b'), model('c')];
const names = (models: ModelRef[]) => models.map((each) => each.model).join('');

describe('the models that step in', () => {
  it.each([
    [0, 1, 'bac'],
    [2, -1, 'acb'],
    [0, -1, 'abc'],
    [2, 1, 'abc'],
    [9, 1, 'abc'],
  ] as const)('change places: number %i by %i', (at, by, order) => expect(names(moved(list, at, by))).toBe(order));

  it('are added at the end, each once', () => {
    expect(names(withModel(list, model('d')))).toBe('abcd');
    expect(withModel(list, model('a'))).toBe(list);
    expect(names(withModel(list, model('a', 'other')))).toBe('abca');
  });

  it('are removed by their place', () => expect(names(withoutAt(list, 1))).toBe('ac'));
});
