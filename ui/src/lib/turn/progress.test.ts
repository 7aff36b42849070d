import { describe, expect, it } from 'vitest';
import type { TurnView, WindowTurnEvent } from '../backend/bindings';
import { progressed } from './progress';
import { itemOf, turnOf, userItem, viewOf } from './turn.fixture';

const answer = itemOf('a', { kind: 'model_text', text: '' });
const usage = { input_tokens: 3, cached_tokens: 0, cache_written_tokens: 0, output_tokens: 2 };
const began: WindowTurnEvent[] = [
  { type: 'turn_started', turn: turnOf('t'), user: userItem },
  { type: 'item_started', item: answer },
];
const after = (events: WindowTurnEvent[], turns: TurnView[] = []) => events.reduce(progressed, turns);

describe('a turn in progress', () => {
  it('begins with the words of the user, after the turns before it', () => {
    const turns = after(began.slice(0, 1), [viewOf('before')]);
    expect(turns.map(({ id }) => id)).toEqual(['before', 't']);
    expect(turns[1]?.items[0]?.content).toEqual({ kind: 'user_text', text: 'hello' });
  });

  it('appends text and leaves settled blocks the very same objects', () => {
    const one = after([
      ...began,
      { type: 'text_delta', item_id: 'a', text: 'One.\n\nTw', patch: { from: 0, blocks: [{ html: '<p>One.</p>', settled: true }, { html: '<p>Tw</p>', settled: false }] } },
    ]);
    const two = after([{ type: 'text_delta', item_id: 'a', text: 'o', patch: { from: 1, blocks: [{ html: '<p>Two</p>', settled: false }] } }], one);
    expect(two[0]?.items[1]?.content).toEqual({ kind: 'model_text', text: 'One.\n\nTwo' });
    expect(two[0]?.items[1]?.blocks[0]).toBe(one[0]?.items[1]?.blocks[0]);
    expect(two[0]?.items[1]?.blocks[1]?.html).toBe('<p>Two</p>');
  });

  it('settles what is left when an item is finished', () => {
    const turns = after([
      ...began,
      { type: 'text_delta', item_id: 'a', text: 'x', patch: { from: 0, blocks: [{ html: '<p>x</p>', settled: false }] } },
      { type: 'item_finished', item: { ...answer, content: { kind: 'model_text', text: 'x' }, finished_at: 5 } },
    ]);
    expect(turns[0]?.items[1]?.blocks).toEqual([{ html: '<p>x</p>', settled: true }]);
    expect(turns[0]?.items[1]?.finished_at).toBe(5);
  });

  it('makes reasoning of an answer that turns out to be that', () => {
    const turns = after([
      ...began,
      { type: 'text_delta', item_id: 'a', text: 'hm', patch: { from: 0, blocks: [{ html: '<p>hm</p>', settled: false }] } },
      { type: 'item_finished', item: { ...answer, content: { kind: 'reasoning', text: 'hm' }, finished_at: 5 } },
    ]);
    expect(turns[0]?.items[1]?.content).toEqual({ kind: 'reasoning', text: 'hm' });
  });

  it.each([
    ['stop', 'finished'],
    ['cancelled', 'cancelled'],
  ] as const)('that ends by %s is %s', (finish, state) => {
    const turns = after([...began, { type: 'turn_finished', session_id: 's', turn_id: 't', text: '', finish, usage, tool_calls: [] }]);
    expect(turns[0]).toMatchObject({ state, finish, usage });
  });

  it('keeps what came before a failure, and says why', () => {
    const turns = after([...began, { type: 'error', session_id: 's', turn_id: 't', code: 'stream_cut', message: 'cut', usage }]);
    expect(turns[0]).toMatchObject({ state: 'failed', failure: { code: 'stream_cut', message: 'cut' }, usage });
    expect(turns[0]?.items).toHaveLength(2);
  });

  it('that is asked again takes the place of the failed one', () => {
    expect(after(began.slice(0, 1), [viewOf('t', 'failed')])).toHaveLength(1);
  });

  it('lets words turn out to be thoughts', () => {
    const item = { ...answer, content: { kind: 'reasoning', text: 'hm' } as const, finished_at: 5 };
    const turns = after([...began, { type: 'text_delta', item_id: 'a', text: 'hm' }, { type: 'item_finished', item }]);
    expect(turns[0]?.items[1]?.content).toEqual({ kind: 'reasoning', text: 'hm' });
  });

  it('is the work of the model that took over', () => {
    const to = { service: 'other', model: 'big' };
    const notice = { about: 'model_switched', from: turnOf('t').model, to, code: 'overloaded', message: '' } as const;
    const item = itemOf('n', { kind: 'notice', notice });
    const turns = after([...began, { type: 'item_started', item }, { type: 'item_finished', item: { ...item, finished_at: 1 } }]);
    expect(turns[0]?.model).toEqual(to);
  });

  it('is not changed by an event that this page does not know', () => {
    const turns = after(began);
    expect(after([{ type: 'of a later version' } as unknown as WindowTurnEvent], turns)).toBe(turns);
  });

  it('is not changed by words for an item that is not there', () => {
    const turns = after(began);
    expect(after([{ type: 'text_delta', item_id: 'gone', text: 'x' }], turns)).toEqual(turns);
  });
});
