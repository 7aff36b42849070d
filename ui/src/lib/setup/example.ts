// Values that the tests of this folder share.

import type { Preset, SettingsView, SetupView, ServiceView } from '../backend/bindings';

export function preset(change: Partial<Preset> = {}): Preset {
  return {
    id: 'deepseek',
    name: 'DeepSeek',
    name_zh: '深度求索',
    base_url: 'https://api.deepseek.com/v1',
    protocol: 'openai_chat',
    key_page: 'https://platform.deepseek.com/api_keys',
    default_model: 'deepseek-chat',
    key_variable: 'DEEPSEEK_API_KEY',
    sign_in: false,
    ...change,
  };
}

export function service(change: Partial<ServiceView> = {}): ServiceView {
  return {
    id: 'deepseek',
    name: 'DeepSeek',
    preset: 'deepseek',
    base_url: 'https://api.deepseek.com/v1',
    protocol: 'openai_chat',
    has_key: true,
    ...change,
  };
}

export function settings(change: Partial<SettingsView> = {}): SettingsView {
  return {
    language: null,
    effective_language: 'en',
    theme: 'system',
    zoom: 100,
    notes_folder: '/home/a/notes',
    notes_folder_is_default: true,
    model: null,
    fallbacks: [],
    default_mode: 'ask',
    rules: [],
    web_allowed_hosts: [],
    trace_days: 30,
    trace_bodies: false,
    services: [],
    setup_done: false,
    data_root: '/home/a',
    ...change,
  };
}

export function setupView(change: Partial<SetupView> = {}): SetupView {
  return {
    presets: [preset(), preset({ id: 'openrouter', name: 'OpenRouter', name_zh: '', sign_in: true })],
    environment_keys: [],
    secret_store: { active: 'keyring', keyring_name: 'Secret Service', keyring_problem: null, file_locked: false },
    proxy: null,
    ...change,
  };
}
