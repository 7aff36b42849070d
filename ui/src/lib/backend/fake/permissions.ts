// What the fake backend's turns ask, what its sessions may do, and what they changed.

import type { Answer, Change, Commands, ContextReport, FileChangeView, FileDiff, Folder, Mode, Question, QuestionContent } from '../bindings';
import { fault } from './fault';

type Args<K extends keyof Commands> = Commands[K]['arguments'];

export const DIFF: FileDiff = {
  path: '/home/ada/Projects/garden/plan.md',
  change: 'changed',
  added: 3,
  removed: 1,
  cut: false,
  hunks: [
    {
      old_start: 3,
      new_start: 3,
      lines: [
        { change: 'same', text: '## 春天' },
        { change: 'removed', text: '- Tomatoes in bed two' },
        { change: 'added', text: '- Tomatoes in bed four, where the sun is' },
        { change: 'added', text: '- 二号地改种豆角' },
        { change: 'added', text: '- Compost before the first of April' },
        { change: 'same', text: '' },
      ],
    },
  ],
};

const REPORT: ContextReport = {
  window: 32_768,
  reserved: 8_192,
  layers: [
    { kind: 'rules', tokens: 512, cap: null },
    { kind: 'tools', tokens: 1_870, cap: 2_500 },
    { kind: 'history', tokens: 6_310, cap: null },
    { kind: 'earlier_steps', tokens: 4_120, cap: null },
    { kind: 'input', tokens: 96, cap: null },
    { kind: 'steps', tokens: 1_240, cap: null },
  ],
};

/** How long a question stays open. */
const PATIENCE = 600_000;

export class FakePermissions {
  #open = new Map<string, { question: Question; answered: (answer: Answer | null) => void }>();
  #folders = new Map<string, Folder[]>();
  #changes: FileChangeView[] = [];
  #compacted = false;
  #next = 1;
  #changed: (change: Change) => void;
  #setMode: (session: string, mode: Mode) => null;

  constructor(changed: (change: Change) => void, setMode: (session: string, mode: Mode) => null) {
    this.#changed = changed;
    this.#setMode = setMode;
  }

  answers = {
    list_questions: () => [...this.#open.values()].map(({ question }) => question),
    answer_question: ({ question_id, answer }: Args<'answer_question'>) => {
      const open = this.#open.get(question_id);
      if (open === undefined) throw fault('not_found', 'this question is no longer open');
      open.answered(answer);
      return null;
    },
    set_session_mode: ({ session_id, mode }: Args<'set_session_mode'>) => this.#setMode(session_id, mode),
    list_folders: ({ session_id }: Args<'list_folders'>) => this.#folders.get(session_id) ?? [],
    grant_folder: ({ session_id, folder }: Args<'grant_folder'>) => {
      const others = (this.#folders.get(session_id) ?? []).filter(({ path }) => path !== folder.path);
      this.#folders.set(session_id, [...others, folder]);
      return null;
    },
    revoke_folder: ({ session_id, path }: Args<'revoke_folder'>) => {
      this.#folders.set(session_id, (this.#folders.get(session_id) ?? []).filter((folder) => folder.path !== path));
      return null;
    },
    read_context: () => REPORT,
    list_compactions: ({ session_id }: Args<'list_compactions'>) => (this.#compacted ? [this.#compaction(session_id)] : []),
    compact_session: ({ session_id }: Args<'compact_session'>) => {
      this.#compacted = true;
      return this.#compaction(session_id);
    },
    stop_compaction: () => null,
    undo_compaction: () => {
      this.#compacted = false;
      return null;
    },
    list_file_changes: () => this.#changes,
    undo_file_changes: ({ ids }: Args<'undo_file_changes'>) => {
      this.#changes = this.#changes.map((change) => (ids.includes(change.id) ? { ...change, undone: true } : change));
      return this.#changes;
    },
  };

  /** Puts a question and waits for its answer; null: it was withdrawn. */
  async ask(session: string, turn: string, item: string, content: QuestionContent, isStopped: () => boolean): Promise<Answer | null> {
    const id = `q${this.#next++}`;
    const now = Date.now();
    const question = { id, session_id: session, turn_id: turn, item_id: item, asked_at: now, expires_at: now + PATIENCE, content };
    const answer = await new Promise<Answer | null>((answered) => {
      this.#open.set(id, { question, answered });
      this.#changed({ changed: 'questions' });
      const watch = setInterval(() => {
        if (isStopped()) answered(null);
        if (!this.#open.has(id) || isStopped()) clearInterval(watch);
      }, 50);
    });
    this.#open.delete(id);
    this.#changed({ changed: 'questions' });
    return answer;
  }

  /** A file was changed by a call. */
  wrote(turn_id: string, item_id: string): void {
    this.#changes = [...this.#changes, { id: `f${this.#next++}`, turn_id, item_id, diff: DIFF, at: Date.now(), undone: false, lost: false }];
  }

  #compaction(session_id: string) {
    return {
      id: 'c1',
      session_id,
      at: Date.now(),
      steps_through: null,
      summary_through: 'i1',
      left_out_through: null,
      window: 32_768,
      summary: 'The garden has five beds. 二号地改种豆角。Tomatoes go to bed four.',
      tokens_before: 14_148,
      tokens_after: 4_930,
      by_hand: true,
      undone: false,
    };
  }
}
