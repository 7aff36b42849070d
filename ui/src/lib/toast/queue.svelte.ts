// The toasts on show. Each leaves by itself, unless the pointer or the focus is on it.

import type { Toast, Toasts } from './context';

/** How long a toast stays: long enough to read, and longer where it offers to undo something. */
const SHORT = 4_000;
const WITH_ACTION = 8_000;

export type Shown = Toast & { id: number };

export class ToastQueue implements Toasts {
  shown = $state<Shown[]>([]);
  #next = 1;
  // Nothing is drawn from the timers.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(toast: Toast): void {
    const id = this.#next++;
    this.shown.push({ ...toast, id });
    this.release(id);
  }

  /** Leaves at once. */
  dismiss(id: number): void {
    this.hold(id);
    this.shown = this.shown.filter((toast) => toast.id !== id);
  }

  /** Stays until it is released. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Leaves after its time. */
  release(id: number): void {
    const toast = this.shown.find((shown) => shown.id === id);
    if (toast === undefined) return;
    const after = toast.action === undefined ? SHORT : WITH_ACTION;
    this.#timers.set(id, setTimeout(() => this.dismiss(id), after));
  }
}
