// The backend of the real window: three commands of the shell and two of its plugins.

import { Channel, invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { open } from '@tauri-apps/plugin-dialog';
import { openUrl } from '@tauri-apps/plugin-opener';

import type { Backend } from './backend';
import type { Change } from './bindings';

export const tauriBackend: Backend = {
  call: (command, args) => invoke('call', { request: { command, arguments: args } }),

  stream(command, args, onEvent) {
    const channel = new Channel(onEvent);
    return invoke('stream', { request: { command, arguments: args }, channel });
  },

  onChange(heard) {
    const listening = listen<Change>('change', (event) => heard(event.payload));
    return () => void listening.then((stop) => stop());
  },

  openLink: (url) => openUrl(url),

  chooseFolder: () => open({ directory: true }),

  ready: () => invoke('ready'),
};
