import { beforeEach, describe, expect, it, vi } from 'vitest';
import { attachmentOf } from '../attachment/attachment.fixture';
import { answering, failure } from '../backend/answering';
import type { Backend } from '../backend/backend';
import type { Change, SessionLine, SessionView } from '../backend/bindings';
import { language } from '../language/language.svelte';
import type { Toast } from '../toast/context';
import { Sessions, titleOf } from './sessions.svelte';

function line(id: string, change: Partial<SessionLine> = {}): SessionLine {
  return {
    id,
    title: `Title ${id}`,
    title_origin: 'automatic',
    last_words: 'words',
    running: null,
    model: null,
    source: 'desktop',
    mode: 'ask',
    waiting: false,
    pinned: false,
    archived: false,
    created_at: 1,
    updated_at: 1,
    ...change,
  };
}

const viewOf = (session: SessionLine, draft: Partial<SessionView> = {}): SessionView => ({
  session,
  draft: '',
  draft_attachments: [],
  usage: { input_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, output_tokens: 0 },
  turns: [],
  has_earlier: false,
  ...draft,
});

/** Sessions over a core that keeps these lines. */
function over(kept: SessionLine[], remembered: string | null = null, drafts: Record<string, Partial<SessionView>> = {}) {
  let lines = kept;
  const gone: SessionLine[] = [];
  const put = (id: string, change: Partial<SessionLine>) => {
    lines = lines.map((each) => (each.id === id ? { ...each, ...change } : each));
    return null;
  };
  const find = (id: string) => lines.find((each) => each.id === id) ?? line(id);
  const backend = answering({
    list_sessions: ({ archived }) => lines.filter((each) => each.archived === archived),
    create_session: () => {
      const made = line(`new${lines.length}`, { title: '', last_words: '' });
      lines = [made, ...lines];
      return viewOf(made);
    },
    open_session: ({ session_id }) => viewOf(find(session_id), drafts[session_id]),
    rename_session: ({ session_id, title }) => put(session_id, { title }),
    pin_session: ({ session_id, pinned }) => put(session_id, { pinned }),
    archive_session: ({ session_id, archived }) => put(session_id, { archived }),
    delete_session: ({ session_id }) => {
      gone.push(find(session_id));
      lines = lines.filter((each) => each.id !== session_id);
      return null;
    },
    restore_session: ({ session_id }) => {
      lines = [...lines, ...gone.filter((each) => each.id === session_id)];
      return null;
    },
    clear_session: ({ session_id }) => put(session_id, { last_words: '' }),
    restore_turns: ({ session_id }) => put(session_id, { last_words: 'words' }),
  });
  return { ...inPage(backend, remembered), backend };
}

function inPage(backend: Backend, remembered: string | null = null) {
  const memory = new Map<string, string>(remembered === null ? [] : [['talaria.session', remembered]]);
  const toasts: Toast[] = [];
  const sessions = new Sessions(
    backend,
    { show: (toast) => void toasts.push(toast) },
    { getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => void memory.set(key, value) },
  );
  return { sessions, toasts, memory };
}

const ids = (lines: readonly SessionLine[]) => lines.map(({ id }) => id);

async function undo(toasts: Toast[]): Promise<void> {
  toasts.at(-1)?.action?.run();
  await vi.waitFor(() => undefined);
  await new Promise((resolve) => setTimeout(resolve));
}

beforeEach(() => {
  language.current = 'en';
});

describe('at the start', () => {
  it.each([
    ['the session that was open last opens', [line('a'), line('b')], 'b', 'b'],
    ['the latest opens if none is remembered', [line('a'), line('b')], null, 'a'],
    ['the latest opens if the remembered one is gone', [line('a'), line('b')], 'z', 'a'],
    ['an archived one opens again if it was open last', [line('a'), line('b', { archived: true })], 'b', 'b'],
    ['a new one is made if there is none', [], null, 'new0'],
  ])('%s', async (_name, lines, remembered, opens) => {
    const { sessions, memory } = over(lines, remembered);
    await sessions.load();
    await sessions.begin();
    expect(sessions.current).toBe(opens);
    expect(sessions.open?.id).toBe(opens);
    expect(memory.get('talaria.session')).toBe(opens);
  });

  it('a list that can not be read is said, and makes no session', async () => {
    const { sessions } = inPage(
      answering({
        list_sessions: () => {
          throw failure('storage', 'disk');
        },
      }),
    );
    await sessions.load();
    await sessions.begin();
    expect(sessions.error?.code).toBe('storage');
    expect(sessions.loading).toBe(false);
    expect(sessions.current).toBeNull();
  });
});

describe('a new session', () => {
  it('is one in which nothing was said or typed yet, if there is one', async () => {
    const { sessions, backend } = over([line('a'), line('b', { title: '', last_words: '' })]);
    await sessions.load();
    expect(await sessions.create()).toBe('b');
    expect(backend.asked.some(({ name }) => name === 'create_session')).toBe(false);
  });

  it.each([
    ['has a draft', { title: '', last_words: '' }, { b: { draft: 'half a thought' } }],
    ['has a file', { title: '', last_words: '' }, { b: { draft_attachments: [attachmentOf('a')] } }],
    ['was given a title', { title: 'Plans', last_words: '' }, {}],
    ['is being answered', { title: '', last_words: '', running: 't1' }, {}],
  ])('is not one that %s', async (_name, change, drafts) => {
    const { sessions } = over([line('b', change)], null, drafts);
    await sessions.load();
    expect(await sessions.create()).toBe('new1');
    expect(ids(sessions.lines)).toEqual(['new1', 'b']);
  });

  it('that can not be made is said in a toast', async () => {
    const { sessions, toasts } = inPage(answering({ list_sessions: () => [] }));
    await sessions.load();
    expect(await sessions.create()).toBeNull();
    expect(toasts).toHaveLength(1);
  });
});

describe('what is done with a session', () => {
  it('can be undone after it was deleted, and the one beside it opens meanwhile', async () => {
    const { sessions, toasts } = over([line('a'), line('b'), line('c')], 'b');
    await sessions.load();
    await sessions.begin();
    await sessions.remove(line('b'));
    expect(ids(sessions.lines)).toEqual(['a', 'c']);
    expect(sessions.current).toBe('c');
    expect(toasts.at(-1)?.text).toContain('Title b');
    await undo(toasts);
    expect(ids(sessions.lines)).toContain('b');
    expect(sessions.current).toBe('b');
  });

  it('leaves the open one open when another is deleted', async () => {
    const { sessions } = over([line('a'), line('b')], 'a');
    await sessions.load();
    await sessions.begin();
    await sessions.remove(line('b'));
    expect(sessions.current).toBe('a');
  });

  it('makes a new one when the last one is deleted', async () => {
    const { sessions } = over([line('a')]);
    await sessions.load();
    await sessions.begin();
    await sessions.remove(line('a'));
    expect(sessions.open?.title).toBe('');
  });

  it('can be undone after it was archived', async () => {
    const { sessions, toasts } = over([line('a'), line('b')], 'a');
    await sessions.load();
    await sessions.begin();
    await sessions.archive(line('a'), true);
    expect([ids(sessions.lines), ids(sessions.archived), sessions.current]).toEqual([['b'], ['a'], 'b']);
    await undo(toasts);
    expect([ids(sessions.archived), sessions.current]).toEqual([[], 'a']);
  });

  it('brings it back from the archive without a word', async () => {
    const { sessions, toasts } = over([line('a'), line('b', { archived: true })]);
    await sessions.load();
    await sessions.archive(line('b', { archived: true }), false);
    expect(ids(sessions.lines)).toEqual(['a', 'b']);
    expect(toasts).toEqual([]);
  });

  it('can be undone after its history was cleared', async () => {
    const { sessions, toasts } = over([line('a')]);
    await sessions.load();
    await sessions.clear(line('a'));
    expect(sessions.find('a')?.last_words).toBe('');
    await undo(toasts);
    expect(sessions.find('a')?.last_words).toBe('words');
  });

  it('gives it a trimmed title, and asks nothing for the same one', async () => {
    const { sessions, backend } = over([line('a')]);
    await sessions.load();
    await sessions.rename(line('a'), '  周会  ');
    expect(sessions.find('a')?.title).toBe('周会');
    const before = backend.asked.length;
    await sessions.rename(line('a', { title: '周会' }), ' 周会 ');
    expect(backend.asked).toHaveLength(before);
  });

  it('pins and unpins it', async () => {
    const { sessions } = over([line('a')]);
    await sessions.load();
    await sessions.pin(line('a'), true);
    expect(sessions.find('a')?.pinned).toBe(true);
    await sessions.pin(line('a'), false);
    expect(sessions.find('a')?.pinned).toBe(false);
  });

  it('that fails changes nothing and is said', async () => {
    const { sessions, toasts } = inPage(answering({ list_sessions: ({ archived }) => (archived ? [] : [line('a')]) }));
    await sessions.load();
    await sessions.begin();
    await sessions.remove(line('a'));
    expect(ids(sessions.lines)).toEqual(['a']);
    expect(sessions.current).toBe('a');
    expect(toasts.at(-1)?.action).toBeUndefined();
  });
});

describe('changes made elsewhere', () => {
  it('are read, a burst of them at most twice', async () => {
    let heard: (change: Change) => void = () => undefined;
    const backend = answering({ list_sessions: () => [] });
    const { sessions } = inPage({ ...backend, onChange: (listener) => ((heard = listener), () => undefined) });
    sessions.follow();
    for (let count = 0; count < 20; count += 1) heard({ changed: 'session', session_id: 'a' });
    heard({ changed: 'notes' });
    await sessions.load();
    // Each reading asks for both lists.
    expect(backend.asked).toHaveLength(4);
  });

  it('that put the open session away open another', async () => {
    let heard: (change: Change) => void = () => undefined;
    let lines = [line('a'), line('b')];
    const backend = answering({ list_sessions: ({ archived }) => (archived ? [] : lines) });
    const { sessions } = inPage({ ...backend, onChange: (listener) => ((heard = listener), () => undefined) }, 'b');
    sessions.follow();
    await sessions.load();
    await sessions.begin();
    lines = [line('a')];
    heard({ changed: 'sessions' });
    await vi.waitFor(() => expect(sessions.current).toBe('a'));
  });
});

describe('the title', () => {
  it.each([
    ['en', 'New session'],
    ['zh-CN', '新会话'],
  ] as const)('of an untitled session is a word in %s', (spoken, word) => {
    language.current = spoken;
    expect(titleOf({ title: '  ' })).toBe(word);
  });
});
