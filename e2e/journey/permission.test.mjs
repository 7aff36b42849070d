// Acts on their way through the real window: asked for with all that they would do, done or not done, seen
// as a change, and put back.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { until } from '../harness/process.mjs';
import { PICTURES, openProgram } from '../harness/program.mjs';
import { css } from '../harness/webdriver.mjs';
import { ALLOW, CARD, DENY, isThere, prepared, say } from './chat.mjs';

test('a file is written after a yes, seen as a change, and put back', async (t) => {
  const desktop = await prepared(t);
  const file = join(desktop.dataRoot, 'files', 'beds', '计划.md');
  const { page, close } = await openProgram(desktop);
  await say(page, 'Please write the file.');
  await page.see(CARD);
  await page.read(css('main'), '四号地：番茄');
  await page.picture(join(PICTURES, 'permission-diff.png'));
  assert.equal(await isThere(file), false, 'nothing is written before the answer');

  // The question outlives the page that showed it.
  await page.run('location.reload();');
  await page.see(CARD);
  await page.click(ALLOW);
  await page.miss(CARD);
  await until('the file', () => isThere(file));
  assert.match(await readFile(file, 'utf8'), /四号地/);

  await page.click(css('[data-testid=file-changes] summary'));
  await page.picture(join(PICTURES, 'file-changes.png'));
  await page.click(css('[data-testid=file-changes] .change button'));
  await until('the file to be put back', async () => !(await isThere(file)));
  await close();
});

test('a command is shown whole, stays in its folder, and a no means no', async (t) => {
  const desktop = await prepared(t, { language: 'zh-CN', theme: 'dark' });
  const greeting = join(desktop.dataRoot, 'files', 'greeting.txt');
  const { page, close } = await openProgram(desktop);
  await say(page, '请运行命令。');
  await page.see(CARD);
  await page.read(css('main'), 'cat greeting.txt');
  await page.picture(join(PICTURES, 'permission-command-dark.png'));
  await page.click(DENY);
  await page.miss(CARD);
  await page.read(css('main'), 'Done:');
  assert.equal(await isThere(greeting), false);

  await say(page, '请再运行一次命令。');
  await page.see(CARD);
  await page.click(ALLOW);
  await page.miss(CARD);
  await until('what the command made', () => isThere(greeting));
  // The answer repeats what the command put out: the word stands in the command's own text as well.
  const answer = () => page.text(css('main article:last-of-type'));
  await until('the answer', async () => /Done:[^]*confined/.test(await answer()));
  await page.picture(join(PICTURES, 'command-dark.png'));
  await close();
});
