import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dressCode, linesOf } from './code';

function block(text: string): HTMLElement {
  const pre = document.createElement('pre');
  pre.dataset.language = '';
  const code = document.createElement('code');
  code.textContent = text;
  pre.append(code);
  document.body.append(pre);
  return pre;
}

describe('a code block', () => {
  beforeEach(() => document.body.replaceChildren());

  it('copies its text, and nothing of its head', () => {
    const copy = vi.fn();
    const pre = block('let x\n');
    dressCode(pre, copy);
    [...pre.querySelectorAll('button')].at(-1)?.click();
    expect(copy).toHaveBeenCalledWith('let x\n');
  });

  it('wraps and unwraps', () => {
    const pre = block('x');
    dressCode(pre, vi.fn());
    const wrap = pre.querySelector('button');
    wrap?.click();
    expect(pre.classList.contains('wrapped')).toBe(true);
    expect(wrap?.getAttribute('aria-pressed')).toBe('true');
  });

  it.each([
    [24, false],
    [25, true],
  ])('of %i lines is folded: %s', (count, folded) => {
    const pre = block('x\n'.repeat(count));
    dressCode(pre, vi.fn());
    expect(pre.classList.contains('folded')).toBe(folded);
  });

  it('stays open once unfolded, though it is dressed again', () => {
    const pre = block('x\n'.repeat(30));
    const undo = dressCode(pre, vi.fn());
    pre.querySelector<HTMLElement>('.unfold')?.click();
    undo();
    dressCode(pre, vi.fn());
    expect(pre.classList.contains('folded')).toBe(false);
    expect(pre.querySelectorAll('.code-head').length).toBe(1);
  });

  it.each([['', 1], ['a', 1], ['a\n', 1], ['a\nb', 2], ['a\n\n', 2]])('has lines: %j', (text, count) => {
    expect(linesOf(text)).toBe(count);
  });
});
