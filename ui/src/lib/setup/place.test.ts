import { describe, expect, test } from 'vitest';
import { hostOf, keyIsOptional, needsKey, placeOf, presetMatches, serviceToSave, type Place } from './place';
import { preset, service } from './example';

const local: Place = {
  kind: 'local',
  service: { id: 'ollama', name: 'Ollama', base_url: 'http://127.0.0.1:11434/v1', models: [] },
};
const address: Place = { kind: 'address', name: ' ', base_url: ' llm.example:8080/v1 ', protocol: 'openai_chat' };

describe('a place where a model may run', () => {
  test('needs a key unless it is on this computer', () => {
    expect(needsKey(local)).toBe(false);
    expect(needsKey({ kind: 'preset', preset: preset() })).toBe(true);
    expect(needsKey(address)).toBe(true);
  });

  test('may go without a key only at an address of the user’s own', () => {
    expect(keyIsOptional(address)).toBe(true);
    expect(keyIsOptional({ kind: 'preset', preset: preset() })).toBe(false);
  });

  test('is saved with the preset’s address unless another was typed', () => {
    const place: Place = { kind: 'preset', preset: preset() };
    expect(serviceToSave(place, null, '  ', { from: 'none' }).base_url).toBe('https://api.deepseek.com/v1');
    expect(serviceToSave(place, null, 'https://mirror.example', { from: 'none' }).base_url).toBe('https://mirror.example');
  });

  test('on this computer never carries a key', () => {
    expect(serviceToSave(local, null, '', { from: 'typed', value: 'k' }).key).toEqual({ from: 'none' });
  });

  test('without a name is called by its host', () => {
    expect(serviceToSave(address, null, '', { from: 'none' })).toMatchObject({
      name: 'llm.example:8080',
      base_url: 'llm.example:8080/v1',
      preset: null,
    });
  });

  test('keeps the id of the service being edited', () => {
    expect(serviceToSave(address, 'mine', '', { from: 'unchanged' }).id).toBe('mine');
  });

  test('is found again for a configured service', () => {
    expect(placeOf(service(), [preset()])).toEqual({ kind: 'preset', preset: preset() });
    expect(placeOf(service({ preset: null, name: 'Mine' }), [preset()])).toMatchObject({ kind: 'address', name: 'Mine' });
  });
});

test.each([
  ['https://api.deepseek.com/v1', 'api.deepseek.com'],
  ['localhost:1234', 'localhost:1234'],
  ['HTTP://Host/', 'host'],
  ['', ''],
  ['not a host', 'not a host'],
])('the host of %j is %j', (address, host) => {
  expect(hostOf(address)).toBe(host);
});

test.each([
  ['', true],
  ['deep', true],
  ['深度', true],
  ['api.deepseek', true],
  ['DEEP seek', true],
  ['openai', false],
])('searching for %j finds DeepSeek: %s', (query, found) => {
  expect(presetMatches(preset(), query)).toBe(found);
});
