// What a key press means before any handler looks at it.

/**
 * Whether the press belongs to an input method. Each key handler asks this first: the Enter that
 * confirms a Chinese word must never send. WebKit reports that Enter after the composition has
 * ended, so `isComposing` is false and only the key code or the key's name tells.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229 || event.key === 'Process';
}
