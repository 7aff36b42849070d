// The models that step in, in order: how the list changes.

import type { ModelRef } from '../backend/bindings';

export function isSame(one: ModelRef, two: ModelRef): boolean {
  return one.service === two.service && one.model === two.model;
}

/** The list with this model at its end; the same list if it has it already. */
export function withModel(list: ModelRef[], model: ModelRef): ModelRef[] {
  return list.some((each) => isSame(each, model)) ? list : [...list, model];
}

export function withoutAt(list: ModelRef[], at: number): ModelRef[] {
  return list.filter((_, index) => index !== at);
}

/** The list with one model a place up (-1) or down (1); the same list where there is no such place. */
export function moved(list: ModelRef[], at: number, by: -1 | 1): ModelRef[] {
  const model = list[at];
  const other = list[at + by];
  if (model === undefined || other === undefined) return list;
  return list.map((each, index) => (index === at ? other : index === at + by ? model : each));
}
