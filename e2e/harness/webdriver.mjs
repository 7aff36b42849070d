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

// An element is named as a reader would name it, by what it is and its words, or by a selector.
// The words of a label or button are its first line, or what a screen reader is told instead.

export const button = (name) => ({ kind: 'button, a, summary, [role=tab]', name });
export const choice = (name) => ({ kind: 'label:has(input)', name });
export const field = (name) => ({ kind: 'input, textarea, select, [contenteditable=true]', name });
export const region = (name) => ({ kind: 'section, article, nav, aside, [role=region]', name });
export const css = (kind) => ({ kind });

/** Runs in the page: the first element that can be seen and is named so. */
const LOCATE = `
  const { kind, name } = arguments[0];
  const firstLine = (text) => (text ?? '').trim().split('\\n')[0].trim();
  const namesOf = (it) => [
    it.getAttribute('aria-label'),
    it.title,
    firstLine(it.innerText),
    ...[...(it.labels ?? [])].map((label) => firstLine(label.innerText)),
  ];
  const isNamed = (it) => name === undefined || namesOf(it).includes(name);
  const found = [...document.querySelectorAll(kind)];
  const it = found.find((it) => isNamed(it) && it.checkVisibility({ visibilityProperty: true }));
`;

/** The driver takes its picture with the next frame, and a page at rest has none: a dot no eye sees. */
const KEEP_DRAWING = `
  const dot = (window.drawnDot = document.createElement('i'));
  dot.style.cssText = 'position: fixed; right: 0; bottom: 0; width: 1px; height: 1px';
  document.body.append(dot);
  let on = false;
  window.drawing = setInterval(() => {
    dot.style.background = (on = !on) ? 'rgb(0 0 0 / 0.004)' : 'transparent';
  }, 20);
`;

const spoken = ({ kind, name }) => (name === undefined ? kind : `“${name}” (${kind})`);

/** The page in a program's window. Whatever it is asked to act on, it waits for. */
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

  /** Whether the element can be seen now. */
  sees(what) {
    return this.run(`${LOCATE} return !!it;`, what);
  }

  /** Waits until the element can be seen. */
  see(what, patience) {
    return this.#wait(spoken(what), () => this.sees(what), patience);
  }

  /** Waits until the element can't be seen any more. */
  miss(what, patience) {
    return this.#wait(`no ${spoken(what)}`, async () => !(await this.sees(what)), patience);
  }

  /** The text of the element as a reader sees it; a field's is what it holds. */
  text(what) {
    return this.run(`${LOCATE} return it?.value ?? it?.innerText ?? '';`, what);
  }

  /** Waits until the element's text has the words. */
  read(what, words, patience) {
    const found = async () => (await this.text(what)).includes(words);
    return this.#wait(`“${words}” in ${spoken(what)}`, found, patience);
  }

  /** How many elements a selector finds. */
  count(selector) {
    return this.run('return document.querySelectorAll(arguments[0]).length;', selector);
  }

  /** Clicks as soon as the element takes it. */
  click(what, patience) {
    return this.#act(what, 'click', {}, patience);
  }

  /** Types behind what the element holds. */
  type(what, text) {
    return this.#act(what, 'value', { text });
  }

  /** Types in place of what the element holds. */
  async fill(what, text) {
    await this.#act(what, 'clear', {});
    await this.type(what, text);
  }

  /** Gives a file to a file field, which may be hidden behind a button. */
  async upload(selector, path) {
    const element = await this.run('return document.querySelector(arguments[0]);', selector);
    await ask('POST', `${this.#url}/element/${element[ELEMENT]}/value`, { text: path });
  }

  /** Presses keys together, in whatever has the focus. */
  async press(...keys) {
    const down = keys.map((value) => ({ type: 'keyDown', value }));
    const up = keys.toReversed().map((value) => ({ type: 'keyUp', value }));
    const actions = [{ type: 'key', id: 'keyboard', actions: [...down, ...up] }];
    await ask('POST', `${this.#url}/actions`, { actions });
  }

  /** Writes a picture of the page as it is drawn. */
  async picture(file) {
    await this.run(KEEP_DRAWING);
    const image = await ask('GET', `${this.#url}/screenshot`);
    await this.run('clearInterval(window.drawing); window.drawnDot.remove();');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(image, 'base64'));
  }

  /** Gives the window another size, in its own pixels. */
  async resize({ width, height }) {
    await ask('POST', `${this.#url}/window/rect`, { width, height });
    await this.runAsync('const [done] = arguments; requestAnimationFrame(() => setTimeout(done));');
  }

  /** Closes the window as its close button does. */
  async closeWindow() {
    await ask('DELETE', `${this.#url}/window`);
  }

  /** Does something to an element, again until it is there and takes it. */
  #act(what, action, body, patience) {
    return this.#wait(`${spoken(what)} to take a ${action}`, async () => {
      const element = await this.run(`${LOCATE} return it;`, what);
      if (!element) return false;
      await ask('POST', `${this.#url}/element/${element[ELEMENT]}/${action}`, body);
      return true;
    }, patience);
  }

  /** A wait in vain tells what the page showed instead. */
  async #wait(what, ask, patience) {
    try {
      await until(what, ask, patience);
    } catch (error) {
      const shown = await this.run('return document.body.innerText;').catch(() => '');
      error.message += `\nThe page shows:\n${shown.slice(0, 1500)}`;
      throw error;
    }
  }
}
