// How far the assistant may go, in the real window: a mode that lets files be changed and nothing else,
// and the web through a search service that the user chose.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { openDesktop } from '../harness/desktop.mjs';
import { until } from '../harness/process.mjs';
import { PICTURES, openProgram } from '../harness/program.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { Key, button, css, field } from '../harness/webdriver.mjs';
import { writeSettings } from './settings.mjs';

const CARD = css('[data-testid=question]');
const ALLOW = css('[data-testid=allow-once]');
const DENY = css('[data-testid=deny]');
const ITEM = (name) => ({ kind: '[role=menuitemradio]', name });

for (const [look, editFiles, wishes] of [
  [{ language: 'en', theme: 'dark' }, 'Edit files', ['Please write the file.', 'Please run the command.']],
  [{ language: 'zh-CN', theme: 'light' }, '可改文件', ['请写入文件。', '请运行命令。']],
]) {
  test(`files are changed without a question in “${editFiles}”, and commands are not`, async (t) => {
    const { desktop } = await prepared(t, look);
    const { page, close } = await openProgram(desktop);
    await page.click(css('[data-testid=mode]'));
    await page.see(ITEM(editFiles));
    await page.picture(join(PICTURES, `mode-${look.language}-${look.theme}.png`));
    await page.click(ITEM(editFiles));
    const mode = () => page.run("return document.querySelector('[data-testid=mode]').innerText;");
    await until('the mode', async () => (await mode()) === editFiles);

    await say(page, wishes[0]);
    const file = join(desktop.dataRoot, 'files', 'beds', '计划.md');
    const written = () => readFile(file, 'utf8').catch(() => '');
    await until('the file', async () => (await written()).includes('四号地'));
    assert.equal(await page.sees(CARD), false);
    await page.see(css('[data-testid=file-changes]'));

    await say(page, wishes[1]);
    await page.see(CARD);
    await page.picture(join(PICTURES, `edit-files-${look.language}-${look.theme}.png`));
    await page.click(DENY);
    await page.miss(CARD);
    await close();
  });
}

test('the web is searched with the service that was set up, after a yes', async (t) => {
  const engine = await openEngine(t);
  const { desktop } = await prepared(t, { language: 'en', theme: 'light' });
  const { page, close } = await openProgram(desktop);
  await page.click(button('Settings'));
  await page.click(css('nav.sections li:nth-child(6) button'));
  const known = () => page.run("return document.querySelectorAll('form select option').length;");
  await until('the services', async () => (await known()) > 3);
  await page.run(`
    const select = document.querySelector('form select');
    select.value = 'searxng';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  `);
  await page.fill(field('Address'), engine.url);
  await page.click(button('Save'));
  await page.click(button('Try it'));
  await page.read(css('main'), 'Raised beds');
  await page.picture(join(PICTURES, 'web-search-settings.png'));

  await page.press(Key.Control, '1');
  await say(page, 'Look it up on the web.');
  await page.see(CARD);
  await page.read(CARD, 'raised beds 番茄');
  await page.read(CARD, '127.0.0.1');
  await page.click(ALLOW);
  await page.miss(CARD);
  await page.read(css('main'), 'Done:');
  await page.click(css('[data-testid=tool-step] summary'));
  await page.read(css('[data-testid=tool-step]'), 'https://garden.example/beds');
  await page.picture(join(PICTURES, 'web-search.png'));
  assert.deepEqual(engine.asked, ['news of today', 'raised beds 番茄']);
  await close();
});

/** A SearXNG that knows one page. */
async function openEngine(t) {
  const asked = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1');
    asked.push(url.searchParams.get('q'));
    const page = { title: 'Raised beds', url: 'https://garden.example/beds', content: 'Dig two beds. 挖两块地。' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ query: asked.at(-1), results: [page] }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

async function say(page, words) {
  await page.see(css('[data-testid=send]'));
  await page.type(css('main textarea'), words);
  await page.press(Key.Enter);
}

async function prepared(t, look) {
  const service = await openService();
  const desktop = await openDesktop({ keyring: false });
  t.after(async () => {
    await desktop.close();
    await service.close();
  });
  await writeSettings(desktop, service, look);
  return { service, desktop };
}
