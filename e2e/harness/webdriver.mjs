// A small WebDriver client: the part of the protocol that the journeys need, over fetch.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { until } from './process.mjs';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** The keys that have no character. */
export const Key = { Enter: '\uE007', Escape: '\uE00C', Shift: '\uE008', Control: '\uE009' };

async function ask(method, url, body) {
  const response = await fetch(url, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const { value } = await response.json();
  if (value?.error) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** Whether the driver takes sessions. */
export async function isReady(driver) {
  return (await ask('GET', `${driver}/status`)).ready;
}

/** The page in a program's window. An element is named by a CSS selector, and waited for. */
export class Page {
  #url;

  static async open(driver, program) {
    const options = { 'webkitgtk:browserOptions': { binary: program, args: [] } };
    const { sessionId } = await ask('POST', `${driver}/session`, {
      capabilities: { alwaysMatch: options },
    });
    const page = new Page();
    page.#url = `${driver}/session/${sessionId}`;
    return page;
  }

  /** Runs the body of a function in the page, with `arguments`. */
  run(script, ...args) {
    return ask('POST', `${this.#url}/execute/sync`, { script, args });
  }

  /** The same for a body that calls its last argument when it is done. */
  runAsync(script, ...args) {
    return ask('POST', `${this.#url}/execute/async`, { script, args });
  }

  async #find(selector, patience) {
    return until(`“${selector}” to be there`, async () => {
      const value = { using: 'css selector', value: selector };
      const found = await ask('POST', `${this.#url}/element`, value);
      return `${this.#url}/element/${found[ELEMENT]}`;
    }, patience);
  }

  /** Waits until the element is there and can be seen. */
  async see(selector, patience) {
    await until(`“${selector}” to be seen`, () => this.isSeen(selector), patience);
  }

  isSeen(selector) {
    const seen = 'const it = document.querySelector(arguments[0]); return !!it?.checkVisibility();';
    return this.run(seen, selector);
  }

  count(selector) {
    return this.run('return document.querySelectorAll(arguments[0]).length;', selector);
  }

  /** The text of the element as a reader sees it. */
  text(selector) {
    return this.run('return document.querySelector(arguments[0])?.innerText ?? "";', selector);
  }

  /** Waits until the element's text has the words. */
  async read(selector, words, patience) {
    const found = async () => (await this.text(selector)).includes(words);
    await until(`“${words}” in “${selector}”`, found, patience).catch(async (error) => {
      error.message += `; it has: ${(await this.text(selector)).slice(0, 500)}`;
      throw error;
    });
  }

  /** Clicks as soon as the element can be clicked. */
  async click(selector, patience) {
    await until(`“${selector}” to take a click`, async () => {
      await ask('POST', `${await this.#find(selector, patience)}/click`, {});
      return true;
    }, patience);
  }

  /** Types into the element, behind what it holds. */
  async type(selector, text) {
    await ask('POST', `${await this.#find(selector)}/value`, { text });
  }

  /** Types in place of what the element holds. */
  async fill(selector, text) {
    await ask('POST', `${await this.#find(selector)}/clear`, {});
    await this.type(selector, text);
  }

  /** Presses keys together, in whatever has the focus. */
  async press(...keys) {
    const down = keys.map((value) => ({ type: 'keyDown', value }));
    const up = keys.toReversed().map((value) => ({ type: 'keyUp', value }));
    const actions = [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }];
    await ask('POST', `${this.#url}/actions`, { actions });
  }

  /** Writes a picture of the page, once it has settled for two frames. */
  async picture(file) {
    await this.runAsync(
      'const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done));',
    );
    const image = await ask('GET', `${this.#url}/screenshot`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(image, 'base64'));
  }

  /** Closes the window as its close button does. */
  async closeWindow() {
    await ask('DELETE', `${this.#url}/window`);
  }

  /** Ends the session, and with it the program. */
  async end() {
    await ask('DELETE', this.#url);
  }
}
