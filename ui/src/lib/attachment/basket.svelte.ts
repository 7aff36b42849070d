// The files that wait beside what is typed: taken in by the core one after the other, or refused.

import type { Backend } from '../backend/backend';
import type { ApiError, Attachment } from '../backend/bindings';
import { asApiError } from '../backend/failure';
import { t } from '../language/language.svelte';

/** The core takes no larger file, in megabytes; what is larger is not even read. */
export const LARGEST = 20;

/** Why a file is not taken. */
export type Refusal = { why: 'empty' | 'too_large' | 'unreadable' } | { why: 'failed'; error: ApiError };

export type Waiting = { key: number; name: string } & (
  | { state: 'busy' }
  | { state: 'kept'; attachment: Attachment }
  | { state: 'refused'; refusal: Refusal }
);

/** A file that does not even reach the core. */
class NotHanded extends Error {
  readonly why: 'empty' | 'too_large' | 'unreadable';

  constructor(why: 'empty' | 'too_large' | 'unreadable') {
    super(why);
    this.why = why;
  }
}

export class Basket {
  waiting = $state.raw<Waiting[]>([]);
  /** Whether a file is still on its way. */
  readonly busy: boolean = $derived(this.waiting.some(({ state }) => state === 'busy'));
  /** The files that are ready to be sent. */
  readonly kept: Attachment[] = $derived(this.waiting.flatMap((each) => (each.state === 'kept' ? [each.attachment] : [])));

  #backend: Backend;
  /** Called when other files are ready than before. */
  #changed: () => void;
  #next = 1;
  /** The last file on its way; large ones must not be held in memory all at once. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(backend: Backend, changed: () => void) {
    this.#backend = backend;
    this.#changed = changed;
  }

  /** Takes these files in. */
  async add(files: File[]): Promise<void> {
    await Promise.all(files.map((file) => this.#take(file.name, () => this.#hand(file))));
  }

  /** Takes in the picture on the system's clipboard, if there is one. */
  async paste(): Promise<void> {
    await this.#take(t('attachment.pasted'), () => this.#backend.call('paste_image', {}));
  }

  /** Takes one away, whatever its state. */
  remove(key: number): void {
    this.#become(key, null);
  }

  /** Empties it; gives what was ready. */
  take(): Attachment[] {
    const taken = this.kept;
    this.waiting = this.waiting.filter(({ state }) => state === 'busy');
    return taken;
  }

  /** Puts files that are already taken in before the others. */
  put(attachments: Attachment[]): void {
    const put = attachments.map((attachment) => ({
      key: this.#next++,
      name: attachment.name,
      state: 'kept' as const,
      attachment,
    }));
    this.waiting = [...put, ...this.waiting];
  }

  async #take(name: string, ask: () => Promise<Attachment | null>): Promise<void> {
    const key = this.#next++;
    this.waiting = [...this.waiting, { key, name, state: 'busy' }];
    const turn = this.#last.then(async () => {
      // It may have been removed while it waited for its turn.
      if (this.waiting.some((each) => each.key === key)) this.#become(key, await this.#outcome(key, name, ask));
    });
    this.#last = turn;
    await turn;
  }

  async #outcome(key: number, name: string, ask: () => Promise<Attachment | null>): Promise<Waiting | null> {
    try {
      const attachment = await ask();
      return attachment === null ? null : { key, name: attachment.name, state: 'kept', attachment };
    } catch (thrown) {
      return { key, name, state: 'refused', refusal: refusalOf(thrown) };
    }
  }

  async #hand(file: File): Promise<Attachment> {
    if (file.size > LARGEST * 1024 * 1024) throw new NotHanded('too_large');
    const data = await base64Of(file);
    if (data === '') throw new NotHanded('empty');
    return this.#backend.call('add_attachment', { name: file.name, data });
  }

  #become(key: number, next: Waiting | null): void {
    const before = this.kept.length;
    this.waiting = this.waiting.flatMap((each) => (each.key !== key ? [each] : next === null ? [] : [next]));
    if (this.kept.length !== before) this.#changed();
  }
}

function refusalOf(thrown: unknown): Refusal {
  return thrown instanceof NotHanded ? { why: thrown.why } : { why: 'failed', error: asApiError(thrown) };
}

/** The file's bytes. A folder looks like a file, but has none. */
function base64Of(file: File): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => failed(new NotHanded('unreadable'));
    reader.readAsDataURL(file);
  });
}
