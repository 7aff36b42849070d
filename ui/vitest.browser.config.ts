// Component tests in a real browser: the built page with the fake backend, driven from outside.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/preview.ts'],
    environment: 'node',
    fileParallelism: false,
    // A build machine that is busy elsewhere may miss a moment; a real fault fails twice.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
