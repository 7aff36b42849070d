// The command line under test, in a home of its own, and what it printed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from './process.mjs';
import { built } from './program.mjs';

/** Makes a home for the program; its runs find there what earlier ones left. */
export async function openHome() {
  const folder = await mkdtemp(join(tmpdir(), 'talaria-service-'));
  const variables = { PATH: process.env.PATH, HOME: folder, TALARIA_HOME: join(folder, 'data') };

  /** Runs it to its end, and gives each line it printed as JSON. */
  const talaria = async (service, args) => {
    const env = {
      ...variables,
      TALARIA_BASE_URL: service.url,
      TALARIA_MODEL: service.model,
      TALARIA_PROTOCOL: service.protocol,
      TALARIA_API_KEY: 'sk-service-test',
    };
    const options = { env, mayFail: true, patience: 120_000, kept: Infinity };
    const said = await run(built('talaria'), ['--json', ...args], options);
    return said.trim().split('\n').map((line) => JSON.parse(line));
  };

  return {
    talaria,
    /** Says one thing, without a second try, and gives what came of it. */
    async chat(service, message, ...args) {
      const events = await talaria(service, ['chat', '--retries', '0', '-m', message, ...args]);
      const pieces = (type) => events.filter((event) => event.type === type);
      const items = pieces('item_finished').map(({ item }) => item.content);
      return {
        events,
        last: events.at(-1),
        pieces: pieces('text_delta').map(({ text }) => text),
        textOf: (kind) => items.filter((item) => item.kind === kind).map(({ text }) => text).join(''),
      };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
