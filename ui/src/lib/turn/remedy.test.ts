import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../backend/bindings';
import { remediesOf } from './remedy';

describe('what can be done about a failed turn', () => {
  it.each<[ErrorCode, string]>([
    ['auth', 'services'],
    ['billing', 'services'],
    ['model_not_found', 'model'],
    ['context_overflow', 'session'],
    ['rate_limited', 'again'],
    ['stream_cut', 'again'],
    ['internal', 'again'],
  ])('begins for %s with %s', (code, first) => expect(remediesOf(code, true)[0]).toBe(first));

  it('leaves out what only the last turn can have', () => {
    expect(remediesOf('billing', false)).toEqual(['services']);
    expect(remediesOf('stream_cut', false)).toEqual([]);
  });
});
