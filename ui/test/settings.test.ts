// The settings in a real browser.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { SECTIONS, type Section } from '../src/lib/setting/section';
import { expectAccessible, shoot, useBrowser, type Scene } from './browser';

const browser = useBrowser();

async function settings(section: Section, scene: Scene = {}): Promise<Page> {
  const page = await browser.open(scene);
  const name = scene.lang === 'zh-CN' ? '设置' : 'Settings';
  await page.getByRole('button', { name, exact: true }).click();
  await page.locator('nav.sections li button').nth(SECTIONS.indexOf(section)).click();
  return page;
}

describe.each([
  { lang: 'en', theme: 'light' },
  { lang: 'zh-CN', theme: 'dark' },
] as const)('the settings in $lang, $theme', (dress) => {
  it('can be read by everyone in each section', async () => {
    const page = await settings('general', { ...dress, damaged: '/home/ada/.local/share/talaria/talaria.db.damaged' });
    for (const [index, section] of SECTIONS.entries()) {
      await page.locator('nav.sections li button').nth(index).click();
      await page.waitForTimeout(100);
      await shoot(page, `settings-${section}-${dress.lang}-${dress.theme}`);
      await expectAccessible(page);
    }
  });
});

describe('searching the web', () => {
  it('is set up with a key, tried, and given up again', async () => {
    const page = await settings('web');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const service = page.getByLabel('Search service');
    await service.selectOption('Tavily');
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Key', { exact: true }).fill('tvly-1');
    await save.click();
    await page.getByText('A key is kept').waitFor();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByRole('link', { name: 'About news of today' }).waitFor();
    await shoot(page, 'settings-web-tried');
    await expectAccessible(page);
    await service.selectOption('None');
    await save.click();
    await expect.poll(() => page.getByRole('button', { name: 'Try it' }).count()).toBe(0);
  });

  it('names the hosts of the own network that may be visited', async () => {
    const page = await settings('web');
    await page.getByLabel('Host', { exact: true }).fill(' LocalHost ');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove: localhost' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Remove: localhost' }).count()).toBe(0);
  });
});

describe('the rules', () => {
  it('are added, changed and removed', async () => {
    const page = await settings('permissions');
    await page.getByText('No rules yet').waitFor();
    const add = page.getByRole('button', { name: 'Add the rule' });
    expect(await add.isDisabled()).toBe(true);
    await page.getByLabel('Tool', { exact: true }).fill('terminal');
    await page.getByLabel('What it is about').fill('git status');
    await page.getByLabel('Then').selectOption('allow');
    await add.click();
    const verdict = page.getByLabel('What to do: terminal · git status');
    await verdict.selectOption('deny');
    await expect.poll(() => verdict.inputValue()).toBe('deny');
    await shoot(page, 'settings-rules');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove the rule: terminal · git status' }).click();
    await page.getByText('No rules yet').waitFor();
  });
});

describe('the settings', () => {
  it('resize everything, within bounds', async () => {
    const page = await settings('general', { zoom: 175 });
    const larger = page.getByRole('button', { name: 'Larger' });
    await larger.click();
    await page.getByText('200 %').waitFor();
    expect(await larger.isDisabled()).toBe(true);
    await expect.poll(() => page.evaluate(() => document.documentElement.style.fontSize)).toBe('200%');
    await shoot(page, 'settings-200');
    await page.getByRole('button', { name: 'Back to 100 %' }).click();
    await expect.poll(() => page.evaluate(() => document.documentElement.style.fontSize)).toBe('100%');
  });

  it('tell how long traces are kept, and of how much', async () => {
    const page = await settings('general');
    await page.getByLabel('Keep traces').selectOption('90 days');
    await expect.poll(() => page.getByLabel('Keep traces').inputValue()).toBe('90');
    const bodies = page.getByRole('group', { name: 'Keep whole requests in traces' });
    await bodies.getByText('Yes').click();
    await expect.poll(() => bodies.getByLabel('Yes').isChecked()).toBe(true);
  });

  it('ask before a service and its key are removed', async () => {
    const page = await settings('services');
    await page.getByRole('button', { name: 'Remove Ollama' }).click();
    await page.getByText('Its key is deleted too.').waitFor();
    await shoot(page, 'settings-remove');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Remove Ollama' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Remove Ollama' }).count()).toBe(0);
  });

  it('test a service again in the guide and come back', async () => {
    const page = await settings('services', { proof: 'key' });
    await page.getByRole('button', { name: 'Test again: DeepSeek' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('does not accept the key').waitFor();
    await shoot(page, 'settings-check');
    await page.locator('form').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Test again: DeepSeek' }).waitFor();
  });

  it('keep an ordered list of models that step in, by keyboard alone', async () => {
    const page = await settings('models');
    const rows = page.getByTestId('fallbacks').locator('li .model');
    await page.getByText('None: a turn fails when its model is out.').waitFor();
    const adding = page.getByRole('group', { name: 'Add a model' });
    const add = async (service: string, model: string) => {
      await adding.getByLabel('Service').selectOption({ label: service });
      const field = adding.getByRole('combobox', { name: 'Model' });
      await field.fill(model);
      await page.getByRole('option', { name: model }).first().waitFor();
      await field.press('ArrowDown');
      await field.press('Enter');
      await rows.filter({ hasText: model }).waitFor();
      expect(await field.inputValue()).toBe('');
    };
    await add('Ollama', 'gemma3:4b');
    await add('DeepSeek', 'deepseek-reasoner');
    await add('Ollama', 'qwen3:8b');
    await shoot(page, 'settings-fallbacks');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Move qwen3:8b up' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows.allTextContents()).toEqual(['gemma3:4b', 'qwen3:8b', 'deepseek-reasoner']);
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => rows.allTextContents()).toEqual(['qwen3:8b', 'gemma3:4b', 'deepseek-reasoner']);
    await page.getByText('qwen3:8b is now number 1 of 3.').waitFor();
    await page.getByRole('button', { name: 'Remove gemma3:4b' }).press('Enter');
    await expect.poll(() => rows.allTextContents()).toEqual(['qwen3:8b', 'deepseek-reasoner']);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove deepseek-reasoner');
  });

  it('tell what is known of a model and from whom, and take a correction', async () => {
    const page = await settings('models');
    const row = (name: string) => page.getByRole('row', { name });
    await row('Context window').getByText('131,072 tokens').waitFor();
    await row('Context window').getByText('the service').waitFor();
    await row('Price of a million tokens').getByText('table of').waitFor();
    const size = page.getByLabel('Context window, in tokens');
    await size.fill('12');
    await size.press('Tab');
    await page.getByText('At least 1,024 tokens.').waitFor();
    await size.fill('65536');
    await size.press('Enter');
    await row('Context window').getByText('65,536 tokens').waitFor();
    await page.getByLabel('Takes images').selectOption('no');
    await row('Images').getByText('your setting').waitFor();
    await shoot(page, 'settings-facts');
    await expectAccessible(page);
    await size.fill('');
    await size.press('Enter');
    await row('Context window').getByText('131,072 tokens').waitFor();
    await page.getByRole('group', { name: 'What is known of a model' }).getByLabel('Service').selectOption('ollama');
    const model = page.getByRole('group', { name: 'What is known of a model' }).getByRole('combobox', { name: 'Model' });
    await model.fill('gemma');
    await page.getByRole('option', { name: /gemma3/ }).click();
    await row('Price of a million tokens').getByText('not known').waitFor();
    expect(await page.getByLabel('Takes images').inputValue()).toBe('');
  });

  it('name the place keys are kept in, and change it on request only', async () => {
    const page = await settings('keys');
    await page.getByText('Secret Service').first().waitFor();
    await page.getByRole('button', { name: 'Keep keys elsewhere' }).click();
    await page.getByRole('radio', { name: /Encrypted file/ }).check();
    await page.getByLabel('Passphrase', { exact: true }).last().fill('short');
    await page.getByRole('button', { name: 'Create the file' }).click();
    await page.getByText('At least 8 characters.', { exact: true }).waitFor();
    await page.getByLabel('Passphrase', { exact: true }).last().fill('long enough');
    await page.getByLabel('Passphrase again').fill('long enough');
    await page.getByLabel('Passphrase again').press('Enter');
    await page.getByText('Encrypted file').first().waitFor();
    await page.getByRole('button', { name: 'Keep keys elsewhere' }).waitFor();
  });

  it('choose another folder for notes and go back to the usual one', async () => {
    const page = await settings('notes');
    await page.getByRole('button', { name: 'Choose a folder' }).click();
    await page.getByText('/home/ada/Documents/notes').waitFor();
    await page.getByText('Notes are not moved.').waitFor();
    await page.getByRole('button', { name: 'Use the usual folder' }).click();
    await page.getByText('/home/ada/.local/share/talaria/notes').waitFor();
  });

  it('run the check-up and list what it found', async () => {
    const page = await settings('about');
    await page.getByRole('button', { name: 'Run the check-up' }).click();
    await page.getByText('Everything is as it should be.').waitFor();
    await shoot(page, 'settings-doctor');
  });

  it('fit a small window', async () => {
    const page = await settings('services', { width: 720, height: 600 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide).toBe(false);
    await shoot(page, 'settings-small');
  });
});
