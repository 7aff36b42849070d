// Attached pictures as the page shows them: read from the core, and kept for a while.

import type { Backend } from '../backend/backend';
import type { Attachment } from '../backend/bindings';

/** How many characters of picture addresses are kept; those shown longest ago go first. */
const KEPT = 48_000_000;

export class Pictures {
  #backend: Backend;
  #kept = new Map<string, { address: Promise<string>; length: number }>();
  #limit: number;

  constructor(backend: Backend, limit = KEPT) {
    this.#backend = backend;
    this.#limit = limit;
  }

  /** The picture's `data:` address. One that could not be read is asked for again next time. */
  read(id: string): Promise<string> {
    const kept = this.#kept.get(id) ?? { address: this.#ask(id), length: 0 };
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    return kept.address;
  }

  async #ask(id: string): Promise<string> {
    try {
      const { attachment, data } = await this.#backend.call('read_attachment', { id });
      const address = `data:${attachment.media_type};base64,${data}`;
      this.#measure(id, address.length);
      return address;
    } catch (thrown) {
      this.#kept.delete(id);
      throw thrown;
    }
  }

  #measure(id: string, length: number): void {
    const read = this.#kept.get(id);
    if (read !== undefined) read.length = length;
    let total = [...this.#kept.values()].reduce((sum, each) => sum + each.length, 0);
    for (const [oldest, { length: freed }] of this.#kept) {
      if (total <= this.#limit) return;
      if (oldest === id) continue;
      this.#kept.delete(oldest);
      total -= freed;
    }
  }
}

/** Whether it is shown as a picture; everything else is a file with a name. */
export function isPicture({ media_type }: Attachment): boolean {
  return media_type.startsWith('image/');
}
