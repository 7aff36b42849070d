// The notes in a real browser: writing, changes on disk, history, the keyboard.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();

async function notes(scene: Scene = {}): Promise<Page> {
  const page = await browser.open(scene);
  const name = scene.lang === 'zh-CN' ? '笔记' : 'Notes';
  await page.getByRole('button', { name, exact: true }).click();
  return page;
}

async function openedNote(scene: Scene = {}): Promise<Page> {
  const page = await notes(scene);
  await page.locator('nav button', { hasText: 'Trip to Hangzhou' }).click();
  await page.locator('.cm-content').waitFor();
  return page;
}

/** Another program writes the note's file. */
function writeOutside(page: Page, text: string): Promise<void> {
  return page.evaluate((written) => {
    const { fake } = window as unknown as { fake: { notes: { write(path: string, text: string): void } } };
    fake.notes.write('Hangzhou.md', written);
  }, text);
}

async function typeAtStart(page: Page, words: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(words);
}

const standing = (page: Page) => page.locator('.standing');
const source = (page: Page) => page.locator('.cm-content').last();

describe.each([
  { lang: 'en', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const)('the notes in $lang, $theme', (dress) => {
  const tag = `${dress.lang}-${dress.theme}`;

  it('can be read by everyone in each mode', async () => {
    const page = await openedNote(dress);
    await shoot(page, `notes-write-${tag}`);
    await expectAccessible(page);
    for (const [index, mode] of ['write', 'preview', 'split'].entries()) {
      await page.locator('.document header .options label').nth(index).click();
      if (mode !== 'write') await page.locator('.preview h1').waitFor();
      await shoot(page, `notes-${mode}-${tag}`);
      await expectAccessible(page);
    }
  });

  it('say what they are for when there are none', async () => {
    const page = await notes({ ...dress, notes: 'none' });
    await page.locator('.empty:visible').waitFor();
    await shoot(page, `notes-empty-${tag}`);
    await expectAccessible(page);
  });

  it('show both texts of a conflict', async () => {
    const page = await openedNote(dress);
    await typeAtStart(page, 'Mine. ');
    await writeOutside(page, '# Trip to Hangzhou\n\nTheirs.\n');
    await page.locator('.banner button').nth(2).click();
    await page.locator('.cm-merge-a').waitFor();
    await shoot(page, `notes-conflict-${tag}`);
    await expectAccessible(page);
  });
});

describe('a note', () => {
  it('is saved with the keyboard and says so', async () => {
    const page = await openedNote();
    await typeAtStart(page, 'New words. ');
    await expect.poll(() => standing(page).innerText()).toBe('Unsaved');
    await page.keyboard.press('Control+s');
    await expect.poll(() => standing(page).innerText()).toBe('Saved');
  });

  it('keeps unsaved words when another one is opened and the page is loaded anew', async () => {
    const page = await openedNote();
    await typeAtStart(page, 'Half a thought ');
    await page.locator('nav button', { hasText: 'Reading list' }).click();
    await expect.poll(() => source(page).innerText()).toContain('A book on bridges');
    await page.locator('nav button', { hasText: 'Trip to Hangzhou' }).click();
    await expect.poll(() => source(page).innerText()).toContain('Half a thought');
    await page.getByText('Unsaved text from last time is back.').waitFor();
    await page.getByRole('button', { name: 'Throw it away' }).click();
    await expect.poll(() => source(page).innerText()).not.toContain('Half a thought');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => source(page).innerText()).toContain('Half a thought');
  });

  it('follows a change on disk while nothing is unsaved, and keeps the cursor', async () => {
    const page = await openedNote();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await writeOutside(page, '# Trip to Hangzhou\n\nWritten elsewhere.\n');
    await expect.poll(() => source(page).innerText()).toContain('Written elsewhere.');
    await page.keyboard.type('!');
    await expect.poll(() => source(page).innerText()).toContain('Trip to Hangzhou!');
  });

  it('never loses mine or theirs in a conflict', async () => {
    const page = await openedNote();
    await typeAtStart(page, 'Mine. ');
    await writeOutside(page, '# Trip to Hangzhou\n\nTheirs.\n');
    await page.getByText('changed on disk while you were editing').waitFor();
    expect(await source(page).innerText()).toContain('Mine.');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => source(page).innerText()).toContain('Theirs.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => source(page).innerText()).toContain('Mine.');
  });

  it('is restored from its history, which is itself a version', async () => {
    const page = await openedNote();
    const versions = page.locator('aside ol button');
    await versions.first().click();
    await page.getByText('compared with the note as it is now').waitFor();
    await shoot(page, 'notes-history');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect.poll(() => source(page).innerText()).toContain('Day 1: West Lake');
    await expect.poll(() => versions.count()).toBe(2);
  });

  it('is renamed where its title stands', async () => {
    const page = await openedNote();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('西湖三日');
    await page.getByLabel('Title').press('Enter');
    await page.getByRole('heading', { name: '西湖三日' }).first().waitFor();
    await page.locator('nav button', { hasText: '西湖三日' }).waitFor();
  });

  it('comes back after it was deleted', async () => {
    const page = await openedNote();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.locator('nav li', { hasText: 'Trip to Hangzhou' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('nav button', { hasText: 'Trip to Hangzhou' }).waitFor();
  });

  it('begins empty and ready to be typed into', async () => {
    const page = await notes({ notes: 'none' });
    await page.locator('.empty').getByRole('button', { name: 'New note' }).click();
    await page.locator('.cm-focused').waitFor();
  });
});

describe('the list of notes', () => {
  it('is searched, and walked through with the arrows', async () => {
    const page = await notes();
    const search = page.getByRole('searchbox', { name: 'Search notes' });
    await search.fill('恢复演练');
    await expect.poll(() => page.locator('nav li:visible').count()).toBe(1);
    await search.fill('no such words');
    await page.getByText('No note holds').waitFor();
    await search.fill('');
    await expect.poll(() => page.locator('nav li:visible').count()).toBe(3);
    await search.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.cm-focused').waitFor();
  });

  it('gives way to the note in a small window, with a way back', async () => {
    const page = await openedNote({ width: 720, height: 640 });
    expect(await page.getByRole('searchbox', { name: 'Search notes' }).isVisible()).toBe(false);
    await shoot(page, 'notes-small');
    await page.getByRole('button', { name: 'Back to the list' }).click();
    expect(await page.getByRole('searchbox', { name: 'Search notes' }).isVisible()).toBe(true);
  });
});
