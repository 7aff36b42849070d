import { describe, expect, test } from 'vitest';
import { answering, failure } from '../backend/answering';
import { SecretStore, passphraseFault } from './secretStore.svelte';

const missing = { active: null, keyring_name: 'Secret Service', keyring_problem: 'missing', file_locked: false } as const;

describe('where keys are kept', () => {
  test('is not ready until something works or is chosen', async () => {
    const store = new SecretStore(
      answering({ choose_secret_store: () => ({ store: { ...missing, active: 'memory' } }) }),
    );
    expect(store.ready).toBe(false);
    store.take(missing);
    expect(store.ready).toBe(false);
    expect(await store.choose('memory')).toBe(true);
    expect(store.ready).toBe(true);
  });

  test('sends the passphrase with the file and with nothing else', async () => {
    const backend = answering({ choose_secret_store: () => ({ store: missing }) });
    const store = new SecretStore(backend);
    await store.choose('file', 'correct horse');
    await store.choose('keyring', 'correct horse');
    expect(backend.asked.map((each) => each.args)).toEqual([
      { choice: { backend: 'file', passphrase: 'correct horse' } },
      { choice: { backend: 'keyring' } },
    ]);
  });

  test('stays as it was when the choice does not work, and says why', async () => {
    const store = new SecretStore(
      answering({
        choose_secret_store: () => {
          throw failure('keyring', 'wrong passphrase');
        },
      }),
    );
    store.take(missing);
    expect(await store.choose('file', 'guess')).toBe(false);
    expect(store.state).toEqual(missing);
    expect(store.error?.message).toBe('wrong passphrase');
    expect(store.busy).toBe(false);
  });
});

test.each([
  ['', '', false, 'too_short'],
  ['seven77', 'seven77', false, 'too_short'],
  ['eight888', 'eight88', false, 'not_equal'],
  ['eight888', 'eight888', false, null],
  ['一二三四五六七八', '一二三四五六七八', false, null],
  ['x', '', true, null],
  ['', '', true, 'too_short'],
] as const)('passphrase %j repeated as %j (opens: %s) is judged %s', (passphrase, repeated, opens, fault) => {
  expect(passphraseFault(passphrase, repeated, opens)).toBe(fault);
});
