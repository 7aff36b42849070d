// The first-run guide in a real browser: its ways, its looks, its keyboard.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();
const DRESSES = [
  { lang: 'en', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const;

const guide = (scene: Scene = {}) => browser.open({ setup: 'new', ...scene });
const main = (page: Page) => page.locator('form button[type=submit]');
const place = (page: Page, kind: string) => page.locator(`input[name=place][value=${kind}]`);

/** Leads to the key step of a preset. */
async function toKey(page: Page, preset = 'deepseek'): Promise<void> {
  await main(page).click();
  await place(page, 'preset').check({ force: true });
  await page.locator(`input[value=${preset}]`).check({ force: true });
  await main(page).click();
  await page.getByLabel('Key', { exact: true }).waitFor();
}

describe.each(DRESSES)('the guide in $lang, $theme', (dress) => {
  const tag = `${dress.lang}-${dress.theme}`;

  it('leads from the look to a try, and each step can be read by everyone', async () => {
    const page = await guide({ ...dress, proof: 'tool_call', env: 1 });
    const look = async (name: string) => {
      await shoot(page, `setup-${name}-${tag}`);
      await expectAccessible(page);
    };
    await main(page).waitFor();
    await look('1-look');
    await main(page).click();
    await page.getByText('127.0.0.1:11434').waitFor();
    await look('2-local');
    await place(page, 'preset').check({ force: true });
    await look('2-preset');
    await page.locator('input[value=deepseek]').check({ force: true });
    await main(page).click();
    await page.locator('input.key').fill('sk-secret');
    await look('3-key');
    await main(page).click();
    await page.locator('ol li').first().waitFor();
    await look('4-before');
    await main(page).click();
    await page.locator('li.limited').waitFor();
    await page.locator('li.passed').nth(4).waitFor();
    await look('4-limited');
    await main(page).click();
    await page.locator('ul button').first().waitFor();
    await look('5-try');
  });

  it('explains a keyring that is missing and takes an explicit choice', async () => {
    const page = await guide({ ...dress, keyring: 'missing', local: 'none' });
    await main(page).click();
    await place(page, 'local').check({ force: true });
    await shoot(page, `setup-2-none-${tag}`);
    await expectAccessible(page);
    await place(page, 'preset').check({ force: true });
    await page.locator('input[value=mistral]').check({ force: true });
    await main(page).click();
    await page.locator('input.key').fill('sk-secret');
    expect(await main(page).isDisabled()).toBe(true);
    await page.locator('input[name=store]').last().check();
    await shoot(page, `setup-3-file-${tag}`);
    await expectAccessible(page);
  });

  it('waits for a browser that signs in', async () => {
    const page = await guide(dress);
    await main(page).click();
    await place(page, 'sign_in').check({ force: true });
    await page.locator('input[value=openrouter]').check({ force: true });
    await main(page).click();
    await page.locator('.attempt button').first().click();
    await page.getByText(/[45]:\d\d/).waitFor();
    await shoot(page, `setup-3-sign-in-${tag}`);
    await expectAccessible(page);
  });
});

describe('the guide', () => {
  it('opens a failed check with its remedy, and the button leads to the key', async () => {
    const page = await guide({ proof: 'key' });
    await toKey(page);
    await page.getByLabel('Key', { exact: true }).fill('sk-wrong');
    await main(page).click();
    await main(page).click();
    await page.getByText('does not accept the key').waitFor();
    await shoot(page, 'setup-4-failed');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change the key' }).click();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
  });

  it('masks the key until it is asked to show it, and never holds it after it was kept', async () => {
    const page = await guide();
    await toKey(page);
    const key = page.getByLabel('Key', { exact: true });
    await key.fill('sk-secret');
    expect(await key.getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show the key' }).click();
    expect(await key.getAttribute('type')).toBe('text');
    await main(page).click();
    await page.locator('ol li').first().waitFor();
    expect(await page.content()).not.toContain('sk-secret');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('A key is kept for this service.').waitFor();
    expect(await page.content()).not.toContain('sk-secret');
  });

  it('offers a key of the environment by its variable and does not take it unasked', async () => {
    const page = await guide({ env: 1 });
    await main(page).click();
    await place(page, 'preset').check({ force: true });
    await page.getByText('Key found in DEEPSEEK_API_KEY').waitFor();
    await page.locator('input[value=deepseek]').check({ force: true });
    await main(page).click();
    expect(await page.getByLabel('Type another key').isChecked()).toBe(true);
    expect(await main(page).isDisabled()).toBe(true);
    await page.getByLabel(/Copy it from DEEPSEEK_API_KEY/).check();
    expect(await main(page).isDisabled()).toBe(false);
  });

  it('finds a service by its Chinese name in an English window', async () => {
    const page = await guide();
    await main(page).click();
    await place(page, 'preset').check({ force: true });
    await page.getByRole('searchbox').fill('智谱');
    expect(await page.getByRole('radiogroup').getByRole('radio').count()).toBe(1);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No service of this name').waitFor();
  });

  it('leads on with the Enter of a person and not with that of an input method', async () => {
    const page = await guide();
    await toKey(page);
    const key = page.getByLabel('Key', { exact: true });
    await key.fill('sk-secret');
    const prevented = await key.evaluate((field) =>
      !field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
      ),
    );
    expect(prevented).toBe(true);
    await key.press('Enter');
    await page.locator('ol li').first().waitFor();
  });

  it('changes language and look as they are chosen', async () => {
    const page = await guide();
    await page.getByText('中文').click();
    await page.getByRole('heading', { name: '语言与外观' }).waitFor();
    await page.getByText('深色').click();
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('puts a chosen prompt into the chat', async () => {
    const page = await guide();
    await main(page).click();
    await main(page).click();
    await page.locator('ol li').first().waitFor();
    await page.getByRole('button', { name: 'Skip for now' }).click();
    await page.getByRole('button', { name: /Save a note/ }).click();
    await page.locator('form[aria-label="Set up Talaria"]').waitFor({ state: 'detached' });
    await page.getByText('three-day trip to Hangzhou').first().waitFor();
  });

  it('picks a model by typing, and takes a name that is not listed', async () => {
    const page = await guide();
    await toKey(page);
    await page.getByLabel('Key', { exact: true }).fill('sk-secret');
    await main(page).click();
    const model = page.getByRole('combobox', { name: 'Model' });
    await expect.poll(() => model.inputValue()).toBe('deepseek-chat');
    await model.click();
    await model.fill('reason');
    await page.getByRole('option', { name: /deepseek-reasoner/ }).click();
    await expect.poll(() => model.inputValue()).toBe('deepseek-reasoner');
    await model.fill('my-own');
    await page.getByRole('option', { name: 'Use “my-own”' }).click();
    await expect.poll(() => model.inputValue()).toBe('my-own');
  });

  it.each([
    { width: 720, height: 600, zoom: 100 },
    { width: 720, height: 700, zoom: 200 },
  ])('keeps its buttons in sight at $width × $height and $zoom %', async (size) => {
    const page = await guide(size);
    await main(page).click();
    await page.getByText('A service I have a key for').click();
    const box = await main(page).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide).toBe(false);
    await shoot(page, `setup-small-${size.zoom}`);
  });
});
