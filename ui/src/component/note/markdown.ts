// How Markdown looks in the editor: CodeMirror's parts put together once, coloured by our tokens.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const highlight = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600', color: 'var(--text)' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, fontFamily: 'var(--font-mono)', fontSize: '0.92em' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta], color: 'var(--muted)' },
  { tag: tags.quote, color: 'var(--muted)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent', fontSize: 'var(--size-reading)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font)', lineHeight: 'var(--line-reading)', overflow: 'auto' },
  '.cm-content': { padding: '20px 0 40vh', caretColor: 'var(--accent)', maxWidth: '76ch', margin: '0 auto' },
  '.cm-line': { padding: '0 24px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--selection)' },
});

/** Everything a Markdown editor or comparison shows text with. */
export const appearance: Extension = [
  theme,
  EditorView.lineWrapping,
  markdown({ base: markdownLanguage }),
  syntaxHighlighting(highlight),
];

/** What an editor adds to it: undo and the usual keys. Tab stays with the page, to leave the text. */
export const editing: Extension = [history(), keymap.of([...defaultKeymap, ...historyKeymap])];

/** The line ending a text uses, so that an edit gives back the file's own. */
export function lineEnding(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/**
 * The smallest single change that turns one text into another. Put into the editor it leaves the
 * cursor, the selection and the scroll where they were, as far as their text is still there.
 */
export function smallestChange(from: string, to: string): { from: number; to: number; insert: string } | null {
  if (from === to) return null;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}
