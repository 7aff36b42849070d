import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { CompactionView, ContextReport } from '../backend/bindings';
import { Meter } from './meter.svelte';

const report: ContextReport = {
  window: 8_192,
  reserved: 2_048,
  layers: [
    { kind: 'rules', tokens: 500, cap: null },
    { kind: 'input', tokens: 100, cap: null },
  ],
};
const compaction = (id: string, undone: boolean) => ({ id, undone }) as unknown as CompactionView;

describe('the context meter', () => {
  it('adds the layers up and finds the shortening that holds', async () => {
    const meter = new Meter(
      answering({ read_context: () => report, list_compactions: () => [compaction('1', false), compaction('2', true)] }),
      's',
    );
    await meter.load();
    expect(meter.used).toBe(600);
    expect(meter.latest?.id).toBe('1');
  });

  it('says why nothing could be shortened', async () => {
    const meter = new Meter(
      answering({
        compact_session: () => {
          throw failure('conflict');
        },
      }),
      's',
    );
    await meter.compact('');
    expect(meter.error?.code).toBe('conflict');
    expect(meter.compacting).toBe(false);
  });

  it('stops what it began, and does not complain of that', async () => {
    let stopped = (): void => undefined;
    const backend = answering({
      compact_session: () =>
        new Promise((_, refuse) => {
          stopped = () => refuse(failure('cancelled'));
        }),
      stop_compaction: () => {
        stopped();
        return null;
      },
    });
    const meter = new Meter(backend, 's');
    const compacting = meter.compact('');
    expect(meter.compacting).toBe(true);
    await meter.stop();
    await compacting;
    expect([meter.compacting, meter.error]).toEqual([false, null]);
  });

  it('takes the latest shortening back', async () => {
    const backend = answering({ undo_compaction: () => null, read_context: () => report, list_compactions: () => [compaction('1', true)] });
    const meter = new Meter(backend, 's');
    meter.latest = compaction('1', false);
    await meter.undo();
    expect(backend.asked[0]).toEqual({ name: 'undo_compaction', args: { session_id: 's', compaction_id: '1' } });
    expect(meter.latest).toBeNull();
  });
});
