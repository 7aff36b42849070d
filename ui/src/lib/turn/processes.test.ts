import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { ProcessView } from '../backend/bindings';
import { Processes } from './processes.svelte';

const process = (id: number, running: boolean): ProcessView => ({
  id,
  command: 'npm run dev',
  running,
  exit_code: running ? null : 0,
  seconds: 3,
  output: 'ready',
});

describe('commands in the background', () => {
  it('are counted while they run, and stopped by their number', async () => {
    let list = [process(1, false), process(2, true)];
    const backend = answering({
      list_processes: () => list,
      stop_process: () => {
        list = [process(1, false), process(2, false)];
        return null;
      },
    });
    const processes = new Processes(backend, 's');
    await processes.load();
    expect(processes.running).toBe(1);
    await processes.stop(2);
    expect(backend.asked[1]).toEqual({ name: 'stop_process', args: { session_id: 's', id: 2 } });
    expect(processes.running).toBe(0);
  });

  it('stay in sight when they could not be stopped', async () => {
    const processes = new Processes(
      answering({
        list_processes: () => [process(1, true)],
        stop_process: () => {
          throw failure('not_found');
        },
      }),
      's',
    );
    await processes.load();
    await processes.stop(1);
    expect([processes.error?.code, processes.list.length]).toEqual(['not_found', 1]);
  });
});
