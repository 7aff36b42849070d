// A real, small language model on loopback, in a process of its own.

import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

import { freePort, start, stop, until } from './process.mjs';

/** Where the window looks for services on this computer: llama.cpp's, vLLM's, LM Studio's port. */
const USUAL_PORTS = [8080, 8000, 1234];

/** How messages and tools are put to the model, so that the server knows calls in its answers. */
const TEMPLATE = here('model-server.jinja');

/** Starts the server on a usual port, where the window finds it by itself. */
export async function openModel(python) {
  return openAt(python, await firstFree(USUAL_PORTS));
}

/** Starts it on any port, with tools and a window of so many tokens. */
export async function openModelWithTools(python, window) {
  return openAt(python, await freePort(), String(window), TEMPLATE);
}

async function openAt(python, port, ...rest) {
  const script = here('model-server.py');
  const server = start(python, [script, String(port), ...rest], { env: process.env });
  const url = `http://127.0.0.1:${port}/v1`;
  const listed = async () => (await fetch(`${url}/models`)).ok;
  await until('the model to be loaded', listed, 60_000).catch((error) => {
    error.message += `\n${server.said}`;
    throw error;
  });
  return { url, port, close: () => stop(server) };
}

function here(name) {
  return fileURLToPath(new URL(name, import.meta.url));
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
