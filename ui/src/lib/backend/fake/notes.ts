// The notes folder of the fake backend: files in memory that keep their older texts.

import type { Commands, Note, NoteAuthor, NoteVersion } from '../bindings';
import { fault } from './fault';

type NoteCommand =
  | 'list_notes'
  | 'read_note'
  | 'create_note'
  | 'save_note'
  | 'rename_note'
  | 'delete_note'
  | 'restore_note'
  | 'list_note_versions'
  | 'read_note_version';

type NoteAnswers = { [K in NoteCommand]: (args: Commands[K]['arguments']) => Commands[K]['result'] };

type Kept = NoteVersion & { text: string };
type File = Kept & { path: string; session_id: string | null; older: Kept[] };

const TRIP = `# Trip to Hangzhou

**Day 1**: West Lake on foot, tea at Longjing.

- [ ] book the train
- [x] find a guide

> Slow is fine.

| day | place |
| --- | --- |
| 1 | West Lake |
| 2 | 龙井村 |
`;

export class FakeNotes {
  #files = new Map<string, File>();
  #trash = new Map<string, File>();
  #now: () => number;
  #changed: () => void;

  constructor(now: () => number, changed: () => void) {
    this.#now = now;
    this.#changed = changed;
  }

  /** A few notes of both authors, one of them with an earlier version. */
  fillUsual(): void {
    const day = 86_400_000;
    this.write('季度复盘.md', '# 季度复盘\n\n## 决定\n\n- 会话状态先写临时文件，再替换正式文件。\n- 发布前跑一次完整的恢复演练。\n', 'agent', this.#now() - 6 * day);
    this.write('Hangzhou.md', '# Trip to Hangzhou\n\nDay 1: West Lake\n', 'user', this.#now() - 3 * day);
    this.write('Hangzhou.md', TRIP, 'agent', this.#now() - day);
    this.write('Reading list.md', '# Reading list\n\n1. A book on bridges\n2. 《茶经》\n', 'user', this.#now() - 2 * day);
  }

  /** Puts a file there as another program or the agent would. */
  write(path: string, text: string, author: NoteAuthor = 'user', savedAt = this.#now()): void {
    this.#put(path, text, author, savedAt, this.#files.get(path)?.session_id ?? null);
  }

  /** Takes a file away as another program would. */
  remove(path: string): void {
    this.#files.delete(path);
    this.#changed();
  }

  readonly answers: NoteAnswers = {
    list_notes: ({ query }) => {
      const wanted = query.trim().toLowerCase();
      return [...this.#files.values()]
        .filter((file) => (file.path + file.text).toLowerCase().includes(wanted))
        .sort((one, other) => other.saved_at - one.saved_at)
        .map((file) => summaryOf(file));
    },
    read_note: ({ path }) => noteOf(this.#find(path)),
    create_note: ({ title, text, session_id }) => noteOf(this.#put(this.#free(title), text, 'user', this.#now(), session_id)),
    save_note: ({ path, text, version }) => {
      const file = this.#find(path);
      if (file.version !== version) throw fault('conflict', 'The note changed since it was read.');
      return noteOf(this.#put(path, text, 'user', this.#now(), file.session_id));
    },
    rename_note: ({ path, title }) => {
      const file = this.#find(path);
      const text = /^# .*/.test(file.text) ? file.text.replace(/^# .*/, `# ${title}`) : file.text;
      this.#files.delete(path);
      const renamed = { ...file, path: this.#free(title), text, version: versionOf(text) };
      this.#files.set(renamed.path, renamed);
      this.#changed();
      return noteOf(renamed);
    },
    delete_note: ({ path }) => {
      this.#trash.set(path, this.#find(path));
      this.remove(path);
      return null;
    },
    restore_note: ({ path }) => {
      const file = this.#trash.get(path);
      if (file === undefined) throw fault('not_found', 'No such note in the trash.');
      this.#trash.delete(path);
      this.#files.set(path, file);
      this.#changed();
      return noteOf(file);
    },
    list_note_versions: ({ path }) =>
      this.#find(path).older.map(({ version, author, saved_at, size }) => ({ version, author, saved_at, size })),
    read_note_version: ({ path, version }) => {
      const kept = this.#find(path).older.find((each) => each.version === version);
      if (kept === undefined) throw fault('not_found', 'No such version.');
      return kept.text;
    },
  };

  #find(path: string): File {
    const file = this.#files.get(path);
    if (file === undefined) throw fault('not_found', 'No such note.');
    return file;
  }

  #put(path: string, text: string, author: NoteAuthor, savedAt: number, session: string | null): File {
    const before = this.#files.get(path);
    const { version, text: old, author: by, saved_at, size } = before ?? { version: '', text: '', author, saved_at: 0, size: 0 };
    const older = before === undefined ? [] : [{ version, text: old, author: by, saved_at, size }, ...before.older];
    const file: File = {
      path,
      text,
      author,
      saved_at: savedAt,
      size: new Blob([text]).size,
      version: versionOf(text),
      session_id: session,
      older,
    };
    this.#files.set(path, file);
    this.#changed();
    return file;
  }

  /** A path for a title that no other note has. */
  #free(title: string): string {
    const stem = title.trim().replaceAll(/[\\/:*?"<>|]/g, '-') || 'note';
    for (let count = 1; ; count += 1) {
      const path = count === 1 ? `${stem}.md` : `${stem} ${count}.md`;
      if (!this.#files.has(path)) return path;
    }
  }
}

function versionOf(text: string): string {
  let hash = 7;
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return `v${hash.toString(16)}`;
}

function summaryOf(file: File): Omit<Note, 'text' | 'version'> {
  const lines = file.text.split('\n').map((line) => line.replace(/^#+\s*/, '').trim());
  const heading = /^# (.+)/m.exec(file.text)?.[1];
  const title = heading ?? file.path.replace(/\.md$/, '');
  const excerpt = lines.find((line) => line !== '' && line !== title) ?? '';
  return { path: file.path, title, excerpt, author: file.author, session_id: file.session_id, updated_at: file.saved_at };
}

function noteOf(file: File): Note {
  return { ...summaryOf(file), text: file.text, version: file.version };
}
