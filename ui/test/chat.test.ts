// The chat in a real browser: sending, stopping, failing, saved notes, hostile text, the scroll.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();

async function chat(scene: Scene = {}): Promise<Page> {
  const page = await browser.open(scene);
  await field(page).waitFor();
  return page;
}

const field = (page: Page) => page.locator('main textarea');

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

const ended = (page: Page) => page.getByText('Say what should change, or ask for a reminder.').last().waitFor();

/** Puts this many turns into the session on show. */
async function fill(page: Page, count: number): Promise<void> {
  await page.evaluate((turns) => {
    const { fake } = window as unknown as { fake: { conversation: { fill(id: string, count: number): void } } };
    fake.conversation.fill(localStorage.getItem('talaria.session') ?? '', turns);
  }, count);
  await page.getByText(`Question ${count}`, { exact: true }).waitFor();
}

describe.each([
  { lang: 'en', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const)('the chat in $lang, $theme', (dress) => {
  it.each([
    ['wide', 1360, 860],
    ['narrow', 800, 700],
  ])('can be read by everyone, %s', async (name, width, height) => {
    const page = await chat({ ...dress, width, height });
    await shoot(page, `chat-empty-${name}-${dress.lang}`);
    await expectAccessible(page);
    await send(page, '把结论存成 note');
    await ended(page);
    await shoot(page, `chat-${name}-${dress.lang}`);
    await expectAccessible(page);
  });

  it('says a failure in its place', async () => {
    const page = await chat(dress);
    await send(page, 'this fails');
    await page.locator('.failure').waitFor();
    await shoot(page, `chat-failed-${dress.lang}`);
    await expectAccessible(page);
  });
});

describe('a message', () => {
  it('is sent by keyboard alone, but not by the Enter of an input method', async () => {
    const page = await chat();
    await field(page).focus();
    await page.keyboard.type('hello');
    await field(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    await page.keyboard.press('Shift+Enter');
    expect(await field(page).inputValue()).toBe('hello\n');
    await page.keyboard.press('Enter');
    expect(await field(page).inputValue()).toBe('');
    await ended(page);
  });

  it('stays where it was typed if it could not be sent', async () => {
    const page = await chat();
    await send(page, 'never begins');
    await page.getByRole('alert').waitFor();
    expect(await field(page).inputValue()).toBe('never begins');
  });

  it('can not smuggle in a script', async () => {
    const page = await chat();
    await send(page, '<img src=x onerror="window.hit=1"><script>window.hit=1</script>');
    await page.locator('.blocks', { hasText: 'onerror' }).waitFor();
    expect(await page.locator('article img, article script').count()).toBe(0);
    expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  });

  it('half written waits in its session', async () => {
    const page = await chat();
    await send(page, 'first');
    await ended(page);
    await field(page).fill('half a thought');
    await page.keyboard.press('Control+n');
    await expect.poll(() => field(page).inputValue()).toBe('');
    await page.locator('li.row .open', { hasText: 'first' }).click();
    await expect.poll(() => field(page).inputValue()).toBe('half a thought');
  });
});

describe('an answer', () => {
  it('can be stopped, and what came is kept', async () => {
    const page = await chat();
    await send(page, 'hello');
    await page.locator('.blocks', { hasText: 'The decisions' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    expect(await page.locator('.blocks').innerText()).toContain('The decisions');
  });

  it('that failed is asked for again in its place', async () => {
    const page = await chat();
    await send(page, 'this fails');
    await page.locator('.failure').getByRole('button', { name: 'Try again' }).click();
    await ended(page);
    expect(await page.locator('article').count()).toBe(1);
  });

  it('that saves a note opens it beside the chat', async () => {
    const page = await chat();
    await send(page, 'keep it as a note');
    await page.getByRole('heading', { name: '项目复盘' }).first().waitFor();
    await page.getByText('Saved note “项目复盘”').click();
    await page.getByRole('button', { name: 'Open the note' }).waitFor();
    await ended(page);
  });

  it('leaves settled words alone while more come', async () => {
    const page = await chat();
    await send(page, 'hello');
    const first = page.locator('.block').first();
    await page.locator('.block').nth(2).waitFor();
    await first.evaluate((element) => element.firstElementChild?.setAttribute('data-seen', ''));
    await ended(page);
    expect(await first.locator('[data-seen]').count()).toBe(1);
  });

  it('reads the same while it came and after its session is opened again', async () => {
    const page = await chat();
    await send(page, 'hello');
    await ended(page);
    await expect.poll(() => page.locator('.block').count()).toBe(4);
    expect(await page.locator('.block').first().innerText()).toBe('The decisions are now a note. Three points stand out:');
    const came = await page.locator('.blocks').innerText();
    await page.keyboard.press('Control+n');
    await page.locator('li.row .open', { hasText: 'hello' }).click();
    await expect.poll(() => page.locator('.blocks').innerText()).toBe(came);
  });

  it('lets a selection be kept as a note', async () => {
    const page = await chat();
    await send(page, 'hello');
    await ended(page);
    await page.locator('.block p').first().selectText();
    await page.getByRole('button', { name: 'Save selection as note' }).click();
    await page.getByText('The note was saved.').waitFor();
  });
});

describe('a long conversation', () => {
  it('begins at its end, and stays in place while earlier turns come', async () => {
    const page = await chat();
    await fill(page, 60);
    const turns = page.locator('article');
    await expect.poll(() => page.locator('.page').evaluate((at) => at.scrollHeight - at.scrollTop - at.clientHeight)).toBeLessThan(40);
    const before = await turns.count();
    await page.locator('.page').evaluate((element) => element.scrollTo({ top: 0 }));
    const top = page.locator('.user').first();
    const words = (await top.textContent())?.trim() ?? '';
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await expect.poll(() => turns.count()).toBeGreaterThan(before);
    await expect.poll(() => page.getByText(words, { exact: true }).isVisible()).toBe(true);
  });

  it('does not move under the reader, and offers the way down', async () => {
    const page = await chat();
    await fill(page, 20);
    await field(page).fill('hello');
    await page.locator('.page').evaluate((element) => element.scrollTo({ top: 100 }));
    const below = page.getByRole('button', { name: 'New below' });
    await below.waitFor();
    await field(page).press('Enter');
    await page.waitForTimeout(500);
    expect(await page.locator('.page').evaluate((element) => element.scrollTop)).toBe(100);
    await below.click();
    await below.waitFor({ state: 'detached' });
  });
});

describe('a search', () => {
  it('leads to the turn where the words stand, however far back', async () => {
    const page = await chat();
    await fill(page, 60);
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox').first().fill('Question 3');
    await page.getByRole('button', { name: /Question 3(?!\d)/ }).last().click();
    const turn = page.locator('article.found');
    await turn.waitFor();
    await expect.poll(() => turn.evaluate((element) => Math.abs(element.getBoundingClientRect().top))).toBeLessThan(200);
    expect(await turn.locator('.user').textContent()).toContain('Question 3');
  });
});
