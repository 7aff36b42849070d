import { describe, expect, it } from 'vitest';
import { effectWords, isGrave } from './effect';

describe('what an act would do', () => {
  it('tells all that a command gets', () => {
    const words = effectWords({ kind: 'command', command: 'make', folder: '/work', network: true, secrets: ['TOKEN'], sandboxed: false });
    expect(words.subject).toBe('make');
    expect(words.facts.join(' ')).toMatch(/\/work.*network.*TOKEN.*not sandboxed/);
  });

  it('shows a path or an address whole', () => {
    const path = `/${'deep/'.repeat(60)}file`;
    expect(effectWords({ kind: 'write', path }).subject).toBe(path);
    expect(effectWords({ kind: 'fetch', url: 'https://example.org/' }).subject).toBe('https://example.org/');
  });

  it('stands out where it is more than a habit of the session', () => {
    expect(isGrave({ why: 'mode' })).toBe(false);
    expect(isGrave({ why: 'dangerous', what: 'it deletes' })).toBe(true);
  });
});
