// The frame and the sessions in a real browser: places, keys, the list, its menu, the palette.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();

const LONG = 'A title that goes on and on and is wider than any list of sessions';
const BALCONY = 'Plants for the balcony';
const MEETING = '阳台植物采购会';

/** The frame over sessions of these titles, the last one open. */
async function frame(scene: Scene = {}): Promise<Page> {
  const page = await browser.open(scene);
  await page.locator('main textarea').waitFor();
  await page.evaluate(async (titles) => {
    const { fake } = window as unknown as {
      fake: { call(name: string, args: object): Promise<{ session: { id: string } }> };
    };
    for (const title of titles) {
      const { session } = await fake.call('create_session', {});
      await fake.call('rename_session', { session_id: session.id, title });
    }
  }, [BALCONY, MEETING, LONG]);
  if ((await row(page, LONG).count()) > 0) await row(page, LONG).click();
  return page;
}

const row = (page: Page, title: string) => page.locator('li.row .open', { hasText: title });
const heading = (page: Page) => page.locator('main h1');
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).innerText.split('\n')[0]);

describe.each([
  { lang: 'en', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const)('the frame in $lang, $theme', (dress) => {
  const tag = `${dress.lang}-${dress.theme}`;

  it.each([
    ['wide', 1360, 860, 100],
    ['narrow', 800, 700, 100],
    ['large', 1360, 860, 200],
  ])('can be read by everyone, %s', async (name, width, height, zoom) => {
    const page = await frame({ ...dress, width, height, zoom });
    await shoot(page, `frame-${name}-${tag}`);
    await expectAccessible(page);
  });

  it('has a menu, a palette and a page of shortcuts that can be read by everyone', async () => {
    const page = await frame(dress);
    await row(page, MEETING).click({ button: 'right' });
    await page.getByRole('menu').waitFor();
    await shoot(page, `frame-menu-${tag}`);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await shoot(page, `frame-palette-${tag}`);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.keyboard.press('Control+/');
    await page.getByRole('dialog').waitFor();
    await shoot(page, `frame-shortcuts-${tag}`);
    await expectAccessible(page);
  });
});

describe('the places', () => {
  it('are reached by click and by key, and the chat waits as it was', async () => {
    const page = await frame();
    await page.locator('main textarea').fill('half a thought');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { name: 'General' }).waitFor();
    expect(await page.getByRole('button', { name: 'Settings', exact: true }).getAttribute('aria-current')).toBe('page');
    await page.keyboard.press('Control+2');
    await page.getByPlaceholder('Search notes').waitFor();
    await page.keyboard.press('Control+f');
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).placeholder)).toBe('Search notes');
    await page.keyboard.press('Control+1');
    expect(await page.locator('main textarea').inputValue()).toBe('half a thought');
  });

  it('do not change by a key while a question is open', async () => {
    const page = await frame();
    await page.keyboard.press('Control+,');
    await page.getByRole('button', { name: 'Open the guide' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+1');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await heading(page).waitFor();
  });
});

describe('the session list', () => {
  it('is walked with the arrows, and Enter opens', async () => {
    const page = await frame();
    await page.keyboard.press('Control+f');
    await page.keyboard.press('ArrowDown');
    const first = await focused(page);
    await page.keyboard.press('ArrowDown');
    const second = (await focused(page)) ?? '';
    expect(second).not.toBe(first);
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page).innerText()).toBe(second);
    expect(await page.title()).toBe(`${second} · Talaria`);
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  });

  it('renames in place: Enter keeps, Escape does not, and an input method is left alone', async () => {
    const page = await frame();
    const old = BALCONY;
    const field = page.getByLabel('Title of the session');
    await row(page, old).focus();
    await page.keyboard.press('F2');
    await field.fill('周会');
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(await field.count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe(old);
    await page.keyboard.press('F2');
    await field.fill('周会');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('周会');
  });

  it('deletes with a way back', async () => {
    const page = await frame();
    const title = LONG;
    await row(page, title).focus();
    await page.keyboard.press('Delete');
    await row(page, title).waitFor({ state: 'detached' });
    expect(await heading(page).innerText()).not.toBe(title);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, title).waitFor();
    await expect.poll(() => heading(page).innerText()).toBe(title);
  });

  it('pins from a menu opened by key, and the focus comes back to the row', async () => {
    const page = await frame();
    const title = MEETING;
    await row(page, title).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Pin' }).press('Enter');
    await page.locator('section', { hasText: 'Pinned' }).locator('.open', { hasText: title }).waitFor();
    expect(await focused(page)).toBe(title);
  });

  it('puts sessions away and shows them again', async () => {
    const page = await frame();
    const title = MEETING;
    await row(page, title).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await row(page, title).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Archived/ }).click();
    await row(page, title).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Take out of the archive' }).click();
    await page.getByRole('button', { name: 'All sessions' }).click();
    await row(page, title).waitFor();
  });

  it('marks what a search found, and says when nothing was', async () => {
    const page = await frame();
    await page.locator('main textarea').fill('ferns and a fig');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('ferns and a fig').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('ferns');
    await page.locator('mark', { hasText: 'ferns' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zzz nothing holds this');
    await page.getByText('No session holds').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByPlaceholder('Find sessions').inputValue()).toBe('');
    await row(page, BALCONY).waitFor();
  });

  it('is made wider by mouse and by key within its limits, and remembers it', async () => {
    const page = await frame();
    const edge = page.getByRole('separator', { name: 'Width of the session list' });
    const width = async () => Number(await edge.getAttribute('aria-valuenow'));
    await edge.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBe(284);
    await page.keyboard.press('End');
    await expect.poll(width).toBe(320);
    const drag = async () => {
      const box = await edge.boundingBox();
      await page.mouse.move((box?.x ?? 0) + 0.5, 400);
      await page.mouse.down();
      await page.mouse.move((box?.x ?? 0) - 500, 400, { steps: 4 });
      await page.mouse.up();
      return width();
    };
    await expect.poll(drag).toBe(240);
    await page.reload();
    await expect.poll(width).toBe(240);
  });

  it('hides and comes back by key', async () => {
    const page = await frame();
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await page.keyboard.press('Control+b');
    expect(await list.count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await page.keyboard.press('Control+b');
    await list.waitFor();
    expect(await focused(page)).toBe(LONG);
  });

  it('lies over a narrow window, and leaves by Escape without touching what is typed', async () => {
    const page = await frame({ width: 800, height: 700 });
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await page.locator('main textarea').fill('half a thought');
    expect(await list.count()).toBe(0);
    await page.keyboard.press('Control+b');
    await list.waitFor();
    await shoot(page, 'frame-overlay');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await page.locator('main textarea').inputValue()).toBe('half a thought');
  });
});

describe('the side panel', () => {
  /** A session that had a note beside it when the window was last closed. */
  async function withNote(scene: Scene = {}): Promise<Page> {
    const page = await browser.open(scene);
    await page.locator('main textarea').waitFor();
    await page.evaluate(() => {
      const session = localStorage.getItem('talaria.session');
      localStorage.setItem('talaria.panels', JSON.stringify([[session, 'Hangzhou.md']]));
    });
    await page.reload();
    await page.locator('main textarea').waitFor();
    return page;
  }

  it('comes back with its session, can be resized, and closes', async () => {
    const page = await withNote();
    const panel = page.getByRole('complementary', { name: 'Side panel' });
    await panel.getByRole('article').waitFor();
    await shoot(page, 'frame-panel');
    await expectAccessible(page);
    const edge = page.getByRole('separator', { name: 'Width of the side panel' });
    await edge.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await edge.getAttribute('aria-valuenow')).toBe('360');
    await page.getByRole('button', { name: 'Close the side panel' }).click();
    expect(await panel.count()).toBe(0);
  });

  it('shows its note in the Notes view when asked', async () => {
    const page = await withNote();
    await page.getByRole('button', { name: 'Open in notes' }).click();
    await page.locator('.cm-content').waitFor();
  });

  it('opens with a note the agent saved, and gives way when the window narrows', async () => {
    const page = await frame();
    await page.locator('main textarea').fill('Save a note about the ferns');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Side panel' });
    await panel.getByRole('article').waitFor();
    await page.setViewportSize({ width: 900, height: 700 });
    await expect.poll(() => panel.count()).toBe(0);
  });

  it('does not cover a narrow window by itself', async () => {
    const page = await withNote({ width: 900, height: 700 });
    expect(await page.getByRole('complementary', { name: 'Side panel' }).count()).toBe(0);
  });
});

describe('the palette', () => {
  it('goes to a session by a few letters', async () => {
    const page = await frame();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('采购会');
    await page.getByRole('option', { name: MEETING }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => heading(page).innerText()).toBe(MEETING);
  });

  it('goes to a note, and does what it says', async () => {
    const page = await frame();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('hangzhou');
    await page.getByRole('option', { name: /Hangzhou/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new session');
    await page.keyboard.press('Enter');
    await page.locator('main textarea').waitFor();
    await expect.poll(() => heading(page).innerText()).toBe('New session');
  });

  it('closes by the key that opened it', async () => {
    const page = await frame();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
