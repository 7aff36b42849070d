// The web, searched from the real window through a service that the user chose.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';

import { until } from '../harness/process.mjs';
import { PICTURES, openProgram } from '../harness/program.mjs';
import { Key, button, css, field } from '../harness/webdriver.mjs';
import { ALLOW, CARD, prepared, say } from './chat.mjs';

test('the web is searched with the service that was set up, after a yes', async (t) => {
  const engine = await openEngine(t);
  const desktop = await prepared(t, { language: 'en', theme: 'light' });
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
