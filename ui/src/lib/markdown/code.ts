// A finished code block: its language, copy, wrap, and a fold where it is long.

import { t } from '../language/language.svelte';
import { highlight } from './highlight';

/** A block with more lines is folded. */
const FOLD = 24;

export type Copy = (text: string) => void;

function button(words: string, press: (button: HTMLButtonElement) => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = words;
  made.onclick = () => press(made);
  return made;
}

/** How many lines a text has; a line break at its end begins none. */
export function linesOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

/** Dresses one block; returns how to take it back. */
export function dressCode(pre: HTMLElement, copy: Copy): () => void {
  const code = pre.querySelector('code') ?? pre;
  const language = pre.dataset.language ?? '';
  const head = document.createElement('div');
  head.className = 'code-head';
  const name = document.createElement('span');
  name.textContent = language === '' ? t('markdown.plain') : language;
  const wrap = button(t('markdown.wrap'), (pressed) => {
    pressed.setAttribute('aria-pressed', String(pre.classList.toggle('wrapped')));
  });
  wrap.setAttribute('aria-pressed', String(pre.classList.contains('wrapped')));
  head.append(name, wrap, button(t('markdown.copy'), () => copy(code.textContent)));
  pre.append(head);
  code.tabIndex = 0;

  const count = linesOf(code.textContent);
  const unfold = button(t('markdown.all', { count }), (pressed) => {
    pre.classList.remove('folded');
    pre.dataset.unfolded = '';
    pressed.remove();
    code.focus();
  });
  unfold.className = 'unfold';
  if (count > FOLD && pre.dataset.unfolded === undefined) {
    pre.classList.add('folded');
    pre.append(unfold);
  }
  if (language !== '' && pre.dataset.coloured === undefined) {
    pre.dataset.coloured = '';
    // Without its colours the code reads as well.
    void highlight(code, language).catch(() => undefined);
  }
  return () => {
    head.remove();
    unfold.remove();
  };
}
