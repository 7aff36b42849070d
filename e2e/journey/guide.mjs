// The way through the first-run guide, step by step.

import { button, choice, field } from '../harness/webdriver.mjs';

/** Chooses the language and the look, which take effect at once. */
export async function chooseLook(page, words) {
  await page.click(choice(words.language));
  await page.click(choice(words.theme));
  await page.see(button(words.continue));
}

/** Names the service at an address of the user's own, with its key. */
export async function chooseAddress(page, words, { url, key }) {
  await page.click(choice(words.anotherAddress));
  await page.fill(field(words.address), url);
  await page.click(button(words.continue));
  await page.fill(field(words.key), key);
  await page.click(button(words.continue));
}

/** Runs the checks; `verdict` is what the guide then says. */
export async function prove(page, words, verdict) {
  await page.click(button(words.check));
  await page.see(text(verdict), 90_000);
  await page.click(button(words.continue));
}

const text = (name) => ({ kind: 'form p, form span, form strong, form div', name });
