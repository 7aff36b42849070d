// A model service that others wrote, which speaks all three protocols and follows a script.

import { fileURLToPath } from 'node:url';

import { freePort, start, stop, until } from './process.mjs';

const inService = (name) => fileURLToPath(new URL(`../service/${name}`, import.meta.url));

export const PROTOCOLS = ['openai_chat', 'openai_responses', 'anthropic_messages'];

/** Starts it on loopback. What it answers to which words stands in `service/script.json`. */
export async function openImitation() {
  const port = await freePort();
  const program = inService('node_modules/.bin/llmock');
  const rules = ['-p', port, '-f', inService('script.json'), '--strict', '--log-level', 'warn'];
  const server = start(process.execPath, [program, ...rules.map(String)], { env: process.env });
  const url = `http://127.0.0.1:${port}/v1`;
  const listed = async () => (await fetch(`${url}/models`)).ok;
  await until('the imitated service', listed).catch((error) => {
    error.message += `\n${server.said}`;
    throw error;
  });
  return {
    speaking: (protocol) => ({ url, protocol, model: 'imitated' }),
    close: () => stop(server),
  };
}
