import { describe, expect, it } from 'vitest';
import { attachmentOf } from '../attachment/attachment.fixture';
import type { ItemContent, ItemView } from '../backend/bindings';
import { partsOf } from './part';
import { itemOf, turnOf, userItem } from './turn.fixture';

const done = (item: ReturnType<typeof itemOf>): ItemView => ({ ...item, finished_at: 1, blocks: [] });
const call = (id: string, name: string, is_error = false) =>
  done(itemOf(id, { kind: 'tool_call', call: { id, name, arguments: {} }, result: { text: '', is_error }, round: 1 }));
const kinds = (items: ItemView[], state: 'running' | 'finished' = 'finished') =>
  partsOf({ ...turnOf('t', state), items: [done(userItem), ...items] }).map(({ kind }) => kind);

describe('the parts of a turn', () => {
  it('give the user’s words with the files that came with them', () => {
    const attachments = [attachmentOf('a')];
    const items = [done(itemOf('u', { kind: 'user_text', text: '', attachments })), done(userItem)];
    expect(partsOf({ ...turnOf('t'), items })).toEqual([
      { kind: 'user', id: 'u', text: '', attachments },
      { kind: 'user', id: 'u', text: 'hello', attachments: [] },
    ]);
  });

  const quiet = ['a', 'b', 'c'].map((id) => call(id, 'read_note'));

  it('fold three quiet steps into one', () => {
    expect(kinds(quiet)).toEqual(['user', 'steps']);
  });

  it.each([
    ['two steps', quiet.slice(0, 2), 2],
    ['a saved note between them', [quiet[0]!, call('s', 'save_note'), quiet[1]!], 3],
    ['a failed step between them', [quiet[0]!, call('f', 'read_note', true), quiet[1]!], 3],
  ])('show %s one by one', (_, items, count) => {
    expect(kinds(items)).toEqual(['user', ...Array<string>(count).fill('step')]);
  });

  it('stay as they are while the turn runs', () => {
    expect(kinds(quiet, 'running')).toEqual(['user', 'step', 'step', 'step']);
  });

  it('show a notice where it came, between the steps', () => {
    const notice = done(itemOf('n', { kind: 'notice', notice: { about: 'tools_left_out' } }));
    expect(kinds([quiet[0]!, notice, quiet[1]!])).toEqual(['user', 'step', 'notice', 'step']);
  });

  it.each(['running', 'finished'] as const)('pass over what this page does not know, %s', (state) => {
    const unknown = done(itemOf('x', { kind: 'of a later version' } as unknown as ItemContent));
    expect(kinds([unknown, quiet[0]!], state)).toEqual(['user', 'step']);
  });

  it('keep the order of words and steps', () => {
    const words = done(itemOf('w', { kind: 'model_text', text: 'so' }));
    expect(kinds([...quiet, words, call('s', 'save_note')])).toEqual(['user', 'steps', 'answer', 'step']);
  });
});
