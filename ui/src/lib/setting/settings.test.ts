import { describe, expect, it } from 'vitest';
import { answering } from '../backend/answering';
import type { SettingsView, UpdateSettings } from '../backend/bindings';
import { language } from '../language/language.svelte';
import { Settings } from './settings.svelte';

const view: SettingsView = {
  language: null,
  effective_language: 'en',
  theme: 'light',
  zoom: 100,
  notes_folder: '/notes',
  notes_folder_is_default: true,
  model: null,
  fallbacks: [],
  default_mode: 'ask',
  rules: [],
  web_allowed_hosts: [],
  trace_days: 30,
  trace_bodies: false,
  services: [],
  setup_done: true,
  data_root: '/data',
};

function settings() {
  return new Settings(
    answering({
      read_settings: () => view,
      update_settings: (change: UpdateSettings) => ({
        ...view,
        theme: change.theme ?? view.theme,
        zoom: change.zoom ?? view.zoom,
        effective_language: change.language === 'zh-CN' ? 'zh-CN' : 'en',
      }),
    }),
  );
}

describe('the settings', () => {
  it('dress the page in their theme, size and language', async () => {
    const state = settings();
    await state.load();
    expect(document.documentElement.dataset.theme).toBe('light');
    await state.update({ theme: 'dark', zoom: 150, language: 'zh-CN' });
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(document.documentElement.style.fontSize).toBe('150%');
    expect(document.documentElement.lang).toBe('zh-CN');
    expect(language.current).toBe('zh-CN');
  });
});
