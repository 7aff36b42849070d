// Files in a real browser: picked, pasted and dropped, refused, removed, kept in the draft, sent, enlarged.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();

type Handed = { name: string; type: string; data: string };

async function chat(scene: Scene = {}): Promise<Page> {
  const page = await browser.open(scene);
  await field(page).waitFor();
  return page;
}

const field = (page: Page) => page.locator('main textarea');
const picker = (page: Page) => page.locator('main input[type=file]');
const chips = (page: Page) => page.getByTestId('attachment');
const ready = (page: Page, count: number) =>
  expect.poll(() => page.locator('[data-testid=attachment][data-state=kept]').count()).toBe(count);
const ended = (page: Page) => page.getByText('Say what should change, or ask for a reminder.').last().waitFor();

/** A picture with a hill and a sun, drawn by the browser itself. */
async function drawn(page: Page, name: string, width = 640, height = 420, hue = 200): Promise<Handed> {
  const data = await page.evaluate(
    ([wide, high, colour]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high });
      const pen = canvas.getContext('2d');
      if (pen === null) return '';
      pen.fillStyle = `hsl(${colour} 60% 80%)`;
      pen.fillRect(0, 0, wide, high);
      pen.fillStyle = 'hsl(45 90% 60%)';
      pen.arc(wide * 0.75, high * 0.3, high * 0.12, 0, 7);
      pen.fill();
      pen.fillStyle = 'hsl(150 35% 40%)';
      pen.beginPath();
      pen.ellipse(wide * 0.4, high, wide * 0.6, high * 0.45, 0, 0, 7);
      pen.fill();
      return canvas.toDataURL('image/png').split(',')[1] ?? '';
    },
    [width, height, hue] as const,
  );
  return { name, type: 'image/png', data };
}

const words = (name: string, text: string): Handed => ({ name, type: 'text/plain', data: Buffer.from(text).toString('base64') });
const pdf = (name: string) => words(name, '%PDF-1.7\n');

function pick(page: Page, files: Handed[]): Promise<void> {
  return picker(page).setInputFiles(
    files.map(({ name, type, data }) => ({ name, mimeType: type, buffer: Buffer.from(data, 'base64') })),
  );
}

type Carried = { files?: Handed[]; words?: Record<string, string> };

/** Sends the page an event that carries files or words; tells whether the page took it for itself. */
function carry(page: Page, selector: string, event: 'paste' | 'dragenter' | 'dragover' | 'dragleave' | 'drop', carried: Carried): Promise<boolean> {
  return page.evaluate(
    ([where, type, { files = [], words: texts = {} }]) => {
      const data = new DataTransfer();
      for (const file of files) {
        const bytes = Uint8Array.from(atob(file.data), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], file.name, { type: file.type }));
      }
      for (const [format, text] of Object.entries(texts)) data.setData(format, text);
      const how = { bubbles: true, cancelable: true };
      const made =
        type === 'paste'
          ? new ClipboardEvent('paste', { ...how, clipboardData: data })
          : new DragEvent(type, { ...how, dataTransfer: data });
      return document.querySelector(where)?.dispatchEvent(made) === false;
    },
    [selector, event, carried] as const,
  );
}

const paste = (page: Page, carried: Carried) => carry(page, 'main textarea', 'paste', carried);

/** Changes how the fake core takes files. */
function stage(page: Page, change: { clipboard?: string; pace?: number }): Promise<void> {
  return page.evaluate((given) => {
    const { fake } = window as unknown as { fake: { attachments: object } };
    Object.assign(fake.attachments, given);
  }, change);
}

describe.each([
  { lang: 'en', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const)('files in $lang, $theme', (dress) => {
  it.each([
    ['wide', 1360, 860],
    ['narrow', 720, 640],
  ])('can be read by everyone, %s', async (name, width, height) => {
    const page = await chat({ ...dress, width, height });
    const files = [
      await drawn(page, '山与太阳.png'),
      pdf('Quarterly report of the mountain railway, final version 3.pdf'),
      words('todo.txt', 'tea\n'.repeat(400)),
      words('backup.bin', 'a\0b'),
    ];
    await pick(page, files);
    await ready(page, 3);
    await chips(page).locator('img').waitFor();
    await shoot(page, `files-waiting-${name}-${dress.lang}`);
    await expectAccessible(page);
    await field(page).fill('看看这些');
    await field(page).press('Enter');
    await page.getByTestId('sent-files').locator('img').waitFor();
    await ended(page);
    await page.locator('.page').evaluate((element) => element.scrollTo({ top: 0 }));
    await shoot(page, `files-sent-${name}-${dress.lang}`);
    await expectAccessible(page);
  });

  it('several pictures stand side by side and open larger', async () => {
    const page = await chat(dress);
    await pick(page, [
      await drawn(page, 'one.png'),
      await drawn(page, 'tall.png', 300, 900, 20),
      await drawn(page, 'tiny.png', 24, 24, 300),
    ]);
    await ready(page, 3);
    await field(page).press('Enter');
    await ended(page);
    await expect.poll(() => page.getByTestId('sent-files').locator('img').count()).toBe(3);
    await page.locator('.page').evaluate((element) => element.scrollTo({ top: 0 }));
    await shoot(page, `files-pictures-${dress.lang}`);
    await page.getByTestId('sent-files').getByRole('button').nth(1).click();
    await page.locator('[role=dialog] img').waitFor();
    await shoot(page, `files-enlarged-${dress.lang}`);
    await expectAccessible(page);
  });

  it('have a calm place to fall', async () => {
    const page = await chat(dress);
    await carry(page, '.page', 'dragenter', { files: [words('a.txt', 'a')] });
    await page.getByTestId('drop-target').waitFor();
    await shoot(page, `files-drop-${dress.lang}`);
    await expectAccessible(page);
  });

  it('on their way say so', async () => {
    const page = await chat(dress);
    await stage(page, { pace: 3_000 });
    await pick(page, [words('slow.txt', 'slow')]);
    await page.locator('[data-state=busy]').waitFor();
    await shoot(page, `files-busy-${dress.lang}`);
    await expectAccessible(page);
  });
});

describe('files that are picked', () => {
  it('are reached by keyboard, alone make a message, and leave the composer', async () => {
    const page = await chat();
    const send = page.getByTestId('send');
    expect(await send.isDisabled()).toBe(true);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).focus();
    await page.keyboard.press('Enter');
    await (await chooser).setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await ready(page, 1);
    await expect.poll(() => send.isDisabled()).toBe(false);
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByTestId('sent-files').getByText('a.txt').waitFor();
    expect(await chips(page).count()).toBe(0);
    expect(await page.locator('.user').count()).toBe(0);
    await ended(page);
  });

  it('can be the same twice', async () => {
    const page = await chat();
    await pick(page, [words('a.txt', 'a')]);
    await ready(page, 1);
    await page.getByRole('button', { name: 'Remove “a.txt”' }).click();
    await ready(page, 0);
    await pick(page, [words('a.txt', 'a')]);
    await ready(page, 1);
  });

  it('hold the message back until they are taken in', async () => {
    const page = await chat();
    await stage(page, { pace: 600 });
    await field(page).fill('look');
    await pick(page, [words('a.txt', 'a')]);
    await page.getByRole('status', { name: 'Adding “a.txt”' }).waitFor();
    expect(await page.getByTestId('send').isDisabled()).toBe(true);
    await field(page).press('Enter');
    expect(await field(page).inputValue()).toBe('look');
    await ready(page, 1);
    await field(page).press('Enter');
    await page.getByTestId('sent-files').waitFor();
  });

  it('that are refused say why, and do not hold the others back', async () => {
    const page = await chat();
    await pick(page, [words('backup.bin', 'a\0b'), words('a.txt', 'a')]);
    const reason = page.getByRole('alert');
    await reason.getByText(/Pictures, PDF files, and text/).waitFor();
    await reason.getByText('Details').click();
    await reason.getByText('backup.bin is of a kind that is not taken').waitFor();
    await ready(page, 1);
    await field(page).press('Enter');
    await page.getByTestId('sent-files').getByText('a.txt').waitFor();
    expect(await chips(page).count()).toBe(0);
  });

  it('are removed by keyboard, and the focus goes on', async () => {
    const page = await chat();
    await pick(page, ['a', 'b', 'c'].map((name) => words(`${name}.txt`, name)));
    await ready(page, 3);
    await page.getByRole('button', { name: 'Remove “b.txt”' }).focus();
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe('Remove “c.txt”');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Remove “a.txt”');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Message');
  });
});

describe('a paste', () => {
  it('of a picture attaches it', async () => {
    const page = await chat();
    expect(await paste(page, { files: [await drawn(page, 'image.png')] })).toBe(true);
    await ready(page, 1);
    await chips(page).locator('img').waitFor();
  });

  it('of words is left to the field, even with a picture of them', async () => {
    const page = await chat();
    expect(await paste(page, { words: { 'text/plain': 'hello' } })).toBe(false);
    const table = { 'text/plain': '1\t2', 'text/html': '<table></table>' };
    expect(await paste(page, { files: [await drawn(page, 'image.png')], words: table })).toBe(false);
    expect(await chips(page).count()).toBe(0);
  });

  it('that shows the page nothing asks the core for the picture', async () => {
    const page = await chat();
    await paste(page, {});
    await stage(page, { clipboard: (await drawn(page, 'x')).data });
    await paste(page, {});
    await chips(page).getByText('clipboard.png').waitFor();
    await ready(page, 1);
    expect(await chips(page).count()).toBe(1);
  });

  it('by the keyboard still writes words', async () => {
    const page = await chat();
    await field(page).fill('twice ');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+v');
    await expect.poll(() => field(page).inputValue()).toBe('twice twice ');
  });
});

describe('a drop', () => {
  it('anywhere on the chat attaches files, once they are over it', async () => {
    const page = await chat();
    const files = [words('a.txt', 'a'), await drawn(page, 'b.png')];
    await carry(page, '.page', 'dragenter', { files });
    expect(await carry(page, '[data-testid=drop-target]', 'dragover', { files })).toBe(true);
    expect(await carry(page, '[data-testid=drop-target]', 'drop', { files })).toBe(true);
    await ready(page, 2);
    expect(await page.getByTestId('drop-target').count()).toBe(0);
    expect(await field(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('that goes elsewhere leaves the chat as it was', async () => {
    const page = await chat();
    await carry(page, 'main textarea', 'dragenter', { files: [words('a.txt', 'a')] });
    await page.getByTestId('drop-target').waitFor();
    await carry(page, '[data-testid=drop-target]', 'dragleave', { files: [words('a.txt', 'a')] });
    await page.getByTestId('drop-target').waitFor({ state: 'detached' });
    expect(await chips(page).count()).toBe(0);
  });

  it('of words is no file, and falls into the field', async () => {
    const page = await chat();
    await carry(page, '.page', 'dragenter', { words: { 'text/plain': 'hello' } });
    expect(await page.getByTestId('drop-target').count()).toBe(0);
    expect(await carry(page, 'main textarea', 'dragover', { words: { 'text/plain': 'hello' } })).toBe(false);
  });

  it.each([
    ['a file on the list of sessions', 'aside, .list', { files: [words('a.html', '<p>')] }],
    ['a link on the page', '.page', { words: { 'text/uri-list': 'https://example.org' } }],
    ['a link on the rail', 'nav', { words: { 'text/uri-list': 'https://example.org' } }],
  ])('of %s does not lead away', async (_, where, carried) => {
    const page = await chat();
    expect(await carry(page, where, 'dragover', carried)).toBe(true);
    expect(await carry(page, where, 'drop', carried)).toBe(true);
  });
});

describe('files of a draft', () => {
  it('wait in their session', async () => {
    const page = await chat();
    await field(page).fill('first');
    await field(page).press('Enter');
    await ended(page);
    await pick(page, [words('a.txt', 'a')]);
    await ready(page, 1);
    await page.keyboard.press('Control+n');
    await ready(page, 0);
    await page.locator('li.row .open', { hasText: 'first' }).click();
    await ready(page, 1);
  });

  it('make their session one that is in use', async () => {
    const page = await chat();
    await pick(page, [words('a.txt', 'a')]);
    await ready(page, 1);
    await page.keyboard.press('Control+n');
    await ready(page, 0);
    expect(await page.locator('li.row').count()).toBe(2);
  });

  it('come back with the words if the turn could not begin', async () => {
    const page = await chat();
    await pick(page, [words('a.txt', 'a')]);
    await ready(page, 1);
    await field(page).fill('never begins');
    await field(page).press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await field(page).inputValue()).toBe('never begins');
    await ready(page, 1);
  });

  it('stay with a message that is asked again', async () => {
    const page = await chat();
    await pick(page, [words('a.txt', 'a')]);
    await ready(page, 1);
    await field(page).fill('this fails');
    await field(page).press('Enter');
    await page.locator('.failure').getByRole('button', { name: 'Try again' }).click();
    await ended(page);
    await page.getByTestId('sent-files').getByText('a.txt').waitFor();
  });
});

describe('a picture of a message', () => {
  async function sent(): Promise<Page> {
    const page = await chat();
    await pick(page, [await drawn(page, 'one.png'), words('a.txt', 'a'), await drawn(page, 'two.png', 300, 900, 20)]);
    await ready(page, 3);
    await field(page).press('Enter');
    await ended(page);
    return page;
  }

  it('opens larger, is turned over by arrow keys, and gives the focus back', async () => {
    const page = await sent();
    const dialog = page.getByRole('dialog');
    const first = page.getByRole('button', { name: 'Enlarge “one.png”' });
    await first.focus();
    await page.keyboard.press('Enter');
    await dialog.getByAltText('one.png').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await dialog.getByAltText('two.png').waitFor();
    await dialog.getByText('2 of 2').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog.getByAltText('one.png').waitFor();
    await page.keyboard.press('ArrowLeft');
    await dialog.getByAltText('two.png').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await first.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.locator('.page').evaluate((element) => element.scrollTo({ top: 0 }));
    await shoot(page, 'files-focus');
  });

  it('that is lost says so in its place', async () => {
    const page = await chat();
    await page.evaluate(() => {
      const { fake } = window as unknown as { fake: { call: (name: string, args: unknown) => Promise<unknown> } };
      const call = fake.call.bind(fake);
      fake.call = (name, args) => (name === 'read_attachment' ? Promise.reject(new Error('gone')) : call(name, args));
    });
    await pick(page, [await drawn(page, 'one.png')]);
    await ready(page, 1);
    await field(page).press('Enter');
    const tile = page.getByRole('button', { name: 'Enlarge “one.png”' });
    await tile.getByText('“one.png” can’t be shown.').waitFor();
    expect((await tile.boundingBox())?.height).toBeGreaterThan(200);
  });

  it('takes its place before it is there', async () => {
    const page = await chat();
    await page.evaluate(() => {
      const { fake } = window as unknown as { fake: { call: (name: string, args: unknown) => Promise<unknown> } };
      const call = fake.call.bind(fake);
      fake.call = async (name, args) => {
        if (name === 'read_attachment') await new Promise((done) => setTimeout(done, 700));
        return call(name, args);
      };
    });
    await pick(page, [await drawn(page, 'one.png')]);
    await ready(page, 1);
    await field(page).press('Enter');
    const tile = page.getByRole('button', { name: 'Enlarge “one.png”' });
    await tile.waitFor();
    const before = await tile.boundingBox();
    await tile.locator('img').waitFor();
    await ended(page);
    const after = await tile.boundingBox();
    expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
    expect(before?.height).toBeGreaterThan(200);
  });
});
