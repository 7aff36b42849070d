// The guide as a machine: which step it is at, what was chosen, and what each button does. The
// Setup view draws it; the settings enter it for one service.

import type {
  ApiError,
  KeyInput,
  LocalService,
  ServiceView,
  SettingsView,
  SetupView,
  UpdateSettings,
} from '../backend/bindings';
import type { Backend } from '../backend/backend';
import { asApiError } from '../backend/failure';
import { Authorization } from './authorization.svelte';
import { keyIsOptional, needsKey, placeOf, serviceToSave, type Place, type PlaceKind } from './place';
import { Proof } from './proof.svelte';
import { SecretStore } from './secretStore.svelte';
import { firstStep, stepAfter, stepAfterSkip, stepBefore, stepsOf, type Entry, type Step } from './step';

/** What the guide needs to know of its surroundings. */
export type GuideOptions = {
  entry: Entry;
  settings: SettingsView;
  /** The service to edit or check; null: a new one. */
  service: ServiceView | null;
  /** The guide is over. A prompt, if the user chose one to try. */
  onDone: (prompt: string | null) => void;
};

/** Where the key comes from: kept as it is, typed, or copied from a variable the user agreed to. */
export type KeySource = 'kept' | 'typed' | 'environment';

export class Guide {
  step = $state<Step>('look');
  setup = $state<SetupView | null>(null);
  local = $state<LocalService[] | null>(null);
  /** The kind of place the user looks at; the place itself may still be open. */
  kind = $state<PlaceKind | null>(null);
  place = $state<Place | null>(null);
  keySource = $state<KeySource>('typed');
  key = $state('');
  /** The variable the key is copied from, once the user agreed to it. */
  variable = $state('');
  /** The address, where the user wants another than the preset's. */
  baseUrl = $state('');
  service = $state<ServiceView | null>(null);
  busy = $state(false);
  error = $state<ApiError | null>(null);

  readonly entry: Entry;
  readonly store: SecretStore;
  readonly proof: Proof;
  readonly authorization: Authorization;

  /** Whether the place takes the key step; what the dots and both neighbours depend on. */
  readonly needsKey: boolean = $derived(needsKey(this.place));
  readonly hasBack: boolean = $derived.by(() => stepBefore(this.entry, this.step, this.needsKey) !== null);
  /** Whether "continue" can do its work here. */
  readonly canContinue: boolean = $derived.by(() => this.#canContinue());

  #backend: Backend;
  #settings: SettingsView;
  #onDone: (prompt: string | null) => void;

  constructor(backend: Backend, options: GuideOptions) {
    this.#backend = backend;
    this.#settings = options.settings;
    this.#onDone = options.onDone;
    this.entry = options.entry;
    this.step = firstStep(options.entry);
    this.service = options.service;
    this.store = new SecretStore(backend);
    this.proof = new Proof(backend);
    this.authorization = new Authorization(backend, (id) => void this.#signedIn(id));
  }

  get steps(): readonly Step[] {
    return stepsOf(this.entry);
  }

  /** The page where a key for the chosen place is made. */
  get keyPage(): string | null {
    const place = this.place;
    if (place === null || place.kind === 'local' || place.kind === 'address') return null;
    return place.preset.key_page === '' ? null : place.preset.key_page;
  }

  /** The variable that holds a key for the chosen place, if one was found. */
  get offeredVariable(): string | null {
    const place = this.place;
    if (place?.kind !== 'preset') return null;
    return this.setup?.environment_keys.find((key) => key.preset === place.preset.id)?.variable ?? null;
  }

  /** Read what there is to offer. Local services are looked for beside it: that may take longer. */
  async load(): Promise<void> {
    if (this.service === null) void this.lookForLocal();
    this.error = null;
    try {
      const setup = await this.#backend.call('read_setup', {});
      this.setup = setup;
      this.store.take(setup.secret_store);
      if (this.service !== null) this.#editService(this.service);
      if (this.step === 'proof') this.#enterProof();
    } catch (error) {
      this.error = asApiError(error);
    }
  }

  /** Look (again) for services on this computer. */
  async lookForLocal(): Promise<void> {
    this.local = null;
    try {
      this.local = await this.#backend.call('discover_services', {});
    } catch {
      // Finding none and not being able to look lead to the same words: how to get one.
      this.local = [];
    }
    if (this.place === null && (this.kind === null || this.kind === 'local')) this.#suggestLocal();
  }

  /** Look at a kind of place. What is known to fit is chosen with it. */
  pick(kind: PlaceKind): void {
    if (this.kind === kind) return;
    this.choose(kind === 'address' ? { kind, name: '', base_url: '', protocol: 'openai_chat' } : null);
    this.kind = kind;
    if (kind === 'local') this.#suggestLocal();
  }

  /** Choose where the model runs. Another place forgets what was typed for the earlier one. */
  choose(place: Place | null): void {
    const same = this.place !== null && place !== null && identity(this.place) === identity(place);
    this.place = place;
    if (place !== null) this.kind = place.kind;
    if (same) return;
    this.key = '';
    this.baseUrl = '';
    this.error = null;
    this.variable = '';
    this.keySource = 'typed';
    this.#reuse(place);
    this.proof.reset();
    void this.authorization.cancel();
  }

  /** Do what this step is for, then go on. */
  async next(): Promise<void> {
    if (this.busy || !this.canContinue) return;
    this.error = null;
    if (this.#savesHere() && !(await this.#save())) return;
    if (this.step === 'proof' && !(await this.#keepModel())) return;
    await this.#goTo(stepAfter(this.entry, this.step, this.needsKey));
  }

  /** Go back; nothing that was typed is lost. */
  back(): void {
    const before = stepBefore(this.entry, this.step, this.needsKey);
    if (before === null || this.busy) return;
    this.error = null;
    this.step = before;
  }

  /** Go to a step a remedy points at. */
  show(step: Step): void {
    this.error = null;
    this.step = step;
  }

  /** Leave this step undone. */
  async skip(): Promise<void> {
    if (this.busy) return;
    const after = stepAfterSkip(this.entry, this.step);
    if (this.step === 'proof' && after !== null && this.proof.model !== '') await this.#keepModel();
    await this.#goTo(after);
  }

  /** Says the window of the service's models, then checks again. */
  async setWindow(tokens: number): Promise<void> {
    if (this.service === null) return;
    try {
      await this.#backend.call('set_context_window', { id: this.service.id, tokens });
    } catch (thrown) {
      this.error = asApiError(thrown);
      return;
    }
    await this.prove();
  }

  /** Run the checks. */
  async prove(): Promise<void> {
    if (this.service === null || this.proof.model === '') return;
    await this.proof.run(this.service.id);
  }

  /** End the guide; with a prompt, the chat begins with it. */
  async finish(prompt: string | null): Promise<void> {
    if (this.entry === 'first_run' && !(await this.#attempt(() => this.#update({ setup_done: true })))) return;
    this.#onDone(prompt);
  }

  /** The page is gone. */
  dispose(): void {
    this.authorization.dispose();
  }

  /** What runs here and has a model is the easiest answer; the user sees it and may pick another. */
  #suggestLocal(): void {
    const usable = this.local?.find((service) => service.models.length > 0);
    if (usable !== undefined) this.choose({ kind: 'local', service: usable });
  }

  #canContinue(): boolean {
    switch (this.step) {
      case 'look':
      case 'try':
        return true;
      case 'place':
        return this.place !== null && (this.place.kind !== 'address' || this.place.base_url.trim() !== '');
      case 'key':
        return this.#canKeepKey();
      case 'proof':
        return this.proof.model !== '' && this.proof.outcome !== 'running';
    }
  }

  #canKeepKey(): boolean {
    if (this.place === null) return false;
    if (this.place.kind === 'sign_in') return this.service !== null;
    if (this.keySource === 'kept') return true;
    const given = this.keySource === 'environment' ? this.variable !== '' : this.key.trim() !== '';
    return given ? this.store.ready : this.keySource === 'typed' && keyIsOptional(this.place);
  }

  /** A signed-in service is already saved; a local one is saved when it is chosen. */
  #savesHere(): boolean {
    if (this.step === 'key') return this.place?.kind !== 'sign_in';
    return this.step === 'place' && this.place?.kind === 'local';
  }

  #keyInput(): KeyInput {
    switch (this.keySource) {
      case 'kept':
        return { from: 'unchanged' };
      case 'environment':
        return { from: 'environment', variable: this.variable };
      case 'typed':
        return this.key.trim() === '' ? { from: 'none' } : { from: 'typed', value: this.key.trim() };
    }
  }

  #save(): Promise<boolean> {
    const place = this.place;
    if (place === null) return Promise.resolve(false);
    return this.#attempt(async () => {
      const request = serviceToSave(place, this.service?.id ?? null, this.baseUrl, this.#keyInput());
      this.service = await this.#backend.call('save_service', request);
      // The key has crossed; the window has no more use for it.
      this.key = '';
      if (this.keySource !== 'kept' && this.service.has_key !== false) this.keySource = 'kept';
      const chosen = this.proof.model;
      this.proof.reset();
      this.proof.model = chosen;
    });
  }

  async #keepModel(): Promise<boolean> {
    const service = this.service;
    if (service === null) return false;
    const isFirst = this.#settings.model === null || this.entry === 'first_run';
    const isThis = this.#settings.model?.service === service.id;
    if (!isFirst && !isThis) return true;
    return this.#attempt(() => this.#update({ model: { service: service.id, model: this.proof.model } }));
  }

  async #update(change: UpdateSettings): Promise<void> {
    this.#settings = await this.#backend.call('update_settings', change);
  }

  async #goTo(step: Step | null): Promise<void> {
    if (step === null) return this.finish(null);
    this.step = step;
    if (step === 'proof') this.#enterProof();
  }

  #enterProof(): void {
    if (this.service === null) return;
    const place = this.place;
    const inUse = this.#settings.model?.service === this.service.id ? this.#settings.model.model : '';
    const preset = place?.kind === 'preset' || place?.kind === 'sign_in' ? place.preset.default_model : '';
    void this.proof.listModels(this.service.id, inUse === '' ? preset : inUse);
  }

  #editService(service: ServiceView): void {
    this.place = placeOf(service, this.setup?.presets ?? []);
    this.kind = this.place.kind;
    this.baseUrl = service.base_url;
    this.keySource = service.has_key === true ? 'kept' : 'typed';
  }

  /** The guide, gone through again, changes what it made before; only "add" makes a second one. */
  #reuse(place: Place | null): void {
    const services = this.#settings.services;
    this.service = null;
    if (place?.kind === 'local') {
      this.service = services.find((service) => service.base_url === place.service.base_url) ?? null;
    } else if (this.entry === 'first_run' && (place?.kind === 'preset' || place?.kind === 'sign_in')) {
      this.service = services.find((service) => service.preset === place.preset.id) ?? null;
      this.baseUrl = this.service?.base_url ?? '';
      if (this.service?.has_key === true) this.keySource = 'kept';
    }
  }

  async #signedIn(id: string): Promise<void> {
    await this.#attempt(async () => {
      this.#settings = await this.#backend.call('read_settings', {});
      this.service = this.#settings.services.find((service) => service.id === id) ?? null;
    });
    if (this.service !== null) await this.next();
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    try {
      await work();
      return true;
    } catch (error) {
      this.error = asApiError(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

/** What makes two places the same one. */
function identity(place: Place): string {
  switch (place.kind) {
    case 'local':
      return `local ${place.service.base_url}`;
    case 'preset':
    case 'sign_in':
      return `${place.kind} ${place.preset.id}`;
    case 'address':
      return 'address';
  }
}
