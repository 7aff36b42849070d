import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToastQueue } from './queue.svelte';

describe('a toast', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('leaves by itself, later if it offers an action', () => {
    const queue = new ToastQueue();
    queue.show({ text: 'saved' });
    queue.show({ text: 'deleted', action: { text: 'undo', run: () => undefined } });
    vi.advanceTimersByTime(5_000);
    expect(queue.shown.map((toast) => toast.text)).toEqual(['deleted']);
    vi.advanceTimersByTime(5_000);
    expect(queue.shown).toEqual([]);
  });

  it('stays while it is held', () => {
    const queue = new ToastQueue();
    queue.show({ text: 'saved' });
    const id = queue.shown[0]?.id ?? 0;
    queue.hold(id);
    vi.advanceTimersByTime(60_000);
    expect(queue.shown).toHaveLength(1);
    queue.release(id);
    vi.advanceTimersByTime(5_000);
    expect(queue.shown).toHaveLength(0);
  });
});
