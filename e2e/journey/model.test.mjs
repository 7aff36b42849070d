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
const QUESTION = 'Name the capital of France, and tell me three things about it.';
const TURN = css('[role=log] article');
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
  const grown = await watchAnswer(first.page);
  // How long it is, is the model's choice, and another one each time.
  assert.ok(grown.length > 1, `it came in pieces: ${grown.map((text) => text.length)}`);
  const answer = grown.at(-1);
  await first.close();

  const second = await openProgram(desktop);
  await second.page.read(TURN, QUESTION);
  await second.page.read(TURN, answer);
  await second.close();
});

/** What the answer looked like while it grew; the last is all of it. */
async function watchAnswer(page) {
  const seen = [];
  await page.read(TURN, QUESTION);
  await until('the answer’s end', async () => {
    const text = (await page.text(TURN)).replace(QUESTION, '').trim();
    if (text.length > (seen.at(-1)?.length ?? 0)) seen.push(text);
    return text && !(await page.sees(button(words.stop)));
  }, 90_000);
  return seen;
}
