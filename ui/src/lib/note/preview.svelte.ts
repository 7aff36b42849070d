// The rendered form of a text that changes while it is typed: one question at a time, the latest
// text always answered last.

import type { Block } from '../backend/bindings';
import type { Backend } from '../backend/backend';

export class Preview {
  blocks = $state<Block[]>([]);
  /** Whether the last rendering failed; the earlier one is still shown. */
  stale = $state(false);

  #backend: Backend;
  #wanted: string | null = null;
  #busy = false;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** Show this text as soon as the renderer is free. */
  async render(text: string): Promise<void> {
    this.#wanted = text;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#wanted !== null) {
      const next = this.#wanted;
      this.#wanted = null;
      try {
        this.blocks = await this.#backend.call('render_markdown', { text: next });
        this.stale = false;
      } catch {
        this.stale = true;
      }
    }
    this.#busy = false;
  }
}
