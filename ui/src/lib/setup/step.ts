// The steps of the guide and the ways through them: pure rules, no state. The guide asks here.

/** A step of the guide, in the order they come. */
export type Step = 'look' | 'place' | 'key' | 'proof' | 'try';

/** How the guide was entered. From the settings it neither asks for the look nor ends in a try. */
export type Entry = 'first_run' | 'add' | 'edit' | 'check';

/** The steps an entry has, in order. */
export function stepsOf(entry: Entry): readonly Step[] {
  switch (entry) {
    case 'first_run':
      return ['look', 'place', 'key', 'proof', 'try'];
    case 'add':
      return ['place', 'key', 'proof'];
    case 'edit':
    case 'check':
      return ['key', 'proof'];
  }
}

/** Where an entry begins. */
export function firstStep(entry: Entry): Step {
  switch (entry) {
    case 'first_run':
      return 'look';
    case 'add':
      return 'place';
    case 'edit':
      return 'key';
    case 'check':
      return 'proof';
  }
}

/** Where "continue" leads; null: the guide is over. A service without a key has no key step. */
export function stepAfter(entry: Entry, step: Step, needsKey: boolean): Step | null {
  return neighbour(entry, step, needsKey, 1);
}

/** Where "back" leads; null: there is nothing before. */
export function stepBefore(entry: Entry, step: Step, needsKey: boolean): Step | null {
  return neighbour(entry, step, needsKey, -1);
}

/**
 * Where "skip" leads; null: out of the guide. Without a chosen service there is nothing to prove
 * or try, so skipping the choice leaves the guide; a proof may be skipped into the try.
 */
export function stepAfterSkip(entry: Entry, step: Step): Step | null {
  if (entry !== 'first_run') return null;
  if (step === 'look') return 'place';
  return step === 'proof' ? 'try' : null;
}

function neighbour(entry: Entry, step: Step, needsKey: boolean, by: 1 | -1): Step | null {
  const steps = stepsOf(entry).filter((each) => each !== 'key' || needsKey || step === 'key');
  return steps[steps.indexOf(step) + by] ?? null;
}
