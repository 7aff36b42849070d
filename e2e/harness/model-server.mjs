// A real, small language model on loopback, in a process of its own.

import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

import { start, stop, until } from './process.mjs';

/** Where the window looks for services on this computer: llama.cpp's, vLLM's, LM Studio's port. */
const USUAL_PORTS = [8080, 8000, 1234];

/** Starts the server on a usual port, where the window finds it by itself. */
export async function openModel(python) {
  const port = await firstFree(USUAL_PORTS);
  const script = fileURLToPath(new URL('model-server.py', import.meta.url));
  const server = start(python, [script, String(port)], { env: process.env });
  const url = `http://127.0.0.1:${port}/v1`;
  const listed = async () => (await fetch(`${url}/models`)).ok;
  await until('the model to be loaded', listed, 60_000).catch((error) => {
    error.message += `\n${server.said}`;
    throw error;
  });
  return { url, port, close: () => stop(server) };
}

async function firstFree(ports) {
  for (const port of ports) {
    if (await isFree(port)) return port;
  }
  throw new Error(`the ports ${ports.join(', ')} are all taken on this computer`);
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
