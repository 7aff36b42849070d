// A power cut during an answer: nothing that was shown is lost, and the message can be sent again.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openDesktop } from '../harness/desktop.mjs';
import { until } from '../harness/process.mjs';
import { openProgram } from '../harness/program.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { Key, button, css } from '../harness/webdriver.mjs';
import { writeSettings } from './settings.mjs';
import { WORDS } from './words.mjs';

const WISH = 'Count slowly, please.';

test('what was shown of an answer is there after the program was killed', async (t) => {
  const service = await openService({ slowPause: 20 });
  const desktop = await openDesktop();
  t.after(async () => {
    await desktop.close();
    await service.close();
  });
  await writeSettings(desktop, service);

  const first = await openProgram(desktop);
  await first.page.type(css('textarea'), WISH);
  await first.page.press(Key.Enter);
  await first.page.read(css('main'), 'Line 30 ');
  const shown = lastLine(await first.page.text(css('main')));
  await first.kill();

  const second = await openProgram(desktop);
  await second.page.read(css('main'), WISH);
  await second.page.read(css('main'), `Line ${shown} `);
  const kept = lastLine(await second.page.text(css('main')));
  assert.ok(kept >= shown, `line ${shown} was shown, line ${kept} is kept`);

  const asked = service.chats().length;
  await second.page.click(button(WORDS.en.again));
  await until('the message to be sent again', () => service.chats().length > asked);
  await second.page.read(css('main'), 'Line 2 ');
  await second.close();
});

/** The number of the last line of a slow answer. */
function lastLine(text) {
  return Math.max(...[...text.matchAll(/Line (\d+) of the answer/g)].map(([, number]) => Number(number)));
}
