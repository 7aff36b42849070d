import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { NoteSummary } from '../backend/bindings';
import { NoteHistory } from './history.svelte';
import { NoteLibrary, SEARCH_DELAY_MS } from './library.svelte';
import { Preview } from './preview.svelte';

const summary = (path: string): NoteSummary => ({
  path,
  title: path,
  excerpt: '',
  author: 'user',
  session_id: null,
  updated_at: 0,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the list of notes', () => {
  test('asks once when typing in the search rests', async () => {
    const backend = answering({ list_notes: (args) => [summary(args.query)] });
    const library = new NoteLibrary(backend);
    library.search('会');
    library.search('会议 ');
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    expect(backend.asked).toEqual([{ name: 'list_notes', args: { query: '会议' } }]);
    expect(library.notes.map((note) => note.path)).toEqual(['会议']);
  });

  test('drops a slow answer to an earlier question', async () => {
    const waiting: ((notes: NoteSummary[]) => void)[] = [];
    const library = new NoteLibrary(
      answering({ list_notes: () => new Promise<NoteSummary[]>((resolve) => waiting.push(resolve)) }),
    );
    const first = library.load();
    const second = library.load();
    await Promise.resolve();
    waiting[1]?.([summary('new')]);
    waiting[0]?.([summary('old')]);
    await Promise.all([first, second]);
    expect(library.notes.map((note) => note.path)).toEqual(['new']);
  });

  test('keeps what it has when a question fails', async () => {
    let broken = false;
    const library = new NoteLibrary(
      answering({
        list_notes: () => {
          if (broken) throw failure('storage', 'no folder');
          return [summary('a')];
        },
      }),
    );
    await library.load();
    broken = true;
    await library.load();
    expect(library.notes).toHaveLength(1);
    expect(library.error?.message).toBe('no folder');
  });

  test('names the neighbour to go to when a note is deleted', async () => {
    const library = new NoteLibrary(answering({ list_notes: () => ['a', 'b', 'c'].map(summary) }));
    await library.load();
    expect(library.neighbour('a')).toBe('b');
    expect(library.neighbour('c')).toBe('b');
    expect(library.neighbour('x')).toBeNull();
  });
});

test('the history forgets what was looked at when another note is opened', async () => {
  const version = { version: 'v1', author: 'agent', saved_at: 1, size: 3 } as const;
  const history = new NoteHistory(
    answering({ list_note_versions: () => [version], read_note_version: () => 'old' }),
  );
  await history.load('a.md');
  await history.show(version);
  expect(history.shown?.text).toBe('old');
  await history.load('b.md');
  expect(history.shown).toBeNull();
});

test('the preview renders the latest text last and skips those between', async () => {
  const backend = answering({ render_markdown: (args) => [{ html: args.text, settled: true }] });
  const preview = new Preview(backend);
  const first = preview.render('a');
  void preview.render('b');
  void preview.render('c');
  await first;
  expect(preview.blocks.map((block) => block.html)).toEqual(['c']);
  expect(backend.asked).toHaveLength(2);
});

test('a preview that fails keeps the earlier one and says that it is old', async () => {
  let broken = false;
  const preview = new Preview(
    answering({
      render_markdown: (args) => {
        if (broken) throw failure('internal');
        return [{ html: args.text, settled: true }];
      },
    }),
  );
  await preview.render('a');
  broken = true;
  await preview.render('b');
  expect(preview.blocks[0]?.html).toBe('a');
  expect(preview.stale).toBe(true);
});
