import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import typescript from 'typescript-eslint';

import svelteConfig from './svelte.config.js';

export default typescript.config(
  { ignores: ['dist', 'test/out', 'src/lib/backend/bindings.ts'] },
  ...typescript.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: typescript.parser, svelteConfig } },
  },
  {
    // Only lib/backend may know the platform.
    files: ['src/**/*.{ts,svelte}'],
    ignores: ['src/lib/backend/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['@tauri-apps/*'] }],
    },
  },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      // Blocks come from the core's renderer, which writes an allow list of tags.
      'svelte/no-at-html-tags': 'off',
      'svelte/no-navigation-without-resolve': 'off',
    },
  },
);
