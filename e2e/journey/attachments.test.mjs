// Files on their way through the real window: picked, pasted, dropped, kept over a restart, sent to the
// service as parts of the message, and shown in the conversation.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { openDesktop } from '../harness/desktop.mjs';
import { until } from '../harness/process.mjs';
import { PICTURES, openProgram } from '../harness/program.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { Key, button, css } from '../harness/webdriver.mjs';
import { writeSettings } from './settings.mjs';

const ICON = fileURLToPath(new URL('../../icons/128x128.png', import.meta.url));
const PICKER = 'main input[type=file]';

test('files are kept with the draft, reach the service and stay in the conversation', async (t) => {
  const { service, desktop } = await prepared(t);
  const tasks = join(desktop.folder, 'tasks.txt');
  await writeFile(tasks, 'Buy tea.\n');

  const first = await openProgram(desktop);
  await first.page.see(css('main textarea'));
  await first.page.upload(PICKER, ICON);
  await ready(first.page, 1);
  await first.page.upload(PICKER, tasks);
  await ready(first.page, 2);
  await first.page.picture(join(PICTURES, 'files-waiting.png'));
  await first.close();

  const second = await openProgram(desktop);
  await ready(second.page, 2);
  await second.page.run(DROP, 'dropped.md', '# Dropped');
  await ready(second.page, 3);
  await second.page.type(css('main textarea'), 'What is in these?');
  await second.page.press(Key.Enter);
  await second.page.read(css('main'), 'You said:');
  assertFilesWereSent(service);
  await shown(second.page);
  await second.page.click(button('Enlarge “128x128.png”'));
  await second.page.see(css('[role=dialog] img'));
  await second.page.picture(join(PICTURES, 'files-enlarged.png'));
  await second.page.press(Key.Escape);
  await second.page.miss(css('[role=dialog]'));
  await second.close();

  const third = await openProgram(desktop);
  await shown(third.page);
  await third.page.read(css('main'), 'tasks.txt');
  await ready(third.page, 0);
  await third.page.picture(join(PICTURES, 'files-sent.png'));
  await third.close();
});

test('a picture is pasted from the system’s clipboard, and words still are', async (t) => {
  const { desktop } = await prepared(t);
  const { page, close } = await openProgram(desktop);
  await page.see(css('main textarea'));
  await page.run(OFFER_COPY, (await readFile(ICON)).toString('base64'));
  await page.click(button('copy'));
  await until('the copy', () => page.run('return window.isCopied;'));
  await page.click(css('main textarea'));
  await page.press(Key.Control, 'v');
  await ready(page, 1);

  await page.type(css('main textarea'), 'tea ');
  await page.press(Key.Control, 'a');
  await page.press(Key.Control, 'x');
  await page.press(Key.Control, 'v');
  await page.press(Key.Control, 'v');
  await page.read(css('main textarea'), 'tea tea ');
  await ready(page, 1);
  await close();
});

test('what is dropped beside the chat does not lead away', async (t) => {
  const { desktop } = await prepared(t);
  const { page, close } = await openProgram(desktop);
  await page.see(css('main textarea'));
  assert.equal(await page.run(REFUSED, 'nav'), true);
  assert.equal(await page.run(REFUSED, 'main header'), true);
  await close();
});

async function prepared(t) {
  const service = await openService();
  const desktop = await openDesktop({ keyring: false });
  t.after(async () => {
    await desktop.close();
    await service.close();
  });
  await writeSettings(desktop, service);
  return { service, desktop };
}

const ready = (page, count) =>
  until(`${count} files that wait`, async () => {
    const found = await page.count('[data-testid=attachment]');
    return found === count && (await page.count('[data-testid=attachment][data-state=kept]')) === count;
  });

/** The picture of the message is there, drawn from its bytes. */
const shown = (page) => until('the picture', () => page.run(DRAWN));
const DRAWN = `return document.querySelector('[data-testid=sent-files] img')?.naturalWidth === 128;`;

/** Drops a file as a file manager does, first over the pane, then on the place that appears. */
const DROP = `
  const [name, text] = arguments;
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  const tell = (where, type) =>
    document.querySelector(where).dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  tell('main textarea', 'dragenter');
  return new Promise((done) => requestAnimationFrame(() => done(tell('[data-testid=drop-target]', 'drop'))));
`;
/** Whether the page keeps a file that is dropped there from opening. */
const REFUSED = `
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['<p>'], 'page.html'));
  const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
  return !document.querySelector(arguments[0]).dispatchEvent(drop);
`;

/** A button that copies a picture: a page may write to the clipboard only when it is clicked. */
const OFFER_COPY = `
  const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
  const picture = new Blob([bytes], { type: 'image/png' });
  const copy = Object.assign(document.createElement('button'), { textContent: 'copy' });
  copy.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 99';
  copy.onclick = async () => {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    copy.remove();
    window.isCopied = true;
  };
  document.body.append(copy);
`;

function assertFilesWereSent(service) {
  const { content } = service.chats().at(-1).body.messages.findLast(({ role }) => role === 'user');
  const picture = content.find(({ type }) => type === 'image_url');
  assert.match(picture.image_url.url, /^data:image\/png;base64,iVBORw0KGgo/);
  const words = content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n');
  for (const part of ['What is in these?', 'Buy tea.', '# Dropped']) assert.ok(words.includes(part), part);
}
