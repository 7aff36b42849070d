import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { Note } from '../backend/bindings';
import { DRAFT_DELAY_MS, NoteEditor } from './editor.svelte';
import { Drafts, type DraftStorage } from './draft';

/** A notes folder with one file, as the core keeps it: a save must name the version on disk. */
class Disk {
  file: Note | null = note('one', 'v1');
  saves: string[] = [];
  /** A save answers only once this is fulfilled. */
  gate: Promise<void> = Promise.resolve();
  #count = 1;

  backend = answering({
    read_note: () => this.#read(),
    save_note: async (args) => {
      const now = this.#read();
      if (args.version !== now.version) throw failure('conflict');
      this.saves.push(args.text);
      const saved = this.write(args.text);
      await this.gate;
      return saved;
    },
    create_note: (args) => (this.file = { ...note(args.text, 'new'), path: 'new.md' }),
    rename_note: (args) => (this.file = { ...this.#read(), path: `${args.title}.md`, title: args.title }),
  });

  write(text: string): Note {
    this.#count += 1;
    return (this.file = note(text, `v${this.#count}`));
  }

  #read(): Note {
    if (this.file === null) throw failure('not_found');
    return this.file;
  }
}

function note(text: string, version: string): Note {
  return { path: 'a.md', title: 'A', excerpt: '', author: 'user', session_id: null, updated_at: 0, text, version };
}

function storage(): DraftStorage & { held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => void held.set(key, value),
    removeItem: (key) => void held.delete(key),
  };
}

async function opened(disk = new Disk(), kept = storage()) {
  const editor = new NoteEditor(disk.backend, new Drafts(kept));
  await editor.open('a.md');
  return { editor, disk, kept };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('editing and saving', () => {
  test('an opened note is saved; a typed word makes it unsaved; saving makes it saved', async () => {
    const { editor, disk } = await opened();
    expect(editor.standing).toBe('saved');
    editor.edit('one two');
    expect(editor.standing).toBe('unsaved');
    await editor.save();
    expect(editor.standing).toBe('saved');
    expect(disk.saves).toEqual(['one two']);
  });

  test('typing the old text back leaves nothing to save', async () => {
    const { editor, disk } = await opened();
    editor.edit('two');
    editor.edit('one');
    await editor.save();
    expect(disk.saves).toEqual([]);
  });

  test('words typed while a save is on its way stay unsaved', async () => {
    const { editor } = await opened();
    editor.edit('two');
    const saving = editor.save();
    editor.edit('three');
    await saving;
    expect(editor.text).toBe('three');
    expect(editor.standing).toBe('unsaved');
  });

  test('a save that fails keeps the text and says why', async () => {
    const { editor, disk } = await opened();
    editor.edit('two');
    const call = disk.backend.call;
    disk.backend.call = () => Promise.reject(failure('storage', 'disk full'));
    await editor.save();
    expect(editor.error?.message).toBe('disk full');
    expect(editor.text).toBe('two');
    disk.backend.call = call;
    await editor.save();
    expect(editor.standing).toBe('saved');
  });
});

describe('drafts', () => {
  test('are kept when typing rests, and forgotten when saved', async () => {
    const { editor, kept } = await opened();
    editor.edit('two');
    expect(kept.held.size).toBe(0);
    await vi.advanceTimersByTimeAsync(DRAFT_DELAY_MS);
    expect(kept.held.size).toBe(1);
    await editor.save();
    expect(kept.held.size).toBe(0);
  });

  test('come back after the window was closed at once', async () => {
    const { editor, disk, kept } = await opened();
    editor.edit('two');
    editor.close();
    const again = await opened(disk, kept);
    expect(again.editor.text).toBe('two');
    expect(again.editor.fromDraft).toBe(true);
    expect(again.editor.standing).toBe('unsaved');
  });

  test('of a version no longer on disk are a conflict, not an overwrite', async () => {
    const { editor, disk, kept } = await opened();
    editor.edit('mine');
    editor.close();
    disk.write('theirs');
    const again = await opened(disk, kept);
    expect(again.editor.standing).toBe('conflict');
    expect(again.editor.text).toBe('mine');
    expect(again.editor.theirs?.text).toBe('theirs');
  });

  test('thrown away can be had back', async () => {
    const { editor, kept } = await opened();
    editor.edit('two');
    const mine = editor.discard();
    expect(editor.standing).toBe('saved');
    expect(kept.held.size).toBe(0);
    editor.edit(mine ?? '');
    expect(editor.text).toBe('two');
  });

  test('that find no room are reported', async () => {
    const full: DraftStorage = {
      getItem: () => null,
      setItem: () => {
        throw new Error('quota');
      },
      removeItem: () => undefined,
    };
    const editor = new NoteEditor(new Disk().backend, new Drafts(full));
    await editor.open('a.md');
    editor.edit('two');
    editor.flushDraft();
    expect(editor.draftLost).toBe(true);
  });

  test.each(['', '{', 'null', '[]', '{"text":1,"version":"v"}', '{"text":"a"}'])('stored as %j count as none', (raw) => {
    const kept = storage();
    kept.held.set('note-draft:a.md', raw);
    expect(new Drafts(kept).read('a.md')).toBeNull();
  });
});

describe('changes on disk', () => {
  test('show at once in a note without unsaved words', async () => {
    const { editor, disk } = await opened();
    disk.write('theirs');
    await editor.lookAgain();
    expect(editor.text).toBe('theirs');
    expect(editor.standing).toBe('saved');
  });

  test('under unsaved words are a conflict and change nothing', async () => {
    const { editor, disk } = await opened();
    editor.edit('mine');
    disk.write('theirs');
    await editor.lookAgain();
    expect(editor.standing).toBe('conflict');
    expect(editor.text).toBe('mine');
    expect(disk.file?.text).toBe('theirs');
  });

  test('to the very words typed here are no conflict', async () => {
    const { editor, disk } = await opened();
    editor.edit('same');
    disk.write('same');
    await editor.lookAgain();
    expect(editor.standing).toBe('saved');
  });

  test('found only when saving are a conflict, and nothing is written', async () => {
    const { editor, disk } = await opened();
    editor.edit('mine');
    disk.write('theirs');
    await editor.save();
    expect(editor.standing).toBe('conflict');
    expect(disk.file?.text).toBe('theirs');
    await editor.save();
    expect(disk.saves).toEqual([]);
  });

  test('are settled by keeping mine', async () => {
    const { editor, disk } = await opened();
    editor.edit('mine');
    disk.write('theirs');
    await editor.lookAgain();
    await editor.keepMine();
    expect(disk.file?.text).toBe('mine');
    expect(editor.standing).toBe('saved');
  });

  test('once more while mine is kept are a conflict again', async () => {
    const { editor, disk } = await opened();
    editor.edit('mine');
    disk.write('theirs');
    await editor.lookAgain();
    disk.write('theirs again');
    await editor.keepMine();
    expect(editor.standing).toBe('conflict');
    expect(editor.theirs?.text).toBe('theirs again');
    expect(editor.text).toBe('mine');
  });

  test('are settled by taking theirs, and mine can be had back', async () => {
    const { editor, disk } = await opened();
    editor.edit('mine');
    disk.write('theirs');
    await editor.lookAgain();
    const mine = editor.takeTheirs();
    expect(editor.text).toBe('theirs');
    expect(editor.standing).toBe('saved');
    editor.edit(mine ?? '');
    await editor.save();
    expect(disk.file?.text).toBe('mine');
  });

  test('made while a save is on its way are not missed', async () => {
    const { editor, disk } = await opened();
    let answer = () => {};
    disk.gate = new Promise((resolve) => (answer = resolve));
    editor.edit('mine');
    const saving = editor.save();
    await vi.advanceTimersByTimeAsync(1);
    disk.write('theirs');
    await editor.lookAgain();
    answer();
    await saving;
    expect(editor.text).toBe('theirs');
    expect(editor.standing).toBe('saved');
  });

  test('that delete the file leave the words here, to be saved as a new note', async () => {
    const { editor, disk } = await opened();
    editor.edit('mine');
    disk.file = null;
    await editor.lookAgain();
    expect(editor.standing).toBe('gone');
    expect(editor.text).toBe('mine');
    await editor.saveAsNew();
    expect(editor.note?.path).toBe('new.md');
    expect(editor.standing).toBe('saved');
  });
});

test('renaming keeps unsaved words and moves their draft', async () => {
  const { editor, kept } = await opened();
  editor.edit('two');
  await editor.rename(' B ');
  expect(editor.note?.path).toBe('B.md');
  expect(editor.text).toBe('two');
  expect([...kept.held.keys()]).toEqual(['note-draft:B.md']);
});

test('restoring an older text is itself a save', async () => {
  const { editor, disk } = await opened();
  await editor.restore('older');
  expect(disk.saves).toEqual(['older']);
  expect(editor.standing).toBe('saved');
});

test('a slow answer for a note that was left is dropped', async () => {
  const disk = new Disk();
  const waiting: (() => void)[] = [];
  disk.backend.call = ((_: string, args: { path: string }) =>
    new Promise((resolve) => waiting.push(() => resolve({ ...note(args.path, 'v'), path: args.path })))) as never;
  const editor = new NoteEditor(disk.backend, new Drafts(storage()));
  const first = editor.open('first.md');
  const second = editor.open('second.md');
  waiting[1]?.();
  waiting[0]?.();
  await Promise.all([first, second]);
  expect(editor.note?.path).toBe('second.md');
});
