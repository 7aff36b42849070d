// The sessions of the fake backend: kept in memory, answered by a script that saves a note.

import type { Attachment, Block, BlockPatch, Change, Commands, Item, ItemContent, SessionLine, SessionView, Streams, Turn, TurnView, WindowTurnEvent } from '../bindings';
import { NOTHING, plus } from '../../turn/usage';
import type { FakeAttachments } from './attachments';
import { fault } from './fault';
import { renderPlainly } from './markdown';
import type { FakeNotes } from './notes';
import { FakePermissions } from './permissions';
import { sceneOf, usageOf, type Ending, type Stage } from './scene';

type Kept = { line: SessionLine; draft: string; files: Attachment[]; turns: TurnView[]; cleared: TurnView[] };
type Said = { text: string; files: Attachment[] };
type Hear = (event: WindowTurnEvent) => void;
/** As the fake backend hands it on: of a stream it does not know by type. */
type AnyHear = (event: never) => void;
type Args<K extends keyof Commands> = Commands[K]['arguments'];

/** How long between two words of an answer. */
const PACE = 12;
const PAGE = 20;
const MODEL = { service: 'ollama', model: 'qwen3:8b' };

const ANSWER = `The decisions are now a note. Three points stand out:

- **State** is written to a temporary file first.
- A change must pass its own tests.
- 下周起，发布前跑一次完整的恢复演练。

\`\`\`rust
fn main() {
    println!("hello");
}
\`\`\`

Say what should change, or ask for a reminder.`;

/** What turns the blocks on show into these: a fence that opens may take back blocks after it. */
function patchOf(shown: Block[], blocks: Block[]): BlockPatch {
  const same = blocks.findIndex((block, index) => block.html !== shown[index]?.html || block.settled !== shown[index].settled);
  const from = same === -1 ? blocks.length : same;
  return { from, blocks: blocks.slice(from) };
}

const pause = (time: number) => new Promise((done) => setTimeout(done, time));

export class FakeConversation {
  #kept = new Map<string, Kept>();
  #deleted = new Map<string, Kept>();
  #stopped = new Set<string>();
  #notes: FakeNotes;
  #attachments: FakeAttachments;
  #changed: (change: Change) => void;
  #next = 1;
  #scene: URLSearchParams;
  readonly #permissions: FakePermissions;

  /** In each turn happens what the scene names by `turn`; `usage` says what it takes. */
  constructor(notes: FakeNotes, attachments: FakeAttachments, changed: (change: Change) => void, scene = new URLSearchParams()) {
    this.#notes = notes;
    this.#attachments = attachments;
    this.#changed = changed;
    this.#scene = scene;
    this.#permissions = new FakePermissions(changed, (session, mode) => this.#change(session, { mode }));
    this.answers = { ...this.answers, ...this.#permissions.answers };
  }

  answers: Partial<{ [K in keyof Commands]: (args: Args<K>) => unknown }> = {
    list_sessions: ({ archived }: Args<'list_sessions'>) =>
      [...this.#kept.values()].map(({ line }) => line).filter((line) => line.archived === archived).reverse(),
    create_session: () => this.#view(this.#create()),
    open_session: ({ session_id }: Args<'open_session'>) => this.#view(this.#of(session_id)),
    list_turns: ({ session_id, before, limit }: Args<'list_turns'>) => {
      const { turns } = this.#of(session_id);
      const end = turns.findIndex(({ id }) => id === before);
      const start = Math.max(0, end - limit);
      return { turns: turns.slice(start, end), has_earlier: start > 0 };
    },
    rename_session: ({ session_id, title }: Args<'rename_session'>) =>
      this.#change(session_id, { title, title_origin: title === '' ? 'none' : 'user' }),
    pin_session: ({ session_id, pinned }: Args<'pin_session'>) => this.#change(session_id, { pinned }),
    archive_session: ({ session_id, archived }: Args<'archive_session'>) => this.#change(session_id, { archived }),
    delete_session: ({ session_id }: Args<'delete_session'>) => this.#move(session_id, this.#kept, this.#deleted),
    restore_session: ({ session_id }: Args<'restore_session'>) => this.#move(session_id, this.#deleted, this.#kept),
    clear_session: ({ session_id }: Args<'clear_session'>) => {
      const kept = this.#of(session_id);
      kept.cleared = kept.turns;
      kept.turns = [];
      return this.#change(session_id, { last_words: '' });
    },
    restore_turns: ({ session_id }: Args<'restore_turns'>) => {
      const kept = this.#of(session_id);
      kept.turns = kept.cleared;
      return this.#change(session_id, {});
    },
    set_session_model: ({ session_id, model }: Args<'set_session_model'>) => this.#change(session_id, { model }),
    save_draft: ({ session_id, text, attachments = [] }: Args<'save_draft'>) => {
      const files = attachments.map((id) => this.#attachments.of(id));
      Object.assign(this.#of(session_id), { draft: text, files });
      return null;
    },
    search_sessions: ({ query }: Args<'search_sessions'>) =>
      [...this.#kept.values()].flatMap(({ line, turns }) => {
        const turn = turns.find((each) => JSON.stringify(each.items).includes(query));
        if (turn === undefined || query === '') return [];
        return [{ session_id: line.id, title: line.title, turn_id: turn.id, excerpt: [{ text: query, hit: true }] }];
      }),
    stop_turn: ({ turn_id }: Args<'stop_turn'>) => {
      this.#stopped.add(turn_id);
      return null;
    },
  };

  streams = {
    start_turn: async ({ session_id, text, attachments = [] }: Streams['start_turn']['arguments'], hear: AnyHear) => {
      if (text.includes('never begins')) throw fault('storage', 'the disk is full');
      const files = attachments.map((id) => this.#attachments.of(id));
      await this.#answer(this.#of(session_id), { text, files }, `t${this.#next++}`, hear as Hear);
    },
    retry_turn: async ({ turn_id }: { turn_id: string }, hear: AnyHear) => {
      const kept = [...this.#kept.values()].find(({ turns }) => turns.at(-1)?.id === turn_id);
      const first = kept?.turns.at(-1)?.items[0]?.content;
      if (kept === undefined || first?.kind !== 'user_text') throw fault('not_found', 'no such turn');
      kept.turns = kept.turns.slice(0, -1);
      const said = { text: first.text.replace('fails', 'failed'), files: first.attachments ?? [] };
      await this.#answer(kept, said, `t${this.#next++}`, hear as Hear);
    },
  };

  /** Fills a session with this many finished turns. */
  fill(id: string, count: number): void {
    const { turns } = this.#of(id);
    for (let index = 0; index < count; index += 1) {
      const turn = this.#turn(id, `t${this.#next++}`);
      const user = this.#item(turn.id, { kind: 'user_text', text: `Question ${index + 1}` });
      const answer = this.#item(turn.id, { kind: 'model_text', text: ANSWER });
      turns.push({ ...turn, state: 'finished', items: [{ ...user, blocks: [] }, { ...answer, blocks: renderPlainly(ANSWER) }] });
    }
    this.#changed({ changed: 'session', session_id: id });
  }

  async #answer(kept: Kept, { text, files }: Said, id: string, hear: Hear): Promise<void> {
    const turn: TurnView = { ...this.#turn(kept.line.id, id), items: [] };
    const add = (content: ItemContent) => {
      const item = this.#item(id, content);
      turn.items.push({ ...item, blocks: [] });
      return item;
    };
    const user = add({ kind: 'user_text', text, attachments: files });
    kept.turns.push(turn);
    kept.line.running = id;
    hear({ type: 'turn_started', turn: this.#turn(kept.line.id, id), user });
    this.#changed({ changed: 'sessions' });
    const scene = sceneOf(this.#scene.get('turn'));
    if (text.includes('fails')) this.#end(turn, hear, { code: 'auth', message: '401: the key was refused' });
    else if (scene !== null) this.#end(turn, hear, await scene(this.#stage(kept, turn, add, hear)));
    else {
      if (text.includes('note')) await this.#saveNote(kept, add, hear);
      await this.#speak(turn, text.includes('<') ? text : ANSWER, add, hear);
      this.#end(turn, hear, { finish: 'stop' });
    }
    const words = text === '' ? files.map(({ name }) => name).join(', ') : text;
    const title = kept.line.title === '' ? words.slice(0, 40) : kept.line.title;
    this.#change(kept.line.id, { running: null, last_words: words.slice(0, 80), title, updated_at: Date.now() });
  }

  async #saveNote(kept: Kept, add: (content: ItemContent) => Item, hear: Hear): Promise<void> {
    const item = add({ kind: 'reasoning', text: 'The user wants the decisions kept, so a note fits.' });
    hear({ type: 'item_started', item });
    await pause(PACE * 10);
    hear({ type: 'item_finished', item: this.#done(kept, item) });
    const call = { id: 'call-1', name: 'save_note', arguments: { title: '项目复盘', text: '# 项目复盘\n\n- 先写临时文件' } };
    const waiting = add({ kind: 'tool_call', call, result: null, round: 1 });
    hear({ type: 'item_started', item: waiting });
    await pause(PACE * 10);
    this.#notes.write('项目复盘.md', '# 项目复盘\n\n- 先写临时文件\n', 'agent');
    const result = { text: JSON.stringify({ path: '项目复盘.md' }), is_error: false };
    hear({ type: 'item_finished', item: this.#done(kept, { ...waiting, content: { kind: 'tool_call', call, result, round: 1 } }) });
  }

  async #speak(turn: TurnView, words: string, add: (content: ItemContent) => Item, hear: Hear): Promise<void> {
    const item = add({ kind: 'model_text', text: '' });
    hear({ type: 'item_started', item });
    let text = '';
    let shown: Block[] = [];
    for (const part of words.match(/\s*\S+/g) ?? []) {
      if (this.#stopped.has(turn.id)) break;
      text += part;
      const blocks = renderPlainly(text).map((block, index, all) => ({ ...block, settled: index < all.length - 1 }));
      hear({ type: 'text_delta', item_id: item.id, text: part, patch: patchOf(shown, blocks) });
      shown = blocks;
      await pause(PACE);
    }
    const finished: Item = { ...item, content: { kind: 'model_text', text }, finished_at: Date.now() };
    turn.items[turn.items.length - 1] = { ...finished, blocks: renderPlainly(text) };
    hear({ type: 'item_finished', item: finished });
  }

  #stage(kept: Kept, turn: TurnView, add: (content: ItemContent) => Item, hear: Hear): Stage {
    return {
      model: turn.model,
      begin: (content) => {
        const item = add(content);
        hear({ type: 'item_started', item });
        return item;
      },
      end: (item, content = item.content) => {
        if (content.kind === 'notice' && content.notice.about === 'model_switched') turn.model = content.notice.to;
        hear({ type: 'item_finished', item: this.#done(kept, { ...item, content }) });
      },
      speak: (words = ANSWER) => this.#speak(turn, words, add, hear),
      ask: async (item, content) => {
        this.#change(kept.line.id, { waiting: true });
        const answer = await this.#permissions.ask(kept.line.id, turn.id, item.id, content, () => this.#stopped.has(turn.id));
        this.#change(kept.line.id, { waiting: false });
        return answer;
      },
      wrote: (item) => this.#permissions.wrote(turn.id, item.id),
      hear,
      wait: async (millis) => {
        const until = Date.now() + millis;
        while (Date.now() < until && !this.#stopped.has(turn.id)) await pause(PACE);
        return this.#stopped.has(turn.id);
      },
    };
  }

  #end(turn: TurnView, hear: Hear, ending: Ending): void {
    const ids = { session_id: turn.session_id, turn_id: turn.id };
    turn.usage = usageOf(this.#scene.get('usage'));
    if ('code' in ending) {
      turn.state = 'failed';
      turn.failure = { code: ending.code, message: ending.message };
      hear({ type: 'error', ...ids, ...ending, usage: turn.usage });
      return;
    }
    turn.finish = this.#stopped.has(turn.id) ? 'cancelled' : ending.finish;
    turn.state = turn.finish === 'cancelled' ? 'cancelled' : 'finished';
    hear({ type: 'turn_finished', ...ids, text: '', finish: turn.finish, usage: turn.usage, tool_calls: [] });
  }

  /** The item as it stays, kept in its turn. */
  #done(kept: Kept, item: Item): Item {
    const done = { ...item, finished_at: Date.now() };
    const items = kept.turns.at(-1)?.items;
    items?.splice(items.findIndex(({ id }) => id === item.id), 1, { ...done, blocks: [] });
    return done;
  }

  #turn(session_id: string, id: string): Turn {
    return { id, session_id, state: 'running', model: MODEL, usage: NOTHING, finish: null, failure: null, started_at: Date.now(), finished_at: null };
  }

  #item(turn_id: string, content: ItemContent): Item {
    return { id: `i${this.#next++}`, turn_id, content, started_at: Date.now(), finished_at: null };
  }

  #create(): Kept {
    const now = Date.now();
    const line: SessionLine = {
      id: `s${this.#next++}`,
      title: '',
      title_origin: 'none',
      last_words: '',
      running: null,
      model: null,
      source: 'desktop',
      mode: 'ask',
      waiting: false,
      pinned: false,
      archived: false,
      created_at: now,
      updated_at: now,
    };
    const kept: Kept = { line, draft: '', files: [], turns: [], cleared: [] };
    this.#kept.set(line.id, kept);
    this.#changed({ changed: 'sessions' });
    return kept;
  }

  #of(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw fault('not_found', 'no such session');
    return kept;
  }

  #view({ line, draft, files, turns }: Kept): SessionView {
    const usage = turns.reduce((sum, turn) => plus(sum, turn.usage), NOTHING);
    return { session: line, draft, draft_attachments: files, usage, turns: turns.slice(-PAGE), has_earlier: turns.length > PAGE };
  }

  #change(id: string, change: Partial<SessionLine>): null {
    Object.assign(this.#of(id).line, change);
    this.#changed({ changed: 'session', session_id: id });
    return null;
  }

  #move(id: string, from: Map<string, Kept>, to: Map<string, Kept>): null {
    const kept = from.get(id);
    if (kept === undefined) throw fault('not_found', 'no such session');
    from.delete(id);
    to.set(id, kept);
    this.#changed({ changed: 'sessions' });
    return null;
  }
}
