// One session's conversation: its turns, the turn that runs, and what is typed and not yet sent.

import { Basket } from '../attachment/basket.svelte';
import type { Backend } from '../backend/backend';
import type { ApiError, Attachment, AttachmentId, ErrorCode, ItemContent, ItemView, ModelRef, SessionView, TurnId, TurnView, Usage, WindowTurnEvent } from '../backend/bindings';
import { asApiError } from '../backend/failure';
import { Meter } from '../context/meter.svelte';
import { Ground } from '../permission/ground.svelte';
import { FileChanges } from './changes.svelte';
import { Processes } from './processes.svelte';
import { progressed } from './progress';
import { NOTHING, plus } from './usage';

/** How long after the last key the draft is saved. */
const DRAFT_PAUSE = 300;
/** How many earlier turns one page holds. */
const PAGE = 30;

/** So much of a running tool's output is shown, in characters. */
const LIVE = 20_000;

/** A failed request that is sent again, and when. */
export type Retry = { attempt: number; at: number; code: ErrorCode; message: string };

/** What only the event of a failure tells: how long to wait, and the window that was too small. */
export type Trouble = { turn: TurnId; retry_after_ms?: number; limit?: number };

export class Conversation {
  readonly id: string;
  turns = $state.raw<TurnView[]>([]);
  hasEarlier = $state(false);
  loading = $state(true);
  /** What did not work outside a turn. */
  error = $state.raw<ApiError | null>(null);
  /** What is typed. */
  text = $state('');
  /** The files that will go with it. */
  readonly basket: Basket;
  model = $state.raw<ModelRef | null>(null);
  retry = $state.raw<Retry | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  /** What a running tool put out so far, by its item. */
  output = $state.raw<Record<string, string>>({});
  /** How full the model's window is. */
  readonly meter: Meter;
  /** What the session may do. */
  readonly ground: Ground;
  /** The files that its tools changed. */
  readonly changes: FileChanges;
  /** The commands that go on in the background. */
  readonly processes: Processes;
  /** What the turns of the session took so far. */
  usage = $state.raw<Usage>(NOTHING);
  /** Whether words are on their way or being answered. */
  busy = $state(false);
  /** Called with each item that finished while we listened. */
  onItem: (item: ItemView) => void = () => undefined;

  #backend: Backend;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The draft as it was last saved, told apart by words and files. */
  #saved = draftOf('', []);
  #typed = false;
  #readingEarlier = false;

  readonly running: string | null = $derived(this.turns.findLast((turn) => turn.state === 'running')?.id ?? null);

  /** Whether there is something to send, and all of it is ready. */
  get sendable(): boolean {
    return !this.basket.busy && (this.text.trim() !== '' || this.basket.kept.length > 0);
  }

  constructor(backend: Backend, id: string) {
    this.#backend = backend;
    this.id = id;
    this.basket = new Basket(backend, () => void this.saveDraft());
    this.meter = new Meter(backend, id);
    this.ground = new Ground(backend, id);
    this.changes = new FileChanges(backend, id);
    this.processes = new Processes(backend, id);
  }

  /** Reads the latest turns. Words typed and files attached meanwhile are kept. */
  async load(): Promise<void> {
    try {
      const view = await this.#backend.call('open_session', { session_id: this.id });
      if (this.busy) return;
      this.turns = view.turns;
      this.hasEarlier = view.has_earlier;
      this.usage = view.usage;
      this.model = view.session.model;
      this.ground.mode = view.session.mode;
      void this.meter.load();
      void this.changes.load();
      void this.processes.load();
      if (!this.#typed && this.text === '' && this.basket.waiting.length === 0) this.#restore(view);
      this.error = null;
    } catch (thrown) {
      this.error = asApiError(thrown);
    } finally {
      this.loading = false;
    }
  }

  /** Puts a page of earlier turns before the others. */
  async loadEarlier(): Promise<void> {
    const first = this.turns[0];
    if (!this.hasEarlier || first === undefined || this.#readingEarlier) return;
    this.#readingEarlier = true;
    try {
      const page = await this.#backend.call('list_turns', { session_id: this.id, before: first.id, limit: PAGE });
      this.turns = [...page.turns, ...this.turns];
      this.hasEarlier = page.has_earlier;
    } catch (thrown) {
      this.error = asApiError(thrown);
    } finally {
      this.#readingEarlier = false;
    }
  }

  /** The user typed; the draft is saved after a pause. */
  type(text: string): void {
    this.#typed = true;
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.saveDraft(), DRAFT_PAUSE);
  }

  /** Saves what is typed now, if it is not saved yet. */
  async saveDraft(): Promise<void> {
    clearTimeout(this.#timer);
    const text = this.text;
    const attachments = idsOf(this.basket.kept);
    const draft = draftOf(text, attachments);
    if (draft === this.#saved) return;
    try {
      await this.#backend.call('save_draft', { session_id: this.id, text, attachments });
      this.#saved = draft;
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }

  /** Sends what is typed and attached. If the turn could not begin, both come back. */
  async send(): Promise<void> {
    if (this.busy || this.running !== null || !this.sendable) return;
    clearTimeout(this.#timer);
    const text = this.text;
    const files = this.basket.take();
    this.text = '';
    if (!(await this.#say(text, files))) {
      this.text = together(text, this.text);
      this.basket.put(files);
    }
    await this.saveDraft();
  }

  /** Sends words that were not typed here, and leaves alone what is. If that fails they stand before it. */
  async say(text: string): Promise<void> {
    const isFree = !this.busy && this.running === null;
    if (isFree && (await this.#say(text, []))) return;
    this.type(together(text, this.text));
  }

  /** Asks for the answer to the last turn once more. */
  async again(turn: TurnView): Promise<void> {
    if (this.busy) return;
    // The new turn takes the old one's place.
    await this.#run((hear) =>
      this.#backend.stream('retry_turn', { turn_id: turn.id }, (event) => {
        if (event.type === 'turn_started') this.turns = this.turns.filter(({ id }) => id !== turn.id);
        hear(event);
      }),
    );
  }

  async stop(): Promise<void> {
    if (this.running === null) return;
    try {
      await this.#backend.call('stop_turn', { turn_id: this.running });
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
  }

  async choose(model: ModelRef): Promise<void> {
    const before = this.model;
    this.model = model;
    try {
      await this.#backend.call('set_session_model', { session_id: this.id, model });
    } catch (thrown) {
      this.model = before;
      this.error = asApiError(thrown);
    }
  }

  #restore(view: SessionView): void {
    this.text = view.draft;
    this.basket.put(view.draft_attachments);
    this.#saved = draftOf(this.text, idsOf(this.basket.kept));
  }

  #say(text: string, files: Attachment[]): Promise<boolean> {
    const said = { session_id: this.id, text, attachments: idsOf(files) };
    return this.#run((hear) =>
      this.#backend.stream('start_turn', said, (event) => {
        // What was sent must not stand in the draft too, should the window end before the turn does.
        if (event.type === 'turn_started') void this.saveDraft();
        hear(event);
      }),
    );
  }

  /** Listens to a turn; tells whether it began. A stream that ended without an end is read again. */
  async #run(start: (hear: (event: WindowTurnEvent) => void) => Promise<void>): Promise<boolean> {
    let began = false;
    let ended = false;
    this.busy = true;
    this.error = null;
    try {
      await start((event) => {
        began ||= event.type === 'turn_started';
        ended ||= event.type === 'turn_finished' || event.type === 'error';
        this.#hear(event);
      });
    } catch (thrown) {
      this.error = asApiError(thrown);
    }
    this.busy = false;
    this.retry = null;
    if (began && !ended) await this.load();
    return began;
  }

  #show(item: string, text: string): void {
    this.output = { ...this.output, [item]: endOf((this.output[item] ?? '') + text) };
  }

  #hear(event: WindowTurnEvent): void {
    this.retry = event.type === 'retrying' ? retryOf(event) : null;
    this.turns = progressed(this.turns, event);
    if (event.type === 'turn_started') this.output = {};
    if (event.type === 'tool_output') this.#show(event.item_id, event.text);
    if (event.type === 'context_measured') this.meter.report = event.report;
    if (event.type === 'turn_finished' || event.type === 'error') void this.changes.load();
    if (event.type === 'turn_finished' || event.type === 'error') this.usage = plus(this.usage, event.usage);
    if (event.type === 'error') {
      this.trouble = { turn: event.turn_id, retry_after_ms: event.retry_after_ms, limit: event.limit };
    }
    if (event.type !== 'item_finished') return;
    if (MAY_START.has(nameOf(event.item.content))) void this.processes.load();
    const item = this.turns.at(-1)?.items.find(({ id }) => id === event.item.id);
    if (item !== undefined) this.onItem(item);
  }
}

/** The tools after which other commands may go on. */
const MAY_START = new Set(['run_command', 'process']);

function nameOf(content: ItemContent): string {
  return content.kind === 'tool_call' ? content.call.name : '';
}

/** The end of a text, as much of it as is worth drawing. */
function endOf(text: string): string {
  return text.length <= LIVE ? text : text.slice(-LIVE);
}

function retryOf({ attempt, wait_ms, code, message }: Extract<WindowTurnEvent, { type: 'retrying' }>): Retry {
  return { attempt, at: Date.now() + wait_ms, code, message };
}

function together(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

function idsOf(attachments: Attachment[]): AttachmentId[] {
  return attachments.map(({ id }) => id);
}

function draftOf(text: string, attachments: AttachmentId[]): string {
  return JSON.stringify([text, attachments]);
}
