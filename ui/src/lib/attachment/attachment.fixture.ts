// Files for the tests of this folder and those beside it.

import type { Attachment } from '../backend/bindings';

export function attachmentOf(id: string, media_type = 'image/png'): Attachment {
  return { id, name: `${id}.png`, media_type, size: 3 };
}

/** A file as the page gets it from a person. */
export function fileOf(name: string, content = 'abc', type = ''): File {
  return new File([content], name, { type });
}
