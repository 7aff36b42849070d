// Serves the built page for the browser tests, on loopback.

import { build, preview, type PreviewServer } from 'vite';
import type { TestProject } from 'vitest/node';

let server: PreviewServer | undefined;

export async function setup(project: TestProject): Promise<void> {
  await build({ logLevel: 'warn' });
  server = await preview({ preview: { host: '127.0.0.1', port: 0 }, logLevel: 'warn' });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the preview has no port');
  project.provide('address', `http://127.0.0.1:${address.port}/`);
}

export async function teardown(): Promise<void> {
  await server?.close();
}

declare module 'vitest' {
  export interface ProvidedContext {
    address: string;
  }
}
