import { describe, expect, it } from 'vitest';
import { isComposing } from './keyboard';

const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init);

describe('a key press of an input method', () => {
  it.each([
    ['while composing', { key: 'Enter', isComposing: true }],
    ["WebKit's confirming Enter", { key: 'Enter', keyCode: 229 }],
    ["Firefox's and older Windows' name", { key: 'Process' }],
  ])('is known %s', (_name, init) => {
    expect(isComposing(press(init))).toBe(true);
  });

  it('is not any other Enter', () => {
    expect(isComposing(press({ key: 'Enter', keyCode: 13 }))).toBe(false);
  });
});
