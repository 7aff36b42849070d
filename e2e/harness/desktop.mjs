// A desktop without a screen: display, window manager, session bus and an unlocked keyring,
// in folders of its own so that nothing of the tester's is read or changed.

import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run, start, stop, until } from './process.mjs';

const KEPT_VARIABLES = ['PATH', 'USER', 'LOGNAME', 'CARGO_TARGET_DIR'];

/** Starts a desktop. `language` is the system's, as a locale name. */
export async function openDesktop({ language = 'en_US.UTF-8', keyring = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'talaria-e2e-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const env = await privateEnvironment(folder, language);
  const children = [];
  const own = (child) => {
    children.unshift(child);
    return child;
  };
  const desktop = {
    folder,
    env,
    dataRoot: env.TALARIA_HOME,
    async close() {
      for (const child of children) await stop(child);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    env.DISPLAY = await openDisplay(env, own);
    own(start('openbox', [], { env }));
    env.DBUS_SESSION_BUS_ADDRESS = await openBus(env, own);
    if (keyring) await unlockKeyring(env, own);
    return desktop;
  } catch (error) {
    await desktop.close();
    throw error;
  }
}

async function privateEnvironment(folder, language) {
  const env = { LANG: language, LANGUAGE: language, NO_AT_BRIDGE: '0', GTK_THEME: 'Adwaita' };
  for (const name of KEPT_VARIABLES) {
    if (process.env[name]) env[name] = process.env[name];
  }
  const folders = {
    HOME: 'home',
    TALARIA_HOME: 'data',
    XDG_DATA_HOME: 'share',
    XDG_CONFIG_HOME: 'config',
    XDG_CACHE_HOME: 'cache',
    XDG_STATE_HOME: 'state',
    XDG_RUNTIME_DIR: 'runtime',
  };
  for (const [name, place] of Object.entries(folders)) {
    env[name] = join(folder, place);
    await mkdir(env[name], { mode: 0o700 });
  }
  return env;
}

async function openDisplay(env, own) {
  const args = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'];
  const server = own(start('Xvfb', args, { env, fds: ['pipe'] }));
  let number = '';
  server.stdio[3].setEncoding('utf8').on('data', (chunk) => {
    number += chunk;
  });
  await until('the display', () => number.endsWith('\n'));
  return `:${number.trim()}`;
}

async function openBus(env, own) {
  const bus = own(start('dbus-daemon', ['--session', '--nofork', '--print-address=1'], { env }));
  return until('the session bus', () => /unix:\S+/.exec(bus.said)?.[0]);
}

/**
 * The daemon takes its password from standard input. Asking for the keyring before the daemon has
 * its name on the bus would start a second one, locked for ever: so the bus is asked first. Only a
 * write then proves that it is unlocked.
 */
async function unlockKeyring(env, own) {
  const args = ['--foreground', '--unlock', '--components=secrets'];
  own(start('gnome-keyring-daemon', args, { env, stdin: 'test\n' }));
  const owner = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/'];
  owner.push('org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets');
  await until('the keyring', async () => (await run('dbus-send', owner, { env })).includes('true'));
  const store = ['store', '--label=probe', 'talaria-probe', 'yes'];
  await run('secret-tool', store, { env, stdin: 'probe' });
  await run('secret-tool', ['clear', 'talaria-probe', 'yes'], { env });
}
