// The sessions: the list, which one is open, and what can be done with one.

import type { ApiError, SessionLine } from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError, failureText } from '../backend/failure';
import { t } from '../language/language.svelte';
import type { Toasts } from '../toast/context';

/** Where the open session is remembered. */
const OPEN_KEY = 'talaria.session';

export class Sessions {
  lines = $state.raw<SessionLine[]>([]);
  archived = $state.raw<SessionLine[]>([]);
  /** The open session's id; null until there is one. */
  current = $state<string | null>(null);
  /** Whether the first answer is still on its way. */
  loading = $state(true);
  /** Why the list could not be read. */
  error = $state<ApiError | null>(null);

  /** The open session's line. */
  readonly open: SessionLine | null = $derived(this.find(this.current));

  #backend: Backend;
  #toasts: Toasts;
  #memory: Pick<Storage, 'getItem' | 'setItem'>;
  /** The reading that runs, and whether another must follow it. */
  #reading: Promise<void> | null = null;
  #stale = false;
  /** The open session while it is being put away: where to go then is already known. */
  #leaving: string | null = null;

  constructor(backend: Backend, toasts: Toasts, memory: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#backend = backend;
    this.#toasts = toasts;
    this.#memory = memory;
  }

  /** Opens the session that was open last, else the latest, else a new one. The list must be read. */
  async begin(): Promise<void> {
    if (this.error !== null || this.current !== null) return;
    const last = this.find(this.#memory.getItem(OPEN_KEY)) ?? this.lines[0];
    if (last === undefined) await this.create();
    else this.show(last.id);
  }

  /** Follows what changes elsewhere; returns how to stop. */
  follow(): () => void {
    return this.#backend.onChange((change) => {
      if (['sessions', 'session', 'questions'].includes(change.changed)) void this.load().then(() => this.#settle());
    });
  }

  /** Reads both lists. Changes that come in a burst cost two readings, not one each. */
  load(): Promise<void> {
    if (this.#reading !== null) {
      this.#stale = true;
      return this.#reading;
    }
    this.#reading = this.#read().finally(() => (this.#reading = null));
    return this.#reading;
  }

  find(id: string | null): SessionLine | null {
    const is = (line: SessionLine) => line.id === id;
    return this.lines.find(is) ?? this.archived.find(is) ?? null;
  }

  show(id: string): void {
    this.current = id;
    this.#memory.setItem(OPEN_KEY, id);
  }

  /** Opens a new session. One in which nothing was said, typed or attached yet serves again. */
  async create(): Promise<string | null> {
    return this.#attempt(async () => {
      const unused = await this.#unused();
      const id = unused ?? (await this.#backend.call('create_session', {})).session.id;
      if (unused === null) await this.load();
      this.show(id);
      return id;
    });
  }

  async rename(line: SessionLine, title: string): Promise<void> {
    if (title.trim() === line.title) return;
    await this.#change(() => this.#backend.call('rename_session', { session_id: line.id, title: title.trim() }));
  }

  async pin(line: SessionLine, pinned: boolean): Promise<void> {
    await this.#change(() => this.#backend.call('pin_session', { session_id: line.id, pinned }));
  }

  async archive(line: SessionLine, archived: boolean): Promise<void> {
    const put = (away: boolean) => this.#backend.call('archive_session', { session_id: line.id, archived: away });
    if (!archived) {
      await this.#change(() => put(false));
      return;
    }
    if (!(await this.#leave(line, () => put(true)))) return;
    this.#offerUndo(t('session.was_archived', { title: titleOf(line) }), line, () => put(false));
  }

  async remove(line: SessionLine): Promise<void> {
    const id = { session_id: line.id };
    if (!(await this.#leave(line, () => this.#backend.call('delete_session', id)))) return;
    this.#offerUndo(t('session.deleted', { title: titleOf(line) }), line, () =>
      this.#backend.call('restore_session', id),
    );
  }

  async clear(line: SessionLine): Promise<void> {
    const id = { session_id: line.id };
    if (!(await this.#change(() => this.#backend.call('clear_session', id)))) return;
    this.#offerUndo(t('session.cleared', { title: titleOf(line) }), line, () =>
      this.#backend.call('restore_turns', id),
    );
  }

  async #read(): Promise<void> {
    do {
      this.#stale = false;
      try {
        const list = (archived: boolean) => this.#backend.call('list_sessions', { archived });
        [this.lines, this.archived] = await Promise.all([list(false), list(true)]);
        this.error = null;
      } catch (error) {
        this.error = asApiError(error);
      }
    } while (this.#stale);
    this.loading = false;
  }

  async #unused(): Promise<string | null> {
    const blank = this.lines.find(isBlank);
    if (blank === undefined) return null;
    const { draft, draft_attachments } = await this.#backend.call('open_session', { session_id: blank.id });
    return draft === '' && draft_attachments.length === 0 ? blank.id : null;
  }

  /** Where to go when this one leaves the list: the one after it, else the one before. */
  #next(line: SessionLine): string | null {
    const at = this.lines.findIndex(({ id }) => id === line.id);
    return (this.lines[at + 1] ?? this.lines[at - 1])?.id ?? null;
  }

  /** Puts a session away. If it was the open one, the one beside it opens. */
  async #leave(line: SessionLine, put: () => Promise<null>): Promise<boolean> {
    const next = this.#next(line);
    this.#leaving = line.id;
    const done = await this.#change(put);
    if (done && this.current === line.id) {
      if (next !== null) this.show(next);
      else await this.create();
    }
    this.#leaving = null;
    return done;
  }

  /** The open session is gone, put away elsewhere: another opens. */
  async #settle(): Promise<void> {
    if (this.current === null || this.current === this.#leaving || this.open !== null) return;
    this.current = null;
    await this.begin();
  }

  #offerUndo(text: string, line: SessionLine, undo: () => Promise<null>): void {
    const run = async () => {
      if (await this.#change(undo)) this.show(line.id);
    };
    this.#toasts.show({ text, action: { text: t('shared.undo'), run: () => void run() } });
  }

  async #change(work: () => Promise<null>): Promise<boolean> {
    const done = await this.#attempt(() => work().then(() => true));
    if (done !== null) await this.load();
    return done !== null;
  }

  /** Null if it failed, which has then been said. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.#toasts.show({ text: failureText(asApiError(error)) });
      return null;
    }
  }
}

/** A session's title, or what an untitled one is called. */
export function titleOf(line: Pick<SessionLine, 'title'>): string {
  return line.title.trim() === '' ? t('session.untitled') : line.title;
}

function isBlank(line: SessionLine): boolean {
  return line.title === '' && line.last_words === '' && line.running === null;
}
