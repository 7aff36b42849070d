// The traces in a real browser.

import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser } from './browser';

const browser = useBrowser();

describe.each([
  { lang: 'en', theme: 'light', name: 'Traces', turn: 'Turn' },
  { lang: 'zh-CN', theme: 'dark', name: '轨迹', turn: '本轮' },
] as const)('the traces in $lang, $theme', ({ name, turn, ...dress }) => {
  it('show what a turn did, and are read by everyone', async () => {
    const page = await browser.open(dress);
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('button', { name: '番茄种在哪里' }).click();
    const spans = page.getByTestId('spans');
    await spans.getByText(turn, { exact: true }).waitFor();
    expect(await spans.locator('li').count()).toBe(4);
    await spans.getByText('run_command', { exact: true }).click();
    await spans.getByText('wc -l plan.md').waitFor();
    await shoot(page, `traces-${dress.lang}-${dress.theme}`);
    await expectAccessible(page);
  });
});

describe('the traces', () => {
  it('are searched', async () => {
    const page = await browser.open({ width: 720 });
    await page.getByRole('button', { name: 'Traces', exact: true }).click();
    await page.getByLabel('Search traces').fill('week');
    await expect.poll(() => page.getByRole('navigation', { name: 'Traces' }).locator('li').count()).toBe(1);
    await page.getByLabel('Search traces').fill('nowhere');
    await page.getByText('Nothing found for “nowhere”.').waitFor();
    await shoot(page, 'traces-none-found');
  });

  it('say what they are for while there are none', async () => {
    const page = await browser.open({ traces: 'none' });
    await page.getByRole('button', { name: 'Traces', exact: true }).click();
    await page.getByText('No traces yet').waitFor();
    await shoot(page, 'traces-empty');
    await expectAccessible(page);
  });
});
