import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { Trace, TraceLine } from '../backend/bindings';
import { SEARCH_DELAY_MS, Traces } from './traces.svelte';

function line(turn_id: string): TraceLine {
  return { turn_id, session_id: 's', title: turn_id, model: null, started_at: 0, duration_ms: 10, spans: 0, tokens: 0, cost: null, state: 'finished' };
}
const trace = (turn: string): Trace => ({ line: line(turn), spans: [] });

describe('the traces', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are searched once typing rests', async () => {
    const backend = answering({ list_traces: ({ query }) => [line(query)] });
    const traces = new Traces(backend);
    traces.search('a');
    traces.search(' ab ');
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    expect(backend.asked.map(({ args }) => args)).toEqual([{ query: 'ab', limit: 200 }]);
    expect(traces.lines.map(({ title }) => title)).toEqual(['ab']);
  });

  it('show the one asked for last, whichever answer comes last', async () => {
    let answer: (trace: Trace) => void = () => undefined;
    const slow = new Promise<Trace>((resolve) => (answer = resolve));
    const traces = new Traces(answering({ read_trace: ({ turn_id }) => (turn_id === 'slow' ? slow : trace(turn_id)) }));
    const first = traces.show('slow');
    await traces.show('quick');
    answer(trace('slow'));
    await first;
    expect(traces.open?.line.turn_id).toBe('quick');
  });

  it('say what went wrong and keep what they have', async () => {
    const traces = new Traces(
      answering({
        read_trace: ({ turn_id }) => trace(turn_id),
        export_trace: () => {
          throw failure('storage');
        },
      }),
    );
    await traces.show('t');
    expect(await traces.exported()).toBeNull();
    expect(traces.error?.code).toBe('storage');
    expect(traces.open?.line.turn_id).toBe('t');
    await traces.load();
    expect(traces.error?.code).toBe('internal');
    expect(traces.loading).toBe(false);
  });

  it('are exported only when one is open', async () => {
    const traces = new Traces(answering({ read_trace: ({ turn_id }) => trace(turn_id), export_trace: () => ({ a: 1 }) }));
    expect(await traces.exported()).toBeNull();
    await traces.show('t');
    expect(await traces.exported()).toBe('{\n  "a": 1\n}');
  });
});
