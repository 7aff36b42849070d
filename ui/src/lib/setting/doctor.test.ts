import { expect, test } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { Diagnosis } from '../backend/bindings';
import { Doctor } from './doctor.svelte';

const finding = (passed: boolean): Diagnosis => ({ check: 'tools', passed, detail: '', hint: '' });

test('a check-up counts what needs attention', async () => {
  const doctor = new Doctor(answering({ run_doctor: () => [finding(true), finding(false), finding(false)] }));
  expect(doctor.findings).toBeNull();
  await doctor.run();
  expect(doctor.failed).toBe(2);
});

test('a second press while it runs asks only once', async () => {
  const backend = answering({ run_doctor: () => [] });
  const doctor = new Doctor(backend);
  await Promise.all([doctor.run(), doctor.run()]);
  expect(backend.asked).toHaveLength(1);
});

test('a check-up that breaks off keeps the earlier findings and says why', async () => {
  let broken = false;
  const doctor = new Doctor(
    answering({
      run_doctor: () => {
        if (broken) throw failure('internal', 'broke');
        return [finding(true)];
      },
    }),
  );
  await doctor.run();
  broken = true;
  await doctor.run();
  expect(doctor.findings).toHaveLength(1);
  expect(doctor.error?.message).toBe('broke');
  expect(doctor.running).toBe(false);
});
