import { describe, expect, test } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { SettingsView, SetupView } from '../backend/bindings';
import { listed } from '../backend/fake/models';
import { Guide, type GuideOptions } from './guide.svelte';
import { preset, service, settings, setupView } from './example';

type World = { settings?: Partial<SettingsView>; setup?: Partial<SetupView>; options?: Partial<GuideOptions> };

async function guideIn(world: World = {}) {
  const done: (string | null)[] = [];
  const current = settings(world.settings);
  const backend = answering({
    read_setup: () => setupView(world.setup),
    discover_services: () => [
      { id: 'ollama', name: 'Ollama', base_url: 'http://127.0.0.1:11434/v1', models: [listed('qwen3')] },
    ],
    save_service: (args) => service({ id: args.id ?? args.preset ?? 'new', name: args.name, preset: args.preset }),
    list_models: () => [listed('deepseek-chat', { context_window: 128_000 })],
    update_settings: (args) => ({ ...current, model: args.model ?? current.model }),
    begin_authorization: () => ({ attempt: 'a', url: 'https://auth.example', expires_in: 60, service: 'openrouter' }),
    read_authorization: () => ({ state: 'done' }),
    cancel_authorization: () => null,
    read_settings: () => settings({ services: [service({ id: 'openrouter', preset: 'openrouter' })] }),
  });
  const guide = new Guide(backend, {
    entry: 'first_run',
    settings: current,
    service: null,
    onDone: (prompt) => done.push(prompt),
    ...world.options,
  });
  await guide.load();
  const saved = () => backend.asked.filter((each) => each.name === 'save_service').map((each) => each.args);
  return { guide, backend, done, saved };
}

describe('the guide', () => {
  test('leads from the look to a try with a typed key', async () => {
    const { guide, saved, done, backend } = await guideIn();
    await guide.next();
    expect(guide.step).toBe('place');
    guide.pick('preset');
    expect(guide.canContinue).toBe(false);
    guide.choose({ kind: 'preset', preset: preset() });
    await guide.next();
    expect(guide.step).toBe('key');
    expect(guide.canContinue).toBe(false);
    guide.key = ' sk-1 ';
    await guide.next();
    expect(saved()).toMatchObject([{ id: null, preset: 'deepseek', key: { from: 'typed', value: 'sk-1' } }]);
    expect(guide.step).toBe('proof');
    expect(guide.proof.model).toBe('deepseek-chat');
    await guide.next();
    expect(guide.step).toBe('try');
    await guide.finish('hello');
    expect(done).toEqual(['hello']);
    expect(backend.asked.filter((each) => each.name === 'update_settings').map((each) => each.args)).toEqual([
      { model: { service: 'deepseek', model: 'deepseek-chat' } },
      { setup_done: true },
    ]);
  });

  test('forgets the typed key once it has crossed, and does not send it twice', async () => {
    const { guide, saved } = await guideIn();
    guide.choose({ kind: 'preset', preset: preset() });
    guide.show('key');
    guide.key = 'sk-1';
    await guide.next();
    expect(guide.key).toBe('');
    guide.back();
    await guide.next();
    expect(saved()[1]).toMatchObject({ id: 'deepseek', key: { from: 'unchanged' } });
  });

  test('saves a service on this computer without a key step', async () => {
    const { guide, saved } = await guideIn();
    guide.show('place');
    const found = guide.local?.[0];
    if (found === undefined) throw new Error('nothing was found');
    guide.choose({ kind: 'local', service: found });
    await guide.next();
    expect(guide.step).toBe('proof');
    expect(saved()).toMatchObject([{ base_url: found.base_url, key: { from: 'none' } }]);
    guide.back();
    expect(guide.step).toBe('place');
  });

  test('gone through again changes the service it made before, and "add" makes a second one', async () => {
    const known = { settings: { services: [service()] } };
    const again = await guideIn(known);
    again.guide.choose({ kind: 'preset', preset: preset() });
    again.guide.show('key');
    await again.guide.next();
    expect(again.saved()).toMatchObject([{ id: 'deepseek', key: { from: 'unchanged' } }]);
    const more = await guideIn({ ...known, options: { entry: 'add' } });
    more.guide.choose({ kind: 'preset', preset: preset() });
    more.guide.show('key');
    more.guide.key = 'sk-2';
    await more.guide.next();
    expect(more.saved()).toMatchObject([{ id: null, key: { from: 'typed', value: 'sk-2' } }]);
  });

  test('suggests what runs here, but never over what the user picked', async () => {
    const { guide } = await guideIn();
    expect(guide.kind).toBe('local');
    expect(guide.place).toMatchObject({ kind: 'local', service: { id: 'ollama' } });
    guide.pick('preset');
    await guide.lookForLocal();
    expect(guide.kind).toBe('preset');
    expect(guide.place).toBeNull();
  });

  test('changes a local service that is already set up instead of making a second', async () => {
    const known = service({ id: 'ollama', preset: null, base_url: 'http://127.0.0.1:11434/v1' });
    const { guide, saved } = await guideIn({ settings: { services: [known] } });
    const found = guide.local?.[0];
    if (found === undefined) throw new Error('nothing was found');
    guide.show('place');
    guide.choose({ kind: 'local', service: found });
    await guide.next();
    expect(saved()).toMatchObject([{ id: 'ollama' }]);
  });

  test('never takes a key from the environment before it is told to', async () => {
    const { guide, saved } = await guideIn({
      setup: { environment_keys: [{ variable: 'DEEPSEEK_API_KEY', preset: 'deepseek' }] },
    });
    guide.choose({ kind: 'preset', preset: preset() });
    guide.show('key');
    expect(guide.offeredVariable).toBe('DEEPSEEK_API_KEY');
    expect(guide.canContinue).toBe(false);
    guide.keySource = 'environment';
    guide.variable = 'DEEPSEEK_API_KEY';
    await guide.next();
    expect(saved()).toMatchObject([{ key: { from: 'environment', variable: 'DEEPSEEK_API_KEY' } }]);
  });

  test('will not send a key while there is nowhere to keep it', async () => {
    const { guide } = await guideIn({
      setup: { secret_store: { active: null, keyring_name: '', keyring_problem: 'missing', file_locked: false } },
    });
    guide.choose({ kind: 'preset', preset: preset() });
    guide.show('key');
    guide.key = 'sk-1';
    expect(guide.canContinue).toBe(false);
    guide.store.take({ active: 'memory', keyring_name: '', keyring_problem: 'missing', file_locked: false });
    expect(guide.canContinue).toBe(true);
  });

  test('lets an address of one’s own go without a key', async () => {
    const { guide, saved } = await guideIn();
    guide.choose({ kind: 'address', name: '', base_url: 'http://10.1.2.3:8000', protocol: 'openai_chat' });
    guide.show('key');
    await guide.next();
    expect(saved()).toMatchObject([{ name: '10.1.2.3:8000', key: { from: 'none' } }]);
  });

  test('stays where it is and says why when saving fails', async () => {
    const { guide, backend } = await guideIn();
    const call = backend.call.bind(backend);
    backend.call = (name, args) => (name === 'save_service' ? Promise.reject(failure('keyring', 'no room')) : call(name, args));
    guide.choose({ kind: 'preset', preset: preset() });
    guide.show('key');
    guide.key = 'sk-1';
    await guide.next();
    expect(guide.step).toBe('key');
    expect(guide.error?.message).toBe('no room');
    expect(guide.key).toBe('sk-1');
  });

  test('goes on to the proof by itself once signed in', async () => {
    const { guide, saved } = await guideIn();
    guide.choose({ kind: 'sign_in', preset: preset({ id: 'openrouter', sign_in: true }) });
    guide.show('key');
    expect(guide.canContinue).toBe(false);
    await guide.authorization.begin('openrouter');
    await guide.authorization.check();
    await new Promise((resolve) => setTimeout(resolve));
    expect(guide.step).toBe('proof');
    expect(saved()).toEqual([]);
    guide.dispose();
  });

  test('forgets what was typed when another place is chosen, and keeps it for the same one', async () => {
    const { guide } = await guideIn();
    guide.choose({ kind: 'preset', preset: preset() });
    guide.key = 'sk-1';
    guide.choose({ kind: 'preset', preset: preset() });
    expect(guide.key).toBe('sk-1');
    guide.choose({ kind: 'preset', preset: preset({ id: 'mistral' }) });
    expect(guide.key).toBe('');
  });

  test('skipped at the choice ends with the guide marked as done', async () => {
    const { guide, backend, done } = await guideIn();
    await guide.skip();
    expect(guide.step).toBe('place');
    await guide.skip();
    expect(done).toEqual([null]);
    expect(backend.asked.at(-1)).toEqual({ name: 'update_settings', args: { setup_done: true } });
  });

  test('entered for one service begins with what is known and does not touch the default of another', async () => {
    const { guide, backend, done } = await guideIn({
      settings: { model: { service: 'other', model: 'm' }, services: [service()] },
      options: { entry: 'check', service: service() },
    });
    expect(guide.step).toBe('proof');
    expect(guide.place).toMatchObject({ kind: 'preset' });
    await guide.next();
    expect(done).toEqual([null]);
    expect(backend.asked.some((each) => each.name === 'update_settings')).toBe(false);
  });
});
