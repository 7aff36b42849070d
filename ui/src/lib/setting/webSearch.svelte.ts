// How the web is searched: the service, its address and key as they are typed, and a first search.

import type { Backend } from '../backend/backend';
import type { ApiError, WebHit, WebSearchService, WebSearchView } from '../backend/bindings';
import { asApiError } from '../backend/failure';

export class WebSearch {
  /** What is in effect; none until it was read. */
  view = $state.raw<WebSearchView | null>(null);
  /** The chosen service's id; blank for none. */
  chosen = $state('');
  address = $state('');
  key = $state('');
  busy = $state(false);
  error = $state.raw<ApiError | null>(null);
  /** What a first search found; none until one was made. */
  found = $state.raw<WebHit[] | null>(null);

  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  readonly service: WebSearchService | null = $derived.by(
    () => this.view?.services.find(({ id }) => id === this.chosen) ?? null,
  );

  /** Whether the key that is kept would go with the choice as it is typed. */
  readonly isKeyKept: boolean = $derived.by(
    () => this.view !== null && this.view.has_key && this.view.service === this.chosen && this.view.base_url === this.address.trim(),
  );

  /** Whether what is typed differs from what is in effect. */
  readonly isChanged: boolean = $derived.by(
    () =>
      this.view !== null &&
      (this.chosen !== (this.view.service ?? '') || this.address.trim() !== this.view.base_url || this.key.trim() !== ''),
  );

  /** Whether something that the service needs is missing. */
  readonly isIncomplete: boolean = $derived.by(() => {
    if (this.service === null) return false;
    const noKey = this.service.needs_key && !this.isKeyKept && this.key.trim() === '';
    return noKey || (this.service.needs_address && this.address.trim() === '');
  });

  load(): Promise<void> {
    return this.#attempt(async () => this.#show(await this.#backend.call('read_web_search', {})));
  }

  /** Another service: nothing that was typed for the last one goes to it. */
  choose(id: string): void {
    this.chosen = id;
    this.address = id === this.view?.service ? this.view.base_url : '';
    this.key = '';
    this.found = null;
    this.error = null;
  }

  save(): Promise<void> {
    return this.#attempt(async () => {
      const key = this.key.trim();
      this.#show(
        await this.#backend.call('save_web_search', {
          service: this.chosen === '' ? null : this.chosen,
          base_url: this.address.trim(),
          key: key === '' ? null : key,
        }),
      );
    });
  }

  /** Searches once, for what is in effect. */
  search(query: string): Promise<void> {
    return this.#attempt(async () => {
      this.found = await this.#backend.call('try_web_search', { query });
    });
  }

  #show(view: WebSearchView): void {
    this.view = view;
    this.choose(view.service ?? '');
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.error = null;
    this.found = null;
    try {
      await work();
    } catch (thrown) {
      this.error = asApiError(thrown);
    } finally {
      this.busy = false;
    }
  }
}
