// Looks for a secret wherever a program may have left it: files, arguments, environments.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run } from './process.mjs';
import { family } from './program.mjs';

/** The places where the secret can be read, in any usual encoding. */
export async function leaks(secret, { folder, pid }) {
  const spellings = ['utf8', 'utf16le'].map((encoding) => Buffer.from(secret, encoding));
  spellings.push(Buffer.from(Buffer.from(secret).toString('base64').replace(/=+$/, '')));
  const found = [];
  for (const path of [...(await files(folder)), ...(await traces(pid))]) {
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (spellings.some((spelling) => bytes.includes(spelling))) found.push(path);
  }
  return found;
}

async function files(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath ?? it.path, it.name));
}

async function traces(pid) {
  const ids = await family(pid);
  return ids.flatMap((id) => [`/proc/${id}/cmdline`, `/proc/${id}/environ`]);
}

/** Everything the keyring holds, as its own tool prints it, secrets included. */
export async function keyring(desktop) {
  const all = ['search', '--all', '--unlock', 'service', 'Talaria'];
  return run('secret-tool', all, { env: desktop.env, mayFail: true });
}
