// Child processes of a test run: started here, and ended here, by their own ids only.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** Starts a program. Its output is kept, and shown when it fails or is waited for in vain. */
export function start(program, args = [], { env, stdin, fds = [], kept = 20_000 } = {}) {
  const stdio = [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...fds];
  const child = spawn(program, args, { env, stdio });
  child.said = '';
  const keep = (chunk) => {
    child.said = (child.said + chunk).slice(-kept);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  child.on('error', (error) => keep(`\n${error}`));
  running.add(child);
  child.on('exit', () => running.delete(child));
  if (stdin !== undefined) child.stdin.end(stdin);
  return child;
}

/** Runs a program to its end and gives its output; a failure is told with what it said. */
export async function run(program, args = [], { patience = 15_000, ...options } = {}) {
  const child = start(program, args, options);
  const late = setTimeout(() => child.kill('SIGKILL'), patience);
  const [code] = await once(child, 'close');
  clearTimeout(late);
  if (code !== 0 && !options.mayFail) {
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${child.said}`);
  }
  return child.said;
}

/** Ends a program: politely, then for certain. */
export async function stop(child, patience = 3000) {
  if (!running.has(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(late);
}

/** Asks again until the answer is truthy. The last error, or `what`, tells why it never was. */
export async function until(what, ask, patience = 15_000) {
  const deadline = performance.now() + patience;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      const why = last ? `; lastly: ${last.message}` : '';
      throw new Error(`waited ${patience} ms in vain for ${what}${why}`, { cause: last });
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** A port that nobody listens on. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
