// The files of the fake backend: kept in memory as they came, told apart by their first bytes.

import type { Attachment, Commands } from '../bindings';
import { fault } from './fault';

type Args<K extends keyof Commands> = Commands[K]['arguments'];

/** How files of these kinds begin, in Base64. */
const BEGINNINGS: Record<string, string> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
  JVBERi0: 'application/pdf',
};

export class FakeAttachments {
  /** The picture on the system's clipboard, in Base64; tests put one there. */
  clipboard: string | null = null;
  /** How long a file is on its way, in milliseconds. */
  pace = 0;
  #kept = new Map<string, { attachment: Attachment; data: string }>();

  answers = {
    add_attachment: async ({ name, data }: Args<'add_attachment'>) => {
      await new Promise((done) => setTimeout(done, this.pace));
      return this.#keep(name, data);
    },
    paste_image: () => (this.clipboard === null ? null : this.#keep('clipboard.png', this.clipboard)),
    read_attachment: ({ id }: Args<'read_attachment'>) => this.#of(id),
  };

  of(id: string): Attachment {
    return this.#of(id).attachment;
  }

  #of(id: string): { attachment: Attachment; data: string } {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw fault('not_found', 'no such attachment');
    return kept;
  }

  #keep(name: string, data: string): Attachment {
    const bytes = atob(data);
    const known = Object.entries(BEGINNINGS).find(([beginning]) => data.startsWith(beginning))?.[1];
    if (known === undefined && bytes.includes('\0')) throw fault('invalid_input', `${name} is of a kind that is not taken`);
    const media_type = known ?? 'text/plain';
    const attachment = { id: `a${this.#kept.size + 1}`, name, media_type, size: bytes.length };
    this.#kept.set(attachment.id, { attachment, data });
    return attachment;
  }
}
