// A real language model on this computer: found by the guide, answering in the window, and its
// answer found again after a restart.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openDesktop } from '../harness/desktop.mjs';
import { openModel } from '../harness/model-server.mjs';
import { until } from '../harness/process.mjs';
import { openProgram } from '../harness/program.mjs';
import { Key, button, choice, css } from '../harness/webdriver.mjs';
import { chooseLook, prove } from './guide.mjs';
import { WORDS } from './words.mjs';

const words = WORDS.en;
const QUESTION = 'Name the capital of France.';
const python = process.env.MODEL_PYTHON;

test('a real model is found, answers, and its answer is kept', { skip: !python }, async (t) => {
  const model = await openModel(python);
  const desktop = await openDesktop();
  t.after(async () => {
    await desktop.close();
    await model.close();
  });

  const first = await openProgram(desktop);
  await chooseLook(first.page, words);
  await first.page.click(button(words.continue));
  await first.page.see(choice(words.onThisComputer));
  await first.page.read(css('form'), `127.0.0.1:${model.port}`);
  await first.page.click(button(words.continue));
  await prove(first.page, words, words.limited);
  await first.page.click(button(words.startChatting));

  await first.page.type(css('textarea'), QUESTION);
  await first.page.press(Key.Enter);
  const answer = await finishedAnswer(first.page);
  assert.match(answer, /Paris/);
  await first.close();

  const second = await openProgram(desktop);
  await second.page.read(css('main'), QUESTION);
  await second.page.read(css('main'), answer);
  await second.close();
});

/** The words of the answer, once they have come to their end. */
async function finishedAnswer(page) {
  return until('the answer', () => page.text(css('[data-role=answer]')), 60_000);
}
