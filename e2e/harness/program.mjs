// The program under test, in its real window on a desktop of its own.

import { readdir, readFile, readlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort, start, stop, until } from './process.mjs';
import { Page, isReady } from './webdriver.mjs';

const E2E = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where pictures go. */
export const PICTURES = join(E2E, 'out');

/** A program that cargo built for the tests. */
export function built(name, profile = 'debug') {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const target = process.env.CARGO_TARGET_DIR || join(cache, 'talaria', 'target');
  return join(target, profile, name);
}

/** Starts the window on a desktop. It can be started again there, and finds what it left. */
export async function openProgram(desktop, { binary = built('talaria-desktop') } = {}) {
  const port = await freePort();
  const env = { ...desktop.env, TAURI_WEBVIEW_AUTOMATION: 'true' };
  const driver = start('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], { env });
  const address = `http://127.0.0.1:${port}`;
  await until('the window’s driver', () => isReady(address));
  const page = await Page.open(address, binary);
  const pid = await until('the program', () => processOf(binary, driver.pid));
  return {
    page,
    pid,
    /** Ends it as a user does. */
    async close() {
      await page.closeWindow().catch(() => {});
      await gone(pid);
      await stop(driver);
    },
    /** Ends it as a power cut does. */
    async kill() {
      process.kill(pid, 'SIGKILL');
      await gone(pid);
      await stop(driver);
    },
  };
}

/** The ids of a process and all that it started. */
export async function family(pid) {
  const parents = new Map();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // The name in parentheses may itself hold spaces and parentheses.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    parents.set(Number(entry), parent);
  }
  const ids = [pid];
  for (const id of ids) {
    for (const [child, parent] of parents) if (parent === id) ids.push(child);
  }
  return ids;
}

async function processOf(binary, driver) {
  for (const id of await family(driver)) {
    if ((await readlink(`/proc/${id}/exe`).catch(() => '')) === binary) return id;
  }
  return undefined;
}

async function gone(pid) {
  await until(`process ${pid} to end`, async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    return stat === '' || stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  });
}
