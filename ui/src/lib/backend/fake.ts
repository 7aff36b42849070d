// The fake backend: the whole contract in memory, so that the page runs and is tested in a browser.
//
// The address's query sets the scene: `setup=new` begins with the guide, `theme`, `lang` and `zoom`
// dress the page, `turn` and `usage` are told in fake/scene.ts. The parts are in fake/.

import type { Backend } from './backend';
import type {
  Change,
  Commands,
  Language,
  LanguageChoice,
  SettingsView,
  Streams,
  Theme,
  UpdateSettings,
} from './bindings';
import { FakeAttachments } from './fake/attachments';
import { FakeConversation } from './fake/conversation';
import { fault } from './fake/fault';
import { renderPlainly } from './fake/markdown';
import { FakeModels, facts } from './fake/models';
import { FakeNotes } from './fake/notes';
import { FakeProcesses } from './fake/processes';
import { FakeServices } from './fake/services';
import { FakeTraces } from './fake/traces';
import { FakeWebSearch } from './fake/web';

type Answers = { [K in keyof Commands]?: (args: never) => unknown };
type Runs = { [K in keyof Streams]?: (args: never, onEvent: (event: never) => void) => Promise<void> };

export class FakeBackend implements Backend {
  readonly notes: FakeNotes;
  readonly services: FakeServices;
  readonly attachments = new FakeAttachments();
  readonly conversation: FakeConversation;
  readonly opened: string[] = [];
  #listeners = new Set<(change: Change) => void>();
  #secrets: string[] = [];
  #settings: SettingsView;
  #answers: Answers;
  #runs: Runs;

  constructor(scene: URLSearchParams) {
    this.notes = new FakeNotes(Date.now, () => this.#tell({ changed: 'notes' }));
    this.services = new FakeServices(() => this.#tell({ changed: 'settings' }));
    this.services.stage(scene);
    // Tests reach in by this name, to change what another program would.
    Object.assign(globalThis, { fake: this });
    if (scene.get('notes') !== 'none') this.notes.fillUsual();
    this.conversation = new FakeConversation(this.notes, this.attachments, (change) => this.#tell(change), scene);
    this.#settings = settingsOf(scene);
    if (this.#settings.setup_done) this.#settings.model = this.services.addUsual();
    const models = new FakeModels(
      ({ service, model }) => this.services.modelsOf(service).find(({ name }) => name === model)?.facts ?? facts(),
    );
    this.#answers = {
      ...this.attachments.answers,
      ...models.answers,
      ...this.conversation.answers,
      ...this.notes.answers,
      ...this.services.answers,
      ...new FakeProcesses(scene).answers,
      ...new FakeTraces(scene).answers,
      ...new FakeWebSearch().answers,
      read_settings: () => this.#view(),
      update_settings: (change: UpdateSettings) => this.#update(change),
      read_about: () => ({
        version: '0.1.0',
        data_root: this.#settings.data_root,
        log_folder: `${this.#settings.data_root}/logs`,
        damaged_database: scene.get('damaged'),
        settings_problem: scene.get('broken'),
      }),
      list_tool_secrets: () => this.#secrets.map((name) => ({ name })),
      save_tool_secret: ({ name }: { name: string }) => {
        this.#secrets = [...this.#secrets.filter((each) => each !== name), name].sort();
        return null;
      },
      remove_tool_secret: ({ name }: { name: string }) => {
        this.#secrets = this.#secrets.filter((each) => each !== name);
        return null;
      },
      run_doctor: () =>
        (['connection', 'tools', 'call_round_trip', 'session_write', 'notes_folder', 'keyring'] as const).map(
          (check) => ({ check, passed: true, detail: '', hint: '' }),
        ),
      render_markdown: ({ text }: { text: string }) => renderPlainly(text),
      load_image: () => {
        throw fault('network', 'the browser loads no images');
      },
    };
    this.#runs = {
      ...this.conversation.streams,
      prove_service: (_args: unknown, onEvent: (event: never) => void) =>
        this.services.prove(onEvent as never),
    };
  }

  async call<K extends keyof Commands>(
    name: K,
    args: Commands[K]['arguments'],
  ): Promise<Commands[K]['result']> {
    const answer = this.#answers[name];
    if (answer === undefined) throw fault('internal', `the fake backend has no ${name}`);
    return structuredClone(await answer(args as never)) as Commands[K]['result'];
  }

  async stream<K extends keyof Streams>(
    name: K,
    args: Streams[K]['arguments'],
    onEvent: (event: Streams[K]['event']) => void,
  ): Promise<void> {
    const run = this.#runs[name];
    if (run === undefined) throw fault('internal', `the fake backend has no ${name}`);
    await run(args as never, ((event: Streams[K]['event']) => onEvent(structuredClone(event))) as never);
  }

  onChange(heard: (change: Change) => void): () => void {
    this.#listeners.add(heard);
    return () => void this.#listeners.delete(heard);
  }

  async openLink(url: string): Promise<void> {
    this.opened.push(url);
  }

  chooseFolder(): Promise<string | null> {
    return Promise.resolve('/home/ada/Documents/notes');
  }

  async ready(): Promise<void> {}

  #tell(change: Change): void {
    queueMicrotask(() => this.#listeners.forEach((heard) => heard(change)));
  }

  #view(): SettingsView {
    return { ...this.#settings, services: this.services.services };
  }

  #update(change: UpdateSettings): SettingsView {
    const { language, notes_folder, ...rest } = change;
    const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
    Object.assign(this.#settings, Object.fromEntries(given));
    if (language) this.#speak(language);
    if (notes_folder !== undefined && notes_folder !== null) {
      this.#settings.notes_folder = notes_folder || `${this.#settings.data_root}/notes`;
      this.#settings.notes_folder_is_default = notes_folder === '';
    }
    return this.#view();
  }

  #speak(choice: LanguageChoice): void {
    this.#settings.language = choice === 'system' ? null : choice;
    this.#settings.effective_language = choice === 'system' ? systemLanguage() : choice;
  }
}

function systemLanguage(): Language {
  return navigator.language.startsWith('zh') ? 'zh-CN' : 'en';
}

function settingsOf(scene: URLSearchParams): SettingsView {
  const language = scene.get('lang') as Language | null;
  const root = '/home/ada/.local/share/talaria';
  return {
    language,
    effective_language: language ?? systemLanguage(),
    theme: (scene.get('theme') as Theme | null) ?? 'system',
    zoom: Number(scene.get('zoom') ?? 100),
    notes_folder: `${root}/notes`,
    notes_folder_is_default: true,
    model: null,
    fallbacks: [],
    default_mode: 'ask',
    rules: [],
    web_allowed_hosts: [],
    trace_days: 30,
    trace_bodies: false,
    services: [],
    setup_done: scene.get('setup') !== 'new',
    data_root: root,
  };
}
