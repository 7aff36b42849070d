// A conversation in the real window: what stands in it, and how a journey takes part.

import { access } from 'node:fs/promises';

import { openDesktop } from '../harness/desktop.mjs';
import { openService } from '../harness/scripted-service.mjs';
import { Key, css } from '../harness/webdriver.mjs';
import { writeSettings } from './settings.mjs';

/** A question of the turn, and the answers for leave. */
export const CARD = css('[data-testid=question]');
export const ALLOW = css('[data-testid=allow-once]');
export const DENY = css('[data-testid=deny]');

/** Sends a message. */
export async function say(page, words) {
  await page.see(css('[data-testid=send]'));
  await page.type(css('main textarea'), words);
  await page.press(Key.Enter);
}

/** Whether there is such a file. */
export function isThere(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** A desktop whose settings name a scripted service; both end with the test. */
export async function prepared(t, look) {
  const service = await openService();
  const desktop = await openDesktop({ keyring: false });
  t.after(async () => {
    await desktop.close();
    await service.close();
  });
  await writeSettings(desktop, service, look);
  return desktop;
}
