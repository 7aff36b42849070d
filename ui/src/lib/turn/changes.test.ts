import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { FileChangeView } from '../backend/bindings';
import { FileChanges } from './changes.svelte';

const change = (id: string, turn_id: string, undone = false, lost = false) =>
  ({ id, turn_id, undone, lost }) as unknown as FileChangeView;

describe('the files that tools changed', () => {
  it('are told by turn', async () => {
    const changes = new FileChanges(answering({ list_file_changes: () => [change('1', 'a'), change('2', 'b')] }), 's');
    await changes.load();
    expect(changes.of('b').map(({ id }) => id)).toEqual(['2']);
  });

  it('are put back together, without those that were already', async () => {
    const backend = answering({ undo_file_changes: () => [change('1', 'a', true)] });
    const changes = new FileChanges(backend, 's');
    await changes.undo([change('1', 'a'), change('2', 'a', true)]);
    expect(backend.asked).toEqual([{ name: 'undo_file_changes', args: { ids: ['1'] } }]);
    expect(changes.all[0]?.undone).toBe(true);
  });

  it('are put back without those of which nobody knows what there was', async () => {
    const backend = answering({ undo_file_changes: () => [] });
    const changes = new FileChanges(backend, 's');
    await changes.undo([change('1', 'a'), change('2', 'a', false, true)]);
    expect(backend.asked).toEqual([{ name: 'undo_file_changes', args: { ids: ['1'] } }]);
  });

  it('stay as they are where somebody changed them since, and the user is told', async () => {
    const changes = new FileChanges(
      answering({
        undo_file_changes: () => {
          throw failure('conflict');
        },
      }),
      's',
    );
    changes.all = [change('1', 'a')];
    await changes.undo(changes.all);
    expect(changes.error?.code).toBe('conflict');
    expect(changes.all[0]?.undone).toBe(false);
  });
});
