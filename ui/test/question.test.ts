// What a turn asks, shows of its plan, and lets run behind it, in a real browser.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();

/** A chat in which one message was sent. */
async function turn(scene: Scene): Promise<Page> {
  const page = await browser.open(scene);
  const field = page.locator('main textarea');
  await field.fill('hello');
  await field.press('Enter');
  return page;
}

const card = (page: Page) => page.getByTestId('question');
const steps = (page: Page) => page.getByTestId('tool-step');

describe.each([
  { lang: 'en', theme: 'light' },
  { lang: 'en', theme: 'dark' },
  { lang: 'zh-CN', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const)('the questions in $lang, $theme', (dress) => {
  it.each(['command', 'write', 'choice'])('can be read by everyone: %s', async (scene) => {
    const page = await turn({ ...dress, turn: scene });
    await card(page).waitFor();
    await shoot(page, `question-${scene}-${dress.lang}-${dress.theme}`);
    await expectAccessible(page);
  });
});

describe('a question for leave', () => {
  it('has no default yes: no key and no click beside says it', async () => {
    const page = await turn({ turn: 'command' });
    await card(page).waitFor();
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
    expect(focused).not.toBe('allow-once');
    for (const key of ['Enter', 'Space', 'y', 'Control+Enter']) await page.keyboard.press(key);
    await card(page).getByLabel('What to do instead').press('Enter');
    await card(page).getByText('Run a command').click();
    await page.waitForTimeout(200);
    expect(await card(page).count()).toBe(1);
  });

  it('comes with no before yes on the way of the tabulator, and says until when', async () => {
    const page = await turn({ turn: 'command' });
    await card(page).getByLabel('What to do instead').focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Deny');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Allow once');
    await card(page).getByText('Without an answer by').waitFor();
  });

  it('shows the whole command and why it is asked', async () => {
    const page = await turn({ turn: 'command' });
    await card(page).getByText('xargs -0 rm -v').waitFor();
    await card(page).getByText('removes more than named files, for good').waitFor();
    await card(page).getByText('no network').waitFor();
  });

  it('says why in Chinese to a Chinese reader', async () => {
    const page = await turn({ turn: 'command', lang: 'zh-CN' });
    await card(page).getByText('可能造成无法挽回的后果（删除的不只是指明的文件，且无法恢复）。').waitFor();
  });

  it('takes room and leaves what came last in sight', async () => {
    const page = await turn({ turn: 'command', height: 440 });
    await card(page).waitFor();
    const below = () => page.getByRole('log').evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
    await expect.poll(below).toBeLessThan(2);
    // Who goes up to read stays there, whatever comes.
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -2_000);
    await expect.poll(below).toBeGreaterThan(40);
    await card(page).getByTestId('deny').click();
    await card(page).waitFor({ state: 'detached' });
    expect(await page.getByRole('log').evaluate((it) => it.scrollTop)).toBe(0);
  });

  it('is a no with words for the model', async () => {
    const page = await turn({ turn: 'command' });
    await card(page).getByLabel('What to do instead').fill('move them');
    await card(page).getByTestId('deny').click();
    await steps(page).getByText('Denied by you').waitFor();
    expect(await card(page).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('composer');
  });

  it('offers to remember, and says of what', async () => {
    const page = await turn({ turn: 'command' });
    await card(page).getByLabel('More').click();
    const choices = page.getByRole('menuitem');
    await choices.first().waitFor();
    expect(await choices.allTextContents()).toEqual(['Allow this in this session', 'Always allow this']);
    await page.keyboard.press('Escape');
    await card(page).getByTestId('allow-once').click();
    await card(page).waitFor({ state: 'detached' });
  });
});

describe('a question of the model', () => {
  it('is answered with an option, or in own words', async () => {
    let page = await turn({ turn: 'choice' });
    await card(page).getByRole('button', { name: '四号地，向阳' }).click();
    await card(page).waitFor({ state: 'detached' });
    page = await turn({ turn: 'choice' });
    const send = card(page).getByRole('button', { name: 'Answer' });
    expect(await send.isDisabled()).toBe(true);
    await card(page).getByText('it goes on without one').waitFor();
    await card(page).getByLabel('In your own words').fill('neither');
    await send.click();
    await card(page).waitFor({ state: 'detached' });
  });
});

describe('commands in the background', () => {
  it('are counted beside the composer, shown with their output, and stopped', async () => {
    const page = await browser.open({ processes: 'some' });
    await page.getByTestId('processes').click();
    const list = page.locator('.process-box');
    await list.getByText('http.server').waitFor();
    expect(await list.locator('pre').last().textContent()).toContain('30  bed 4');
    expect(await list.locator('pre').last().textContent()).not.toContain('1  bed 0: 浇水 OK\n2  ');
    await list.getByText('Exit code 2').waitFor();
    await shoot(page, 'processes-en-light');
    await expectAccessible(page);
    await list.getByRole('button', { name: /^Stop: python/ }).click();
    await list.getByText('Ended').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByTestId('processes').count()).toBe(0);
  });

  it('read as well in Chinese and in the dark', async () => {
    const page = await browser.open({ processes: 'some', lang: 'zh-CN', theme: 'dark' });
    await page.getByTestId('processes').click();
    await page.getByText('已运行').waitFor();
    await shoot(page, 'processes-zh-CN-dark');
    await expectAccessible(page);
  });
});

describe('the plan of a running turn', () => {
  it('stays above the composer, and opens', async () => {
    const page = await turn({ turn: 'plan' });
    const plan = page.getByTestId('plan');
    await plan.getByText('Plan: 1 of 3').waitFor();
    await plan.locator('summary').click();
    await plan.getByText('Order seeds').waitFor();
    await shoot(page, 'plan-en-light');
    // It goes with its turn.
    await plan.waitFor({ state: 'detached' });
  });
});
