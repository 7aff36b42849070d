// The page begins: the backend of where it runs, then the whole page over it.

import { mount } from 'svelte';

import './app.css';
import App from './App.svelte';
import type { Backend } from './lib/backend/backend';

/** The window's backend, or the fake one in a plain browser. */
async function backendHere(): Promise<Backend> {
  if ('__TAURI_INTERNALS__' in window) return (await import('./lib/backend/tauri')).tauriBackend;
  return new (await import('./lib/backend/fake')).FakeBackend(new URLSearchParams(location.search));
}

const target = document.getElementById('app');
if (target !== null) mount(App, { target, props: { backend: await backendHere() } });
