// One open note: what is on disk, what is typed, and what happens when the two part. Nothing typed
// is ever overwritten and no change on disk is ever lost: where both changed, the user decides.

import type { ApiError, Note } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';
import type { Drafts } from './draft';

/** How the text stands to the file. */
export type Standing =
  /** The same. */
  | 'saved'
  /** Typed, not saved. */
  | 'unsaved'
  /** Being written. */
  | 'saving'
  /** Changed here and on disk. */
  | 'conflict'
  /** Deleted on disk while it is open here. */
  | 'gone';

/** How long typing must rest before the draft is kept. */
export const DRAFT_DELAY_MS = 400;

export class NoteEditor {
  /** The note as last read or saved; the edit began from its version. */
  note = $state<Note | null>(null);
  text = $state('');
  /** What is on disk, when it changed under an edit. */
  theirs = $state<Note | null>(null);
  gone = $state(false);
  saving = $state(false);
  loading = $state(false);
  error = $state<ApiError | null>(null);
  /** Whether what is shown came from a draft kept earlier. */
  fromDraft = $state(false);
  /** Whether the last draft found no room. */
  draftLost = $state(false);

  readonly dirty: boolean = $derived(this.note !== null && this.text !== this.note.text);
  readonly standing: Standing = $derived.by(() => {
    if (this.gone) return 'gone';
    if (this.theirs !== null) return 'conflict';
    if (this.saving) return 'saving';
    return this.dirty ? 'unsaved' : 'saved';
  });

  #backend: Backend;
  #drafts: Drafts;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts openings, so that a slow answer for an earlier note is dropped. */
  #opening = 0;
  /** Whether the folder changed while a save was on its way. */
  #missed = false;

  constructor(backend: Backend, drafts: Drafts) {
    this.#backend = backend;
    this.#drafts = drafts;
  }

  /** Open a note, with its draft if one was kept. */
  async open(path: string): Promise<void> {
    this.close();
    const opening = this.#opening;
    this.loading = true;
    try {
      const note = await this.#backend.call('read_note', { path });
      if (opening !== this.#opening) return;
      this.#show(note);
    } catch (error) {
      if (opening === this.#opening) this.error = asApiError(error);
    } finally {
      if (opening === this.#opening) this.loading = false;
    }
  }

  /** Show nothing. What is typed stays in its draft. */
  close(): void {
    this.flushDraft();
    this.#opening += 1;
    this.note = null;
    this.text = '';
    this.theirs = null;
    this.gone = false;
    this.saving = false;
    this.loading = false;
    this.error = null;
    this.fromDraft = false;
  }

  /** The user typed. */
  edit(text: string): void {
    if (this.note === null || text === this.text) return;
    this.text = text;
    clearTimeout(this.#draftTimer);
    this.#draftTimer = setTimeout(() => this.flushDraft(), DRAFT_DELAY_MS);
  }

  /** Keep the draft now, or forget it when there is nothing unsaved. */
  flushDraft(): void {
    clearTimeout(this.#draftTimer);
    const note = this.note;
    if (note === null) return;
    if (this.dirty || this.theirs !== null || this.gone) {
      this.draftLost = !this.#drafts.keep(note.path, { text: this.text, version: note.version });
    } else {
      this.#drafts.forget(note.path);
    }
  }

  /** Write the text to disk. A change made there meanwhile turns into a conflict. */
  async save(): Promise<void> {
    const note = this.note;
    if (note === null || this.saving || this.theirs !== null || this.gone || !this.dirty) return;
    await this.#write(note, note.version);
  }

  /** The notes folder changed: look whether this note did. */
  async lookAgain(): Promise<void> {
    const note = this.note;
    if (note === null) return;
    if (this.saving) {
      this.#missed = true;
      return;
    }
    this.#missed = false;
    const opening = this.#opening;
    try {
      const disk = await this.#backend.call('read_note', { path: note.path });
      if (opening !== this.#opening || this.saving) return;
      this.#meet(disk);
    } catch (error) {
      const failure = asApiError(error);
      if (opening !== this.#opening) return;
      if (failure.code === 'not_found') this.#lose();
      else this.error = failure;
    }
  }

  /** Conflict: write mine. What was on disk stays in the note's history. */
  async keepMine(): Promise<void> {
    const { note, theirs } = this;
    if (note === null || theirs === null || this.saving) return;
    this.theirs = null;
    await this.#write(note, theirs.version);
  }

  /** Conflict: show what is on disk. Gives back what was typed, for an undo. */
  takeTheirs(): string | null {
    const theirs = this.theirs;
    if (theirs === null) return null;
    const mine = this.text;
    this.#adopt(theirs);
    return mine;
  }

  /** The file is gone: write the text as a new note. */
  async saveAsNew(): Promise<void> {
    const note = this.note;
    if (note === null || this.saving) return;
    const sent = this.text;
    this.saving = true;
    this.error = null;
    try {
      const made = await this.#backend.call('create_note', {
        title: note.title,
        text: sent,
        session_id: note.session_id,
      });
      this.#drafts.forget(note.path);
      this.gone = false;
      if (this.text === sent) this.#adopt(made);
      else this.note = made;
    } catch (error) {
      this.error = asApiError(error);
    } finally {
      this.saving = false;
    }
  }

  /** Throw the unsaved text away. Gives it back, for an undo. */
  discard(): string | null {
    const note = this.note;
    if (note === null || !this.dirty) return null;
    const mine = this.text;
    this.text = note.text;
    this.fromDraft = false;
    this.flushDraft();
    return mine;
  }

  /** Make an older text current again. It is saved like any edit, so it is itself a version. */
  async restore(text: string): Promise<void> {
    this.edit(text);
    await this.save();
  }

  /** Give the note another name; what is typed stays. */
  async rename(title: string): Promise<void> {
    const note = this.note;
    if (note === null || title.trim() === '') return;
    this.error = null;
    this.flushDraft();
    try {
      const renamed = await this.#backend.call('rename_note', { path: note.path, title: title.trim() });
      this.#drafts.move(note.path, renamed.path);
      // Renaming may set the heading too; only what was typed here stays over it.
      if (!this.dirty) this.text = renamed.text;
      this.note = renamed;
    } catch (error) {
      this.error = asApiError(error);
    }
  }

  async #write(note: Note, version: string): Promise<void> {
    const opening = this.#opening;
    const sent = this.text;
    this.saving = true;
    this.error = null;
    try {
      const saved = await this.#backend.call('save_note', { path: note.path, text: sent, version });
      if (opening !== this.#opening) return;
      this.note = saved;
      if (this.text === sent) this.text = saved.text;
      this.fromDraft = false;
      this.flushDraft();
    } catch (error) {
      if (opening === this.#opening) this.#refused(asApiError(error));
    } finally {
      if (opening === this.#opening) {
        this.saving = false;
        if (this.#missed) await this.lookAgain();
      }
    }
  }

  /** A conflict is no error: what is on disk is read once the save is over. */
  #refused(failure: ApiError): void {
    this.flushDraft();
    if (failure.code === 'conflict' || failure.code === 'not_found') this.#missed = true;
    else this.error = failure;
  }

  /** What was read from disk meets what is typed. */
  #meet(disk: Note): void {
    const note = this.note;
    if (note === null) return;
    this.gone = false;
    if (disk.version === note.version) {
      this.theirs = null;
    } else if (!this.dirty || disk.text === this.text) {
      this.#adopt(disk);
    } else {
      this.theirs = disk;
      this.flushDraft();
    }
  }

  #adopt(disk: Note): void {
    this.note = disk;
    this.text = disk.text;
    this.theirs = null;
    this.fromDraft = false;
    this.flushDraft();
  }

  #lose(): void {
    this.gone = true;
    this.theirs = null;
    this.flushDraft();
  }

  #show(note: Note): void {
    this.note = note;
    this.text = note.text;
    const draft = this.#drafts.read(note.path);
    if (draft === null || draft.text === note.text) return;
    this.text = draft.text;
    this.fromDraft = true;
    if (draft.version === note.version) return;
    // The draft began from a version that is no longer on disk: that is a conflict at once.
    this.note = { ...note, version: draft.version };
    this.theirs = note;
  }
}
