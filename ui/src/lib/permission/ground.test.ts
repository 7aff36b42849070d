import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { Folder } from '../backend/bindings';
import { Ground } from './ground.svelte';

const folder: Folder = { path: '/work', access: 'write', trusted: false };

describe('what a session may do', () => {
  it('keeps the mode it had when the new one could not be set', async () => {
    const ground = new Ground(
      answering({
        set_session_mode: () => {
          throw failure('storage');
        },
      }),
      's',
    );
    await ground.setMode('act_freely');
    expect(ground.mode).toBe('ask');
    expect(ground.error?.code).toBe('storage');
  });

  it('says why a folder was refused, and shows those there are', async () => {
    const ground = new Ground(
      answering({
        list_folders: () => [folder],
        grant_folder: () => {
          throw failure('conflict');
        },
      }),
      's',
    );
    await ground.grant({ ...folder, path: '/' });
    expect(ground.folders).toEqual([folder]);
    expect(ground.error?.code).toBe('conflict');
  });

  it('is granted a folder, and loses it again', async () => {
    let granted: Folder[] = [];
    const ground = new Ground(
      answering({
        list_folders: () => granted,
        grant_folder: ({ folder: given }) => {
          granted = [given];
          return null;
        },
        revoke_folder: () => {
          granted = [];
          return null;
        },
      }),
      's',
    );
    await ground.grant(folder);
    expect(ground.folders).toEqual([folder]);
    await ground.revoke('/work');
    expect(ground.folders).toEqual([]);
  });
});
