import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), ...(mode === 'test' ? [svelteTesting()] : [])],
  // WebKitGTK on Debian 12 and macOS 12; both know what Safari 16 knows.
  build: { target: 'safari16', chunkSizeWarningLimit: 1200 },
  // Words that the core's command line says too lie beside the core.
  server: { port: 5173, strictPort: true, host: '127.0.0.1', fs: { allow: ['..'] } },
  clearScreen: false,
  test: { include: ['src/**/*.test.ts'], environment: 'jsdom' },
}));
