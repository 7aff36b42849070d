// The fake backend's traces of turns.

import type { Commands, Span, SpanContent, Trace, Usage } from '../bindings';
import { fault } from './fault';

type Args<K extends keyof Commands> = Commands[K]['arguments'];

const MODEL = { service: 'deepseek', model: 'deepseek-chat' };
const USAGE: Usage = { input_tokens: 2_150, cached_tokens: 1_800, cache_written_tokens: 0, output_tokens: 96 };

function traceOf(turn_id: string, title: string, began: number, contents: [number, number, SpanContent][]): Trace {
  const session_id = `s-${turn_id}`;
  const spans: Span[] = contents.map(([from, to, content], at) => ({
    id: `${turn_id}-${at}`,
    parent: at === 0 ? null : `${turn_id}-0`,
    turn_id,
    session_id,
    started_at: began + from,
    ended_at: began + to,
    content,
  }));
  const duration_ms = contents[0]?.[1] ?? 0;
  const line = { turn_id, session_id, title, model: MODEL, started_at: began, duration_ms, spans: spans.length, tokens: 2_246, cost: null, state: 'finished' as const };
  return { line, spans };
}

function usual(): Trace[] {
  const now = Date.now();
  return [
    traceOf('t-bed', '番茄种在哪里', now - 3_600_000, [
      [0, 4_200, { kind: 'turn', model: MODEL, state: 'finished', usage: USAGE, finish: 'stop', failure: null }],
      [0, 1_900, { kind: 'request', request: { model: MODEL, messages: 4, tools: ['run_command'], bytes: 8_412, sha256: '9f2c', estimated_tokens: 2_100, usage: USAGE, first_piece_ms: 420, finish: 'tool_calls', calls: ['run_command'], retries: [], failure: null } }],
      [1_900, 3_400, { kind: 'permission', item_id: 'i2', tool: 'run_command', approval: { outcome: 'allowed', by: 'user' }, reason: null, end: null }],
      [3_400, 4_100, { kind: 'tool_call', item_id: 'i2', call_id: 'c1', name: 'run_command', arguments: { command: 'wc -l plan.md' }, result: 'wc: plan.md: No such file', failed: true }],
    ]),
    traceOf('t-notes', 'Notes of the week', now - 90_000_000, [
      [0, 800, { kind: 'turn', model: MODEL, state: 'finished', usage: USAGE, finish: 'stop', failure: null }],
    ]),
  ];
}

export class FakeTraces {
  #traces: Trace[];

  constructor(scene: URLSearchParams) {
    this.#traces = scene.get('traces') === 'none' ? [] : usual();
  }

  answers = {
    list_traces: ({ query, limit }: Args<'list_traces'>) =>
      this.#traces
        .map(({ line }) => line)
        .filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
        .slice(0, limit),
    read_trace: ({ turn_id }: Args<'read_trace'>) => this.#find(turn_id),
    export_trace: ({ turn_id }: Args<'export_trace'>) => ({ resourceSpans: [{ scopeSpans: this.#find(turn_id).spans }] }),
  };

  #find(turn_id: string): Trace {
    const trace = this.#traces.find(({ line }) => line.turn_id === turn_id);
    if (trace === undefined) throw fault('not_found', 'this turn has no trace');
    return trace;
  }
}
