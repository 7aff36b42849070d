// The settings in effect, and what they do to the page: language, theme, size.

import type { Backend } from '../backend/backend';
import type { SettingsView, UpdateSettings } from '../backend/bindings';
import { language } from '../language/language.svelte';

export class Settings {
  view = $state.raw<SettingsView>() as SettingsView;
  #backend: Backend;
  #systemIsDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)');

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async load(): Promise<void> {
    this.#take(await this.#backend.call('read_settings', {}));
  }

  /** Changes what is named. Throws an ApiError, and then nothing has changed. */
  async update(change: UpdateSettings): Promise<void> {
    this.#take(await this.#backend.call('update_settings', change));
  }

  /** Follows the system's theme and changes made elsewhere; returns how to stop. */
  follow(): () => void {
    const dress = () => this.#dress();
    this.#systemIsDark?.addEventListener('change', dress);
    const stop = this.#backend.onChange((change) => {
      if (change.changed === 'settings') void this.load();
    });
    return () => {
      this.#systemIsDark?.removeEventListener('change', dress);
      stop();
    };
  }

  #take(view: SettingsView): void {
    this.view = view;
    language.current = view.effective_language;
    this.#dress();
  }

  #dress(): void {
    const root = document.documentElement;
    const { theme, zoom, effective_language } = this.view;
    const dark = theme === 'dark' || (theme === 'system' && (this.#systemIsDark?.matches ?? false));
    root.lang = effective_language;
    root.dataset.theme = dark ? 'dark' : 'light';
    root.style.fontSize = `${zoom}%`;
  }
}
