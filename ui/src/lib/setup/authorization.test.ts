import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { AuthorizationState } from '../backend/bindings';
import { Authorization, countdownText } from './authorization.svelte';

const attempt = { attempt: 'a1', url: 'https://auth.example/go', expires_in: 10, service: 'openrouter' };

function signIn(states: AuthorizationState[]) {
  const done: string[] = [];
  const backend = answering({
    begin_authorization: () => attempt,
    read_authorization: () => states.shift() ?? { state: 'waiting' },
    cancel_authorization: () => null,
  });
  return { backend, done, authorization: new Authorization(backend, (id) => done.push(id)) };
}

describe('signing in with the browser', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('opens the page and waits with a countdown', async () => {
    const { authorization, backend } = signIn([]);
    await authorization.begin('openrouter');
    expect(backend.opened).toEqual([attempt.url]);
    await vi.advanceTimersByTimeAsync(3000);
    expect(authorization.phase).toBe('waiting');
    expect(authorization.secondsLeft).toBe(7);
  });

  test('notices by itself that the browser came back', async () => {
    const { authorization, done } = signIn([{ state: 'waiting' }, { state: 'done' }]);
    await authorization.begin('openrouter');
    await vi.advanceTimersByTimeAsync(4000);
    expect(authorization.phase).toBe('done');
    expect(done).toEqual(['openrouter']);
  });

  test('says so when the user is done and the service does not know it yet', async () => {
    const { authorization } = signIn([]);
    await authorization.begin('openrouter');
    await authorization.check();
    expect(authorization.phase).toBe('waiting');
    expect(authorization.notYet).toBe(true);
  });

  test('takes the user’s word at once when the service confirms it', async () => {
    const { authorization, done } = signIn([{ state: 'done' }]);
    await authorization.begin('openrouter');
    await authorization.check();
    expect(done).toEqual(['openrouter']);
  });

  test('shows what the service said when it refused', async () => {
    const { authorization } = signIn([{ state: 'failed', code: 'denied', message: 'refused' }]);
    await authorization.begin('openrouter');
    await authorization.check();
    expect(authorization.phase).toBe('failed');
    expect(authorization.error?.message).toBe('refused');
  });

  test('gives up when the time is over, and tells the core', async () => {
    const { authorization, backend } = signIn([]);
    await authorization.begin('openrouter');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(authorization.phase).toBe('expired');
    expect(backend.asked.at(-1)).toEqual({ name: 'cancel_authorization', args: { attempt: 'a1' } });
  });

  test('stops asking once cancelled', async () => {
    const { authorization, backend } = signIn([]);
    await authorization.begin('openrouter');
    await authorization.cancel();
    const asked = backend.asked.length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(backend.asked.length).toBe(asked);
    expect(authorization.phase).toBe('idle');
  });

  test('keeps waiting when the browser did not open by itself', async () => {
    const { authorization, backend } = signIn([]);
    backend.openLink = () => Promise.reject(failure('internal', 'no browser'));
    await authorization.begin('openrouter');
    expect(authorization.phase).toBe('waiting');
    expect(authorization.error?.message).toBe('no browser');
    await authorization.cancel();
  });
});

test.each([
  [0, '0:00'],
  [9, '0:09'],
  [75, '1:15'],
  [600, '10:00'],
])('%d seconds read as %s', (seconds, text) => {
  expect(countdownText(seconds)).toBe(text);
});
