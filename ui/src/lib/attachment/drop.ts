// Dropping things on the window: files go where they are taken, words into fields, nothing else anywhere.

/** Whether the drag brings files. */
export function bringsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

/**
 * Keeps what is dragged over or dropped on the page from replacing it, as web views do with what
 * nobody takes. Words and links may still fall into a field.
 */
export function refuseDrop(event: DragEvent): void {
  if (event.defaultPrevented || (!bringsFiles(event) && takesWords(event.target))) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
}

const WORDY = ['text', 'search', 'url', 'password', 'email', 'tel'];

function takesWords(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly && !target.disabled;
  if (target instanceof HTMLInputElement) return WORDY.includes(target.type) && !target.readOnly && !target.disabled;
  return target instanceof Element && target.closest('[contenteditable]')?.getAttribute('contenteditable') === 'true';
}
