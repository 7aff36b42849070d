// From the first start to a kept note: the guide, the proof, the chat, the note beside it, an edit
// and a restart. In both languages, with the key in the real keyring and nowhere else.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { openDesktop } from '../harness/desktop.mjs';
import { PICTURES, openProgram } from '../harness/program.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { keyring, leaks } from '../harness/secrecy.mjs';
import { Key, button, choice, css, region } from '../harness/webdriver.mjs';
import { chooseAddress, chooseLook, prove } from './guide.mjs';
import { WORDS } from './words.mjs';

const KEY = 'sk-journey-4f1d0c7a92e85b36';

for (const [language, words] of Object.entries(WORDS)) {
  test(`a first run ends with a note that is kept, in ${language}`, async (t) => {
    const service = await openService({ key: KEY });
    const desktop = await openDesktop({ language: words.locale });
    t.after(async () => {
      await desktop.close();
      await service.close();
    });
    const picture = (page, name) => page.picture(join(PICTURES, `${name}-${language}.png`));

    const first = await openProgram(desktop);
    await setUp(first.page, words, service.url, picture);
    await saveNote(first.page, words, picture);
    assertKeyWasSent(service);
    await assertNote(desktop, words.noteTitle);
    await assertKeyIsKept(desktop, first.pid);
    await editNote(first.page, words, picture);
    await assertNote(desktop, words.addition);
    await first.close();

    const second = await openProgram(desktop);
    await findAgain(second.page, words, picture);
    await assertKeyIsKept(desktop, second.pid);
    await second.close();
  });
}

async function setUp(page, words, url, picture) {
  await page.see(choice(words.language));
  await chooseLook(page, words);
  await picture(page, 'guide-1-look');
  await page.click(button(words.continue));
  await page.see(choice(words.anotherAddress));
  await picture(page, 'guide-2-place');
  await chooseAddress(page, words, { url, key: KEY });
  await prove(page, words, words.allPassed);
  await picture(page, 'guide-5-try');
  await page.click(button(words.startChatting));
}

async function saveNote(page, words, picture) {
  await page.see(css('textarea'));
  await picture(page, 'chat-empty');
  await page.type(css('textarea'), words.wish);
  await page.press(Key.Enter);
  await page.read(css('main'), 'Done:');
  await page.see(region(words.noteTitle));
  await picture(page, 'chat');
}

async function editNote(page, words, picture) {
  await page.click(button(words.notes));
  await page.click(button(words.noteTitle));
  await page.click(choice(words.write));
  await page.type(css('.cm-content'), `${words.addition}\n`);
  await page.click(button(words.save));
  await page.read(css('[role=status]'), words.saved);
  await picture(page, 'notes');
}

async function findAgain(page, words, picture) {
  await page.see(css('textarea'));
  await page.read(css('main'), words.wish);
  await page.read(css('main'), 'Done:');
  await page.click(button(words.notes));
  await page.click(button(words.noteTitle));
  await page.read(css('.cm-content'), words.addition);
  await page.click(button(words.settings));
  await picture(page, 'settings');
}

function assertKeyWasSent(service) {
  const chats = service.chats();
  assert.ok(chats.length >= 2, 'the proof and the chat asked the service');
  for (const { authorization } of chats) assert.equal(authorization, `Bearer ${KEY}`);
}

async function assertNote(desktop, text) {
  const folder = join(desktop.dataRoot, 'notes');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  assert.equal(names.length, 1, `one note: ${names}`);
  assert.ok((await readFile(join(folder, names[0]), 'utf8')).includes(text));
}

async function assertKeyIsKept(desktop, pid) {
  assert.match(await keyring(desktop), new RegExp(KEY), 'the key is in the keyring');
  assert.deepEqual(await leaks(KEY, { folder: desktop.folder, pid }), [], 'and nowhere else');
}
