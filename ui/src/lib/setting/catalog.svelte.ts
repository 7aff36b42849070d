// Which models each service offers, asked once for each while a page is open.

import type { Backend } from '../backend/backend';
import type { ListedModel, ServiceId } from '../backend/bindings';

export type Listing = { state: 'asking' | 'listed' | 'unlisted'; models: ListedModel[] };

const ASKING: Listing = { state: 'asking', models: [] };

export class Catalog {
  #listings = $state.raw<Record<ServiceId, Listing>>({});
  #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** What is known of a service's models by now. */
  of(service: ServiceId): Listing {
    return this.#listings[service] ?? ASKING;
  }

  /** Asks a service, unless it was asked. One that gave no list is asked again. */
  async ask(service: ServiceId): Promise<void> {
    const before = this.#listings[service];
    if (before !== undefined && before.state !== 'unlisted') return;
    this.#put(service, ASKING);
    try {
      this.#put(service, { state: 'listed', models: await this.#backend.call('list_models', { id: service }) });
    } catch {
      this.#put(service, { state: 'unlisted', models: [] });
    }
  }

  #put(service: ServiceId, listing: Listing): void {
    this.#listings = { ...this.#listings, [service]: listing };
  }
}
