// A real browser for the component tests: pages of the built interface over the fake backend.

import { mkdir } from 'node:fs/promises';

import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';

/** How a page is opened: its query sets the scene of the fake backend. */
export type Scene = {
  lang?: 'en' | 'zh-CN';
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  [key: string]: string | number | undefined;
};

const SHOTS = new URL('./out/', import.meta.url).pathname;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser for the tests of one file. */
export function useBrowser(): { open: (scene?: Scene) => Promise<Page> } {
  let browser: Browser;
  beforeAll(async () => {
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  // A page left open goes on working behind the next one.
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => browser.close());
  return {
    async open({ width = 1360, height = 860, ...scene } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
      const page = await context.newPage();
      page.on('pageerror', (error) => {
        throw error;
      });
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ lang: 'en', theme: 'light', ...scene })) {
        if (value !== undefined) query.set(name, String(value));
      }
      await page.goto(`${inject('address')}?${query}`);
      return page;
    },
  };
}

/** Keeps a picture of the page to look at. */
export async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}${name}.png` });
}

/** No fault of the accessibility checker that a user would stumble over. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const faults = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  });
  expect(faults).toEqual([]);
}
