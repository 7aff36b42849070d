import { describe, expect, it } from 'vitest';
import type { ItemView, TodoEntry, TodoState, TurnView } from '../backend/bindings';
import { planOf, progressOf } from './plan';

const entry = (text: string, state: TodoState): TodoEntry => ({ text, state });

function turn(state: TurnView['state'], ...plans: TodoEntry[][]): TurnView {
  const items = plans.map((entries) => ({
    content: { kind: 'tool_call', result: { text: '', is_error: false, shown: { kind: 'todo', entries } } },
  }));
  return { state, items: items as unknown as ItemView[] } as TurnView;
}

describe('the plan', () => {
  it('is the latest one of the turn that runs', () => {
    const [first, second] = [[entry('dig', 'active')], [entry('dig', 'done'), entry('sow', 'active')]];
    expect(planOf([turn('running', first, second)])).toEqual(second);
    expect(planOf([turn('finished', first)])).toBeNull();
    expect(planOf([turn('finished', first), turn('running')])).toBeNull();
    expect(planOf([turn('running', [])])).toBeNull();
    expect(planOf([])).toBeNull();
  });

  it('tells how far it is and what is being done', () => {
    expect(progressOf([entry('a', 'done'), entry('b', 'dropped'), entry('c', 'active'), entry('d', 'pending')])).toEqual({
      over: 2,
      count: 4,
      now: 'c',
    });
    expect(progressOf([entry('a', 'done'), entry('b', 'pending')]).now).toBe('b');
    expect(progressOf([entry('a', 'done')]).now).toBe('');
  });
});
