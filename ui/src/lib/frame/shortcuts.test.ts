import { describe, expect, it } from 'vitest';
import { actionOf, keysOf, shortcuts } from './shortcuts';

const press = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init);

describe('a press', () => {
  it.each([
    ['k', 'palette'],
    ['K', 'palette'],
    ['n', 'new'],
    ['f', 'find'],
    ['b', 'sidebar'],
    ['1', 'chat'],
    ['2', 'notes'],
    ['3', 'traces'],
    [',', 'settings'],
    ['/', 'shortcuts'],
  ])('of Ctrl and %s means %s', (key, action) => {
    expect(actionOf(press({ key, ctrlKey: true }), false)).toBe(action);
    expect(actionOf(press({ key, metaKey: true }), true)).toBe(action);
  });

  it.each<[string, KeyboardEventInit]>([
    ['without Ctrl', { key: 'k' }],
    ["with the other system's key", { key: 'k', metaKey: true }],
    ['with both', { key: 'k', metaKey: true, ctrlKey: true }],
    ['with Alt, which types letters on some keyboards', { key: 'k', ctrlKey: true, altKey: true }],
    ['with Shift', { key: 'k', ctrlKey: true, shiftKey: true }],
    ['that repeats because it is held', { key: 'n', ctrlKey: true, repeat: true }],
    ['of an input method', { key: 'k', ctrlKey: true, isComposing: true }],
    ['that an input method took', { key: 'k', ctrlKey: true, keyCode: 229 }],
    ['that means nothing', { key: 'q', ctrlKey: true }],
    ["of a list's key", { key: 's', ctrlKey: true }],
  ])('%s does nothing', (_name, init) => {
    expect(actionOf(press(init), false)).toBeNull();
  });

  it('that a part of the page has answered does nothing more', () => {
    const event = press({ key: 'k', ctrlKey: true, cancelable: true });
    event.preventDefault();
    expect(actionOf(event, false)).toBeNull();
  });
});

describe('the keys', () => {
  it('are written as the keyboard has them', () => {
    expect(keysOf('palette', false)).toBe('Ctrl K');
    expect(keysOf('palette', true)).toBe('⌘ K');
  });

  it('are never given twice', () => {
    const all = shortcuts.map(({ keys }) => keys.join(' '));
    expect(new Set(all).size).toBe(all.length);
  });
});
