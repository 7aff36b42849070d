import { describe, expect, it } from 'vitest';
import { Panels } from './panels.svelte';

function memory(kept: string | null = null) {
  let value = kept;
  return { getItem: () => value, setItem: (_key: string, next: string) => void (value = next) };
}

describe('the note beside a session', () => {
  it('belongs to that session and is remembered', () => {
    const kept = memory();
    const panels = new Panels(kept);
    expect(panels.noteOf('a')).toBeNull();
    expect(panels.noteOf(null)).toBeNull();
    panels.open('a', '周会.md');
    panels.open('b', 'trip.md');
    panels.open('a', 'plan.md');
    const later = new Panels(kept);
    expect([later.noteOf('a'), later.noteOf('b')]).toEqual(['plan.md', 'trip.md']);
  });

  it('is gone once closed', () => {
    const kept = memory();
    const panels = new Panels(kept);
    panels.open('a', 'plan.md');
    panels.close('a');
    panels.close('never opened');
    expect(new Panels(kept).noteOf('a')).toBeNull();
  });

  it('is forgotten for the sessions longest ago', () => {
    const panels = new Panels(memory());
    for (let count = 0; count < 120; count += 1) panels.open(`s${count}`, 'plan.md');
    expect([panels.noteOf('s0'), panels.noteOf('s119')]).toEqual([null, 'plan.md']);
  });

  it.each(['', '{}', '[1, ["a"], ["a", 2]]', '[["a'])('is none after reading %j', (kept) => {
    expect(new Panels(memory(kept)).noteOf('a')).toBeNull();
  });
});
