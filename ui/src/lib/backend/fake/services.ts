// The model services of the fake backend: presets, what runs on this computer, the secret store, the
// sign-in and the proof. `situation` says how they behave; tests change it.

import type {
  AuthorizationState,
  Backend as StoreKind,
  Commands,
  EnvironmentKey,
  KeyringProblem,
  ListedModel,
  ModelRef,
  LocalService,
  Preset,
  ProofEvent,
  ProofStep,
  ServiceView,
} from '../bindings';
import { fault } from './fault';
import { listed } from './models';
import { PRESETS } from './presets';

type ServiceCommand =
  | 'read_setup'
  | 'discover_services'
  | 'save_service'
  | 'remove_service'
  | 'list_models'
  | 'set_context_window'
  | 'begin_authorization'
  | 'read_authorization'
  | 'cancel_authorization'
  | 'read_secret_store'
  | 'choose_secret_store';

type ServiceAnswers = { [K in ServiceCommand]: (args: Commands[K]['arguments']) => Commands[K]['result'] };

/** How the services behave. */
export type Situation = {
  local: LocalService[];
  environmentKeys: EnvironmentKey[];
  keyringProblem: KeyringProblem | null;
  fileLocked: boolean;
  proxy: string | null;
  models: ListedModel[];
  authorization: AuthorizationState;
  /** What the checks come to; those not named pass. */
  proof: Partial<Record<ProofStep, ProofEvent>>;
  /** How long one check takes, in milliseconds. */
  checkMillis: number;
};

/** Everything works, and one service runs on this computer. */
export function usualSituation(): Situation {
  return {
    local: [
      {
        id: 'ollama',
        name: 'Ollama',
        base_url: 'http://127.0.0.1:11434/v1',
        models: [
          listed('qwen3:8b', { context_window: 40_960, tools: true, images: false }),
          listed('gemma3:4b', { context_window: 131_072, images: true }),
        ],
      },
    ],
    environmentKeys: [],
    keyringProblem: null,
    fileLocked: false,
    proxy: null,
    models: [
      listed('deepseek-chat', { context_window: 131_072, tools: true }),
      listed('deepseek-reasoner', { context_window: 131_072, reasoning: true }),
    ],
    authorization: { state: 'waiting' },
    proof: {},
    checkMillis: 0,
  };
}

const DETAILS: Record<ProofStep, { detail: string; millis: number }> = {
  reach: { detail: 'api.deepseek.com', millis: 182 },
  key: { detail: '', millis: 96 },
  models: { detail: '2', millis: 120 },
  answer: { detail: 'Hello', millis: 640 },
  tool_call: { detail: '', millis: 1_240 },
  window: { detail: '131,072', millis: 3 },
};

const REFUSED: ProofEvent = {
  step: 'key',
  state: 'failed',
  code: 'auth',
  remedy: 'check_key',
  message: '401 Unauthorized: the key is not valid',
};

const NO_TOOLS: ProofEvent = {
  step: 'tool_call',
  state: 'limited',
  remedy: 'choose_tool_model',
  message: 'tools are not supported',
};

const ORDER: readonly ProofStep[] = ['reach', 'key', 'models', 'answer', 'tool_call', 'window'];

export class FakeServices {
  situation: Situation = usualSituation();
  services: ServiceView[] = [];
  #active: StoreKind | null | undefined;
  #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /**
   * Sets the situation from the address: `local=none`, `env=1`, `keyring=missing` (or another
   * problem), `proof=key` or `proof=tool_call` (the check that does not pass), `pace=300` (how long
   * one check takes).
   */
  stage(scene: URLSearchParams): void {
    if (scene.get('local') === 'none') this.situation.local = [];
    if (scene.has('env')) this.situation.environmentKeys = [{ variable: 'DEEPSEEK_API_KEY', preset: 'deepseek' }];
    this.situation.keyringProblem = (scene.get('keyring') as KeyringProblem | null) ?? null;
    this.situation.checkMillis = Number(scene.get('pace') ?? 0);
    if (scene.get('proof') === 'key') this.situation.proof = { key: REFUSED };
    if (scene.get('proof') === 'tool_call') this.situation.proof = { tool_call: NO_TOOLS };
  }

  readonly answers: ServiceAnswers = {
    read_setup: () => ({
      presets: PRESETS,
      environment_keys: this.situation.environmentKeys,
      secret_store: this.#store(),
      proxy: this.situation.proxy,
    }),
    discover_services: () => this.situation.local,
    save_service: (args) => {
      if (args.base_url.includes(' ')) throw fault('invalid_input', 'This is not an address.');
      const before = this.services.find((service) => service.id === args.id);
      const service: ServiceView = {
        id: args.id ?? this.#free(args.preset ?? args.name.toLowerCase()),
        name: args.name,
        preset: args.preset,
        base_url: args.base_url,
        protocol: args.protocol,
        has_key: args.key.from === 'unchanged' ? (before?.has_key ?? false) : args.key.from !== 'none',
      };
      this.#put(service);
      return service;
    },
    remove_service: ({ id }) => {
      this.services = this.services.filter((service) => service.id !== id);
      this.#changed();
      return null;
    },
    list_models: ({ id }) => this.modelsOf(id),
    set_context_window: () => {
      delete this.situation.proof.window;
      return null;
    },
    begin_authorization: ({ preset }) => ({
      attempt: 'attempt-1',
      url: `https://${preset}.example/auth?callback_url=http://127.0.0.1:40123/`,
      expires_in: 300,
      service: preset,
    }),
    read_authorization: () => {
      if (this.situation.authorization.state === 'done') this.#signedIn('openrouter');
      return this.situation.authorization;
    },
    cancel_authorization: () => null,
    read_secret_store: () => ({ store: this.#store() }),
    choose_secret_store: ({ choice }) => {
      if (choice.backend === 'keyring' && this.situation.keyringProblem !== null) {
        throw fault('keyring', 'The keyring does not answer.');
      }
      this.#active = choice.backend;
      if (choice.backend === 'file') this.situation.fileLocked = false;
      return { store: this.#store() };
    },
  };

  /** What a service lists. */
  modelsOf(id: string): ListedModel[] {
    const service = this.services.find((each) => each.id === id);
    const local = this.situation.local.find((each) => each.base_url === service?.base_url);
    return local?.models ?? this.situation.models;
  }

  /** Two services that are set up, and the model new sessions begin with. */
  addUsual(): ModelRef {
    const service = (id: string, name: string, preset: string | null, base_url: string): ServiceView => ({
      id,
      name,
      preset,
      base_url,
      protocol: 'openai_chat',
      has_key: preset !== null,
    });
    this.services = [
      service('deepseek', 'DeepSeek', 'deepseek', 'https://api.deepseek.com/v1'),
      service('ollama', 'Ollama', null, 'http://127.0.0.1:11434/v1'),
    ];
    return { service: 'deepseek', model: 'deepseek-chat' };
  }

  /** Runs the checks as the situation says. */
  async prove(onEvent: (event: ProofEvent) => void): Promise<void> {
    let failed = false;
    for (const step of ORDER) {
      if (failed) {
        onEvent({ step, state: 'skipped' });
        continue;
      }
      onEvent({ step, state: 'running' });
      await new Promise((resolve) => setTimeout(resolve, this.situation.checkMillis));
      const outcome: ProofEvent = this.situation.proof[step] ?? { step, state: 'passed', ...DETAILS[step] };
      onEvent(outcome);
      failed = outcome.state === 'failed';
    }
  }

  #signedIn(id: string): void {
    const preset: Preset | undefined = PRESETS.find((each) => each.id === id);
    if (preset === undefined || this.services.some((service) => service.id === id)) return;
    const { name, base_url, protocol } = preset;
    this.#put({ id, name, preset: id, base_url, protocol, has_key: true });
  }

  #put(service: ServiceView): void {
    const others = this.services.filter((each) => each.id !== service.id);
    this.services = [...others, service];
    this.#changed();
  }

  #free(stem: string): string {
    for (let count = 1; ; count += 1) {
      const id = count === 1 ? stem : `${stem}-${count}`;
      if (!this.services.some((service) => service.id === id)) return id;
    }
  }

  #store() {
    const { keyringProblem, fileLocked } = this.situation;
    const active = this.#active === undefined && keyringProblem === null ? 'keyring' : (this.#active ?? null);
    return { active, keyring_name: 'Secret Service', keyring_problem: keyringProblem, file_locked: fileLocked };
  }
}
