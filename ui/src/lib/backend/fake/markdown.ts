// Enough Markdown for the fake backend. The real renderer is the core's.

import type { Block } from '../bindings';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

function inline(text: string): string {
  return escape(text)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/`(.+?)`/g, '<code>$1</code>');
}

function block(source: string): string {
  const heading = /^(#{1,6}) (.*)$/.exec(source);
  if (heading) return `<h${heading[1]?.length}>${inline(heading[2] ?? '')}</h${heading[1]?.length}>`;
  const fence = /^```(\w*)\n([\s\S]*?)\n?```$/.exec(source);
  if (fence) return `<pre data-language="${fence[1]}"><code>${escape(fence[2] ?? '')}\n</code></pre>`;
  const lines = source.split('\n');
  if (lines.every((line) => /^[-*] /.test(line))) {
    return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join('')}</ul>`;
  }
  return `<p>${inline(source)}</p>`;
}

/** Headings, lists, fenced code and paragraphs, one block each. */
export function renderPlainly(text: string): Block[] {
  const sources = text.trim().split(/\n{2,}(?=(?:[^`]|`(?!``))*(?:```[\s\S]*?```(?:[^`]|`(?!``))*)*$)/);
  return sources.filter((source) => source !== '').map((source) => ({ html: block(source), settled: true }));
}
