// What was typed in a note and not yet saved, kept beside the notes until it is. A crash or a
// closed window loses nothing; a draft goes when its text is saved or thrown away on purpose.

/** A text that belongs to a note but is not in its file. */
export type Draft = {
  text: string;
  /** The version of the note the edit began from. */
  version: string;
};

/** The part of the browser's storage that drafts need. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'note-draft:';

export class Drafts {
  #storage: DraftStorage;

  constructor(storage: DraftStorage) {
    this.#storage = storage;
  }

  read(path: string): Draft | null {
    const raw = this.#storage.getItem(PREFIX + path);
    return raw === null ? null : parse(raw);
  }

  /** Keep a draft. False if there was no room: the text is then only in the window. */
  keep(path: string, draft: Draft): boolean {
    try {
      this.#storage.setItem(PREFIX + path, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  forget(path: string): void {
    this.#storage.removeItem(PREFIX + path);
  }

  /** The note has another name now. */
  move(from: string, to: string): void {
    const raw = this.#storage.getItem(PREFIX + from);
    if (raw === null) return;
    this.#storage.setItem(PREFIX + to, raw);
    this.forget(from);
  }
}

/** Storage can hold anything, an older form included; what is no draft counts as none. */
function parse(raw: string): Draft | null {
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'object' || value === null) return null;
    const { text, version } = value as Partial<Record<keyof Draft, unknown>>;
    return typeof text === 'string' && typeof version === 'string' ? { text, version } : null;
  } catch {
    return null;
  }
}
