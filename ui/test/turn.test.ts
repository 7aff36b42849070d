// How turns went, in a real browser: what they took, notices, retries, failures, thoughts.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();

const field = (page: Page) => page.locator('main textarea');

/** A chat in which one message was sent. */
async function turn(scene: Scene): Promise<Page> {
  const page = await browser.open(scene);
  await field(page).fill('hello');
  await field(page).press('Enter');
  return page;
}

const ended = (page: Page) => page.locator('article .facts').waitFor();
const usage = (page: Page) => page.locator('article .usage-line');
const card = (page: Page) => page.getByTestId('error-card');

const SCENES = [
  'switched',
  'input_cut',
  'no_tools',
  'recovered',
  'length',
  'content_filter',
  'stream_cut',
  'rate_limited',
  'context_overflow',
  'billing',
  'bad_response',
];

describe.each([
  { lang: 'en', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const)('a turn in $lang, $theme', (dress) => {
  it.each(SCENES)('can be read by everyone: %s', async (scene) => {
    const page = await turn({ ...dress, turn: scene });
    await ended(page);
    await shoot(page, `turn-${scene}-${dress.lang}`);
    await expectAccessible(page);
  });

  it('tells what it took, exactly on demand', async () => {
    const page = await turn(dress);
    await ended(page);
    await usage(page).focus();
    await page.getByRole('tooltip').waitFor();
    await shoot(page, `turn-usage-${dress.lang}`);
    await expectAccessible(page);
  });

  it('counts down to the next attempt', async () => {
    const page = await turn({ ...dress, turn: 'retrying' });
    await page.getByTestId('retry').waitFor();
    await shoot(page, `turn-retrying-${dress.lang}`);
    await expectAccessible(page);
  });
});

describe('what a turn took', () => {
  it('stands under the answer and, summed, above the session', async () => {
    const page = await turn({});
    await ended(page);
    expect(await usage(page).textContent()).toBe('1,240 in · 85 % cached · 320 out · $0.0021');
    await field(page).fill('again');
    await field(page).press('Enter');
    await expect.poll(() => page.locator('header .usage-line').textContent()).toBe('2,480 in · 85 % cached · 640 out · $0.0042');
  });

  it.each([
    ['unpriced', '1,240 in · 85 % cached · 320 out'],
    ['free', '1,240 in · 85 % cached · 320 out · free'],
  ])('has no price that nobody told: %s', async (told, text) => {
    const page = await turn({ usage: told });
    await ended(page);
    expect(await usage(page).textContent()).toBe(text);
  });

  it('is not said if the service reports nothing', async () => {
    const page = await turn({ usage: 'none' });
    await ended(page);
    expect(await page.locator('.usage-line').count()).toBe(0);
  });

  it('is told of a failed turn too, by keyboard alone', async () => {
    const page = await turn({ turn: 'stream_cut' });
    await ended(page);
    await usage(page).focus();
    await page.getByRole('tooltip').getByText('From the cache').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
  });
});

describe('a notice', () => {
  it('of another model says which answers now, and leads to the settings of models', async () => {
    const page = await turn({ turn: 'switched' });
    await ended(page);
    await page.getByText('deepseek-chat answers instead of qwen3:8b.').waitFor();
    expect(await page.locator('article .facts').textContent()).toContain('deepseek-chat');
    await page.getByTestId('notice').getByRole('button', { name: 'Model settings' }).click();
    await page.getByRole('heading', { name: 'Models that step in' }).waitFor();
  });

  it('of a later version leaves the rest of the page as it is', async () => {
    const page = await turn({ turn: 'unknown' });
    await page.getByTestId('answer').getByText('Say what should change').waitFor();
    expect(await page.getByTestId('notice').count()).toBe(0);
  });
});

describe('a request that failed', () => {
  it('is sent again after a countdown, and the answer comes', async () => {
    const page = await turn({ turn: 'retried' });
    await page.getByText('Trying again now (attempt 2).').waitFor();
    await page.getByTestId('answer').getByText('Say what should change').waitFor();
    expect(await page.getByTestId('retry').count()).toBe(0);
  });

  it('can be stopped while it waits', async () => {
    const page = await turn({ turn: 'retrying' });
    const seconds = async () => Number(/in (\d+) s/.exec((await page.getByRole('timer').textContent()) ?? '')?.[1]);
    const first = await seconds();
    await expect.poll(seconds).toBeLessThan(first);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    expect(await page.getByTestId('retry').count()).toBe(0);
  });
});

describe('a failed turn', () => {
  it('keeps its words and marks where they break off', async () => {
    const page = await turn({ turn: 'timeout' });
    await card(page).waitFor();
    expect(await page.getByTestId('answer').textContent()).toContain('The first three');
    await page.getByText('The answer breaks off here.').waitFor();
  });

  it.each([
    ['rate_limited', 'Please try again in 6 min 40 s.', 'Try again'],
    ['context_overflow', '131,072 tokens', 'New session'],
    ['billing', 'no credit', 'Open the services'],
    ['bad_response', 'address and protocol', 'Open the services'],
  ])('of %s says what to do', async (code, words, button) => {
    const page = await turn({ turn: code });
    await card(page).getByText(words).waitFor();
    await card(page).getByRole('button', { name: button }).waitFor();
  });

  it('whose model is not there leads to the choice of another', async () => {
    const page = await turn({ turn: 'model_not_found' });
    await card(page).getByRole('button', { name: 'Choose another model' }).click();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Model');
  });
});

describe('a step', () => {
  it('that was printed as text says so', async () => {
    const page = await turn({ turn: 'recovered' });
    const step = page.getByTestId('tool-step');
    expect(await step.getByText('read from text').getAttribute('title')).toContain('printed this call as text');
    await step.locator('summary').first().click();
    await step.getByText('The model printed this call as text.').waitFor();
  });

  it('of thoughts that the service keeps has nothing to open', async () => {
    const page = await turn({ turn: 'hidden_thoughts' });
    const thought = page.getByTestId('thought');
    await thought.getByRole('timer').waitFor();
    await shoot(page, 'turn-thinking');
    await thought.getByText('Thought for 4').waitFor();
    await thought.getByText('keeps its thoughts to itself').waitFor();
    expect(await page.locator('details[data-testid=thought]').count()).toBe(0);
    await ended(page);
    await shoot(page, 'turn-thought');
    await expectAccessible(page);
  });
});

it('an answer that reached its limit goes on when asked', async () => {
  const page = await turn({ turn: 'length' });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.user', { hasText: 'Please continue.' }).waitFor();
});
