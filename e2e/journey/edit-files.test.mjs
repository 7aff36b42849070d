// A session that may edit files, in both languages and both themes: files are changed without a
// question and put back, commands are still asked for, and the next session asks for everything.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { until } from '../harness/process.mjs';
import { PICTURES, openProgram } from '../harness/program.mjs';
import { button, css } from '../harness/webdriver.mjs';
import { CARD, DENY, isThere, prepared, say } from './chat.mjs';
import { WORDS } from './words.mjs';

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
      await page.click(DENY);
      await page.miss(CARD);
      assert.equal(await isThere(join(desktop.dataRoot, 'files', 'greeting.txt')), false);

      await until('the turn to end', () => page.sees(css('[data-testid=send]')));
      await page.click(button(words.newSession));
      await page.see(mode(words.ask));
      await close();
    });
  }
}
