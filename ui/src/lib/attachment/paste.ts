// What a paste brings: words for the field, files to attach, or nothing the page can see.

export type Pasted = { kind: 'text' } | { kind: 'files'; files: File[] } | { kind: 'unseen' };

/**
 * Sorts a paste. Office programs put a picture of the text beside the text: then the text is meant.
 * A file manager puts the file's name beside the file: then the file is.
 */
export function pastedFrom(data: Pick<DataTransfer, 'files' | 'getData'> | null): Pasted {
  const files = [...(data?.files ?? [])];
  const text = data?.getData('text/plain') ?? '';
  if (files.length === 0) return { kind: text === '' ? 'unseen' : 'text' };
  const isPictureOfText =
    text.trim() !== '' && data?.getData('text/html') !== '' && files.every(({ type }) => type.startsWith('image/'));
  return isPictureOfText ? { kind: 'text' } : { kind: 'files', files };
}
