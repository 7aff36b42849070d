// A session that may edit files, in both languages and both themes: files are changed without a
// question and put back, commands are still asked for, and the next session asks for everything.

import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { openDesktop } from '../harness/desktop.mjs';
import { until } from '../harness/process.mjs';
import { PICTURES, openProgram } from '../harness/program.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { Key, button, css } from '../harness/webdriver.mjs';
import { writeSettings } from './settings.mjs';
import { WORDS } from './words.mjs';

const CARD = css('[data-testid=question]');
const CHANGES = css('[data-testid=file-changes] summary');
const PUT_BACK = css('[data-testid=file-changes] .change button');
const mode = (name) => ({ kind: '[data-testid=mode]', name });
const item = (name) => ({ kind: '[role=menuitemradio]', name });

for (const [language, words] of Object.entries(WORDS)) {
  for (const theme of ['light', 'dark']) {
    test(`a session that may edit files, in ${language}, ${theme}`, async (t) => {
      const desktop = await prepared(t, { language, theme });
      const file = join(desktop.dataRoot, 'files', 'beds', '计划.md');
      const { page, close } = await openProgram(desktop);
      const picture = (name) => page.picture(join(PICTURES, `${name}-${language}-${theme}.png`));

      await page.see(mode(words.ask));
      await page.click(mode(words.ask));
      await page.see(item(words.editFiles));
      await picture('modes');
      await page.click(item(words.editFiles));
      await page.see(mode(words.editFiles));

      await say(page, words.fileWish);
      await page.click(CHANGES);
      await picture('edited');
      assert.equal(await page.sees(CARD), false, 'a granted file is not asked for');
      assert.match(await readFile(file, 'utf8'), /四号地/);

      // What somebody wrote since is not lost by putting back.
      await writeFile(file, 'mine');
      await page.click(PUT_BACK);
      await page.see(css('[data-testid=file-changes] [role=alert]'));
      await picture('edited-since');
      assert.equal(await readFile(file, 'utf8'), 'mine');

      await say(page, words.commandWish);
      await page.see(CARD);
      await picture('edit-files-command');
      await page.click(css('[data-testid=deny]'));
      await page.miss(CARD);
      assert.equal(await isThere(join(desktop.dataRoot, 'files', 'greeting.txt')), false);

      await until('the turn to end', () => page.sees(css('[data-testid=send]')));
      await page.click(button(words.newSession));
      await page.see(mode(words.ask));
      await close();
    });
  }
}

async function say(page, words) {
  await page.see(css('[data-testid=send]'));
  await page.type(css('main textarea'), words);
  await page.press(Key.Enter);
}

async function isThere(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function prepared(t, look) {
  const service = await openService();
  const desktop = await openDesktop({ keyring: false });
  t.after(async () => {
    await desktop.close();
    await service.close();
  });
  await writeSettings(desktop, service, look);
  return desktop;
}
