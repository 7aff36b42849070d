import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bringsFiles, refuseDrop } from './drop';

/** A drag over an element of the page that brings these kinds of data. */
function dragOver(target: Element, types: string[], before?: (event: Event) => void) {
  const event = new Event('dragover', { bubbles: true, cancelable: true });
  const dataTransfer = { types, dropEffect: 'copy' };
  Object.assign(event, { dataTransfer });
  if (before !== undefined) target.addEventListener('dragover', before);
  target.dispatchEvent(event);
  return { refused: event.defaultPrevented, effect: dataTransfer.dropEffect, event: event as DragEvent };
}

function page(html: string): Element {
  document.body.innerHTML = html;
  return document.querySelector('[data-target]') ?? document.body;
}

beforeEach(() => document.addEventListener('dragover', refuseDrop as (event: Event) => void));
afterEach(() => document.removeEventListener('dragover', refuseDrop as (event: Event) => void));

describe('a drop', () => {
  it.each([
    ['a file on the page', '<p data-target></p>', ['Files'], true],
    ['a link on the page', '<p data-target></p>', ['text/uri-list'], true],
    ['words on the page', '<p data-target></p>', ['text/plain'], true],
    ['words on a field', '<textarea data-target></textarea>', ['text/plain'], false],
    ['a link on a field', '<textarea data-target></textarea>', ['text/uri-list', 'text/plain'], false],
    ['words on a search field', '<input type="search" data-target />', ['text/plain'], false],
    ['words in an editor', '<div contenteditable="true"><p data-target></p></div>', ['text/plain'], false],
    ['words in a locked editor', '<div contenteditable="false"><p data-target></p></div>', ['text/plain'], true],
    ['a link on a tick box', '<input type="checkbox" data-target />', ['text/uri-list'], true],
    ['a link on a locked field', '<textarea readonly data-target></textarea>', ['text/uri-list'], true],
    ['a link on a field out of use', '<input type="text" disabled data-target />', ['text/uri-list'], true],
    ['a file on a field', '<textarea data-target></textarea>', ['Files'], true],
    ['a file with its address in an editor', '<div contenteditable="true" data-target></div>', ['text/uri-list', 'Files'], true],
  ])('of %s is refused: %4$s', (_, html, types, refused) => {
    const drag = dragOver(page(html), types);
    expect(drag.refused).toBe(refused);
    expect(drag.effect).toBe(refused ? 'none' : 'copy');
  });

  it('that somebody takes stays as it is', () => {
    const drag = dragOver(page('<p data-target></p>'), ['Files'], (event) => event.preventDefault());
    expect(drag.effect).toBe('copy');
  });

  it('brings files if it says so', () => {
    expect(bringsFiles(dragOver(page(''), ['Files']).event)).toBe(true);
    expect(bringsFiles(dragOver(page(''), ['text/plain']).event)).toBe(false);
    expect(bringsFiles(new Event('dragover') as DragEvent)).toBe(false);
  });
});
