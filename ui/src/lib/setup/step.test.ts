import { describe, expect, test } from 'vitest';
import { firstStep, stepAfter, stepAfterSkip, stepBefore, stepsOf, type Entry, type Step } from './step';

const ENTRIES: Entry[] = ['first_run', 'add', 'edit', 'check'];

describe('the steps of the guide', () => {
  test('continuing from the first to the last visits each step once', () => {
    for (const entry of ENTRIES) {
      const visited: Step[] = [];
      let step: Step | null = stepsOf(entry)[0] ?? null;
      while (step !== null) {
        visited.push(step);
        step = stepAfter(entry, step, true);
      }
      expect(visited).toEqual(stepsOf(entry));
    }
  });

  test('going back undoes continuing, with a key and without', () => {
    for (const entry of ENTRIES) {
      for (const needsKey of [true, false]) {
        for (const step of stepsOf(entry)) {
          if (step === 'key' && !needsKey) continue;
          const after = stepAfter(entry, step, needsKey);
          if (after !== null) expect(stepBefore(entry, after, needsKey)).toBe(step);
        }
      }
    }
  });

  test('a service on this computer has no key step in either direction', () => {
    expect(stepAfter('first_run', 'place', false)).toBe('proof');
    expect(stepBefore('first_run', 'proof', false)).toBe('place');
  });

  test('an entry begins at one of its own steps', () => {
    for (const entry of ENTRIES) expect(stepsOf(entry)).toContain(firstStep(entry));
  });

  test('skipping leads on only where the next step still makes sense', () => {
    expect(stepAfterSkip('first_run', 'look')).toBe('place');
    expect(stepAfterSkip('first_run', 'place')).toBeNull();
    expect(stepAfterSkip('first_run', 'key')).toBeNull();
    expect(stepAfterSkip('first_run', 'proof')).toBe('try');
    expect(stepAfterSkip('add', 'place')).toBeNull();
  });
});
