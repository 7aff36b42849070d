// The main views in both languages and both themes: pictures of each, and what must hold in all.
// What they show was written on the command line, which shares the data root with the window.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { openDesktop } from '../harness/desktop.mjs';
import { run } from '../harness/process.mjs';
import { PICTURES, built, openProgram } from '../harness/program.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { button, choice, css } from '../harness/webdriver.mjs';
import { writeSettings } from './settings.mjs';
import { WORDS } from './words.mjs';

const USUAL = { width: 1180, height: 800 };
const NARROWEST = { width: 720, height: 600 };

for (const [language, words] of Object.entries(WORDS)) {
  for (const theme of ['light', 'dark']) {
    test(`the views in ${language}, ${theme}`, async (t) => {
      const service = await openService();
      const desktop = await openDesktop({ keyring: false });
      t.after(async () => {
        await desktop.close();
        await service.close();
      });
      await writeSettings(desktop, service, { language, theme });
      await run(built('talaria'), ['chat', '-m', words.wish], { env: desktop.env });

      const { page, close } = await openProgram(desktop);
      for (const [name, open] of Object.entries(VIEWS)) {
        await open(page, words);
        await page.picture(join(PICTURES, `${name}-${language}-${theme}.png`));
        assert.equal(await page.run('return document.documentElement.lang;'), language);
        assert.equal(await page.run(THEME), theme);
        await page.resize(NARROWEST);
        assert.ok(await page.run(FITS), `${name} fits into ${NARROWEST.width} pixels`);
        await page.resize(USUAL);
      }
      await close();
    });
  }
}

/** The colours the page is drawn in, by the lightness of its background. */
const THEME = `
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
  canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data[1] > 127 ? 'light' : 'dark';
`;
const FITS = 'return document.documentElement.scrollWidth <= window.innerWidth;';

/** How each view is reached, and filled with something to see. */
const VIEWS = {
  async chat(page, words) {
    await page.click(button(words.chat));
    await page.click(css('[data-session] button'));
    await page.read(css('main'), 'Done:');
  },
  async notes(page, words) {
    await page.click(button(words.notes));
    await page.click(button(words.noteTitle));
    await page.click(choice(words.split));
    await page.read(css('.cm-content'), words.noteTitle);
  },
  async settings(page, words) {
    await page.click(button(words.settings));
    await page.see(choice(words.language));
  },
  async models(page, words) {
    await page.click(button(words.models));
    await page.see(css('.known table'));
  },
};
