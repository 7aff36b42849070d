import { describe, expect, test } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { ProofEvent } from '../backend/bindings';
import { listed } from '../backend/fake/models';
import { PROOF_STEPS, Proof, durationText } from './proof.svelte';
import { actionsFor, REMEDY_ACTIONS } from './remedy';

function proving(...events: ProofEvent[]) {
  return new Proof(
    answering({}, { prove_service: (_, onEvent) => events.forEach(onEvent) }),
  );
}

const passed = (step: ProofEvent['step']): ProofEvent => ({ step, state: 'passed', detail: 'seen', millis: 12 });

describe('a proof', () => {
  test('begins with every check waiting', () => {
    const proof = proving();
    expect(proof.rows.map((row) => row.step)).toEqual(PROOF_STEPS);
    expect(proof.outcome).toBe('none');
  });

  test('passes when every check does', async () => {
    const proof = proving(...PROOF_STEPS.map(passed));
    await proof.run('s');
    expect(proof.outcome).toBe('passed');
  });

  test('is limited when a check is, and failed when one fails', async () => {
    const limited: ProofEvent = { step: 'tool_call', state: 'limited', remedy: 'choose_tool_model', message: '' };
    const some = proving(passed('reach'), limited);
    await some.run('s');
    expect(some.outcome).toBe('limited');
    const failed: ProofEvent = { step: 'key', state: 'failed', code: 'auth', remedy: 'check_key', message: '401' };
    const none = proving(passed('reach'), failed, { step: 'models', state: 'skipped' });
    await none.run('s');
    expect(none.outcome).toBe('failed');
    expect(none.rows[1]).toEqual({ step: 'key', state: 'failed', remedy: 'check_key', message: '401' });
  });

  test('that breaks off leaves no check running and says why', async () => {
    const proof = new Proof(
      answering(
        {},
        {
          prove_service: (_, onEvent) => {
            onEvent({ step: 'reach', state: 'running' });
            throw failure('internal', 'broke');
          },
        },
      ),
    );
    await proof.run('s');
    expect(proof.error?.message).toBe('broke');
    expect(proof.outcome).toBe('failed');
    expect(proof.rows.every((row) => row.state === 'waiting')).toBe(true);
  });

  test('forgets what was proved when another model is chosen', async () => {
    const proof = proving(...PROOF_STEPS.map(passed));
    proof.choose('a');
    await proof.run('s');
    proof.choose('a');
    expect(proof.outcome).toBe('passed');
    proof.choose('b');
    expect(proof.outcome).toBe('none');
  });

  test('drops the events of a run that is no longer wanted', async () => {
    const late: ((event: ProofEvent) => void)[] = [];
    const proof = new Proof(answering({}, { prove_service: (_, onEvent) => void late.push(onEvent) }));
    await proof.run('s');
    proof.choose('other');
    late.forEach((onEvent) => onEvent(passed('reach')));
    expect(proof.outcome).toBe('none');
  });

  test('prefers the model it is told, else takes the first listed', async () => {
    const models = [listed('first')];
    const backend = answering({ list_models: () => models });
    const told = new Proof(backend);
    await told.listModels('s', 'preferred');
    expect(told.model).toBe('preferred');
    const untold = new Proof(backend);
    await untold.listModels('s', '');
    expect(untold.model).toBe('first');
  });

  test('keeps the preferred model when the service gives no list', async () => {
    const proof = new Proof(
      answering({
        list_models: () => {
          throw failure('auth', 'no list');
        },
      }),
    );
    await proof.listModels('s', 'preferred');
    expect(proof.model).toBe('preferred');
    expect(proof.listError?.code).toBe('auth');
    expect(proof.listing).toBe(false);
  });
});

test('every remedy offers at least one button, whatever the service has', () => {
  for (const remedy of Object.keys(REMEDY_ACTIONS) as (keyof typeof REMEDY_ACTIONS)[]) {
    const all = actionsFor(remedy, { keyPage: 'https://a.example', hasKeyStep: true });
    expect(all.length, remedy).toBeGreaterThan(0);
    expect(actionsFor(remedy, { keyPage: null, hasKeyStep: true }), remedy).not.toContain('open_key_page');
    expect(actionsFor(remedy, { keyPage: null, hasKeyStep: false }), remedy).not.toContain('change_key');
  }
});

test.each([
  [0, '0 ms'],
  [182.4, '182 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [12345, '12.3 s'],
])('%d milliseconds read as %s', (millis, text) => {
  expect(durationText(millis)).toBe(text);
});
