import { describe, expect, it } from 'vitest';
import { notePath, toolText, type CallContent } from './tool';

const call = (name: string, args: unknown, text: string | null = null, is_error = false): CallContent => ({
  kind: 'tool_call',
  call: { id: '1', name, arguments: args },
  result: text === null ? null : { text, is_error },
  round: 1,
});

describe('a tool call', () => {
  it.each([
    ['save_note', { title: '周会' }, 'Saved note “周会”'],
    ['read_note', { path: 'a.md' }, 'Read note “a.md”'],
    ['search_notes', { query: 'tea' }, 'Searched notes for “tea”'],
    ['list_notes', {}, 'Listed the notes'],
    ['save_note', 'not an object', 'Used save_note'],
    ['process', { action: 'type', input: 'yes\n' }, 'Type “yes” into a command'],
    ['process', { action: 'fly' }, 'Used process'],
    ['toString', {}, 'Used toString'],
  ])('%s is said in words', (name, args, text) => expect(toolText(call(name, args))).toBe(text));

  it.each([
    [call('save_note', {}, '{"path":"周会.md"}'), '周会.md'],
    [call('read_note', {}, 'path: 茶.md\nversion: 1\n\ntext'), '茶.md'],
    [call('save_note', { path: 'a.md' }, 'saved'), 'a.md'],
    [call('save_note', { path: 'a.md' }, 'no', true), null],
    [call('save_note', { path: 'a.md' }), null],
    [call('list_notes', {}, '{"path":"a.md"}'), null],
  ])('tells its note only where there is one', (content, path) => expect(notePath(content)).toBe(path));
});
