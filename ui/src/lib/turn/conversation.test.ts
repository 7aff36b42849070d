import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attachmentOf, fileOf } from '../attachment/attachment.fixture';
import { answering, failure } from '../backend/answering';
import type { SessionView, WindowTurnEvent } from '../backend/bindings';
import { Conversation } from './conversation.svelte';
import { turnOf, userItem, viewOf } from './turn.fixture';

const usage = { input_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, output_tokens: 0 };
const opened = (more: Partial<SessionView> = {}) =>
  ({ session: { model: null }, draft: '', draft_attachments: [], turns: [], usage, has_earlier: false, ...more }) as unknown as SessionView;
const started: WindowTurnEvent = { type: 'turn_started', turn: turnOf('t'), user: userItem };
const finished: WindowTurnEvent = { type: 'turn_finished', session_id: 's', turn_id: 't', text: '', finish: 'stop', usage, tool_calls: [] };
const saved = { save_draft: () => null };

describe('a conversation', () => {
  it('sends what is typed and empties the field', async () => {
    const backend = answering(saved, { start_turn: (_, hear) => [started, finished].forEach(hear) });
    const conversation = new Conversation(backend, 's');
    conversation.text = 'hello';
    await conversation.send();
    expect(backend.asked[0]).toEqual({ name: 'start_turn', args: { session_id: 's', text: 'hello', attachments: [] } });
    expect(conversation.text).toBe('');
    expect(conversation.turns[0]?.state).toBe('finished');
    expect(conversation.busy).toBe(false);
  });

  it('gives the words back if the turn could not begin, before those typed since', async () => {
    const conversation = new Conversation(
      answering(saved, {
        start_turn: () => {
          conversation.type('more');
          throw failure('auth');
        },
      }),
      's',
    );
    conversation.text = 'hello';
    await conversation.send();
    expect(conversation.text).toBe('hello\nmore');
    expect(conversation.error?.code).toBe('auth');
  });

  it('does not give back words that the core has kept', async () => {
    const conversation = new Conversation(
      answering({ ...saved, open_session: () => opened({ turns: [viewOf('t', 'interrupted')] }) }, { start_turn: (_, hear) => hear(started) }),
      's',
    );
    conversation.text = 'hello';
    await conversation.send();
    expect(conversation.text).toBe('');
    expect(conversation.turns[0]?.state).toBe('interrupted');
  });

  it('puts a retried turn in the place of the one that failed', async () => {
    const conversation = new Conversation(
      answering(
        { ...saved, open_session: () => opened({ turns: [viewOf('old', 'failed')] }) },
        { retry_turn: (_, hear) => [started, finished].forEach(hear) },
      ),
      's',
    );
    await conversation.load();
    await conversation.again(viewOf('old', 'failed'));
    expect(conversation.turns.map(({ id, state }) => [id, state])).toEqual([['t', 'finished']]);
  });

  it('adds what each turn took to what the session took before, a failed one too', async () => {
    const took = { ...usage, input_tokens: 10, output_tokens: 2, cost: 5 };
    const failed: WindowTurnEvent = { type: 'error', session_id: 's', turn_id: 't', code: 'timeout', message: '', usage: took };
    const conversation = new Conversation(
      answering(
        { ...saved, open_session: () => opened({ usage: { ...took, cost: 100 } }) },
        { start_turn: (_, hear) => [started, failed].forEach(hear) },
      ),
      's',
    );
    await conversation.load();
    await conversation.say('hello');
    expect(conversation.usage).toEqual({ ...took, input_tokens: 20, output_tokens: 4, cost: 105 });
  });

  it('tells of a retry until the next event, and keeps what a failure said', async () => {
    const retrying: WindowTurnEvent = { type: 'retrying', attempt: 2, wait_ms: 5_000, code: 'overloaded', message: '529' };
    const failed: WindowTurnEvent = { type: 'error', session_id: 's', turn_id: 't', code: 'rate_limited', message: '', retry_after_ms: 9_000, usage };
    let seen: number | undefined;
    const conversation = new Conversation(
      answering(saved, {
        start_turn: (_, hear) => {
          [started, retrying].forEach(hear);
          seen = conversation.retry?.attempt;
          hear(failed);
        },
      }),
      's',
    );
    await conversation.say('hello');
    expect(seen).toBe(2);
    expect(conversation.retry).toBe(null);
    expect(conversation.trouble).toMatchObject({ turn: 't', retry_after_ms: 9_000 });
  });

  it.each(['', '  \n'])('sends nothing for %j', async (text) => {
    const backend = answering(saved);
    const conversation = new Conversation(backend, 's');
    conversation.text = text;
    await conversation.send();
    expect(backend.asked).toEqual([]);
  });

  it('puts earlier turns before the others', async () => {
    const backend = answering({
      open_session: () => opened({ turns: [viewOf('c')], has_earlier: true }),
      list_turns: () => ({ turns: [viewOf('a'), viewOf('b')], has_earlier: false }),
    });
    const conversation = new Conversation(backend, 's');
    await conversation.load();
    await Promise.all([conversation.loadEarlier(), conversation.loadEarlier()]);
    expect(conversation.turns.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(conversation.hasEarlier).toBe(false);
  });

  it('goes back to the model before if the choice could not be kept', async () => {
    const conversation = new Conversation(answering({}), 's');
    await conversation.choose({ service: 'local', model: 'big' });
    expect(conversation.model).toBe(null);
    expect(conversation.error?.code).toBe('internal');
  });
});

describe('files beside the words', () => {
  const taking = { ...saved, add_attachment: () => attachmentOf('a') };
  const askedFor = (backend: ReturnType<typeof answering>, name: string) =>
    backend.asked.filter((each) => each.name === name).map(({ args }) => args);

  it('go with them, and alone too', async () => {
    const backend = answering(taking, { start_turn: (_, hear) => [started, finished].forEach(hear) });
    const conversation = new Conversation(backend, 's');
    await conversation.basket.add([fileOf('a.png')]);
    expect(conversation.sendable).toBe(true);
    await conversation.send();
    expect(askedFor(backend, 'start_turn')).toEqual([{ session_id: 's', text: '', attachments: ['a'] }]);
    expect(conversation.basket.waiting).toEqual([]);
  });

  it('come back with them, before those attached since, if the turn could not begin', async () => {
    const conversation = new Conversation(
      answering(taking, {
        start_turn: () => {
          conversation.basket.put([attachmentOf('later')]);
          throw failure('storage');
        },
      }),
      's',
    );
    conversation.text = 'look';
    conversation.basket.put([attachmentOf('a')]);
    await conversation.send();
    expect(conversation.text).toBe('look');
    expect(conversation.basket.kept.map(({ id }) => id)).toEqual(['a', 'later']);
  });

  it('hold the words back while they are on their way', async () => {
    const backend = answering({ ...saved, add_attachment: () => new Promise(() => undefined) });
    const conversation = new Conversation(backend, 's');
    conversation.text = 'look';
    void conversation.basket.add([fileOf('a.png')]);
    expect(conversation.sendable).toBe(false);
    await conversation.send();
    expect(conversation.text).toBe('look');
    expect(askedFor(backend, 'start_turn')).toEqual([]);
  });

  it('are saved with the draft at once, when they come and when they go', async () => {
    const backend = answering(taking);
    const conversation = new Conversation(backend, 's');
    await conversation.basket.add([fileOf('a.png')]);
    conversation.basket.remove(conversation.basket.waiting[0]?.key ?? 0);
    await vi.waitFor(() =>
      expect(askedFor(backend, 'save_draft')).toEqual([
        { session_id: 's', text: '', attachments: ['a'] },
        { session_id: 's', text: '', attachments: [] },
      ]),
    );
  });

  it('leave the draft as soon as the turn began', async () => {
    const backend = answering(taking, {
      start_turn: (_, hear) => {
        hear(started);
        expect(askedFor(backend, 'save_draft').at(-1)).toEqual({ session_id: 's', text: '', attachments: [] });
        hear(finished);
      },
    });
    const conversation = new Conversation(backend, 's');
    await conversation.basket.add([fileOf('a.png')]);
    await conversation.send();
  });

  it('come back with the draft, and are not saved again', async () => {
    const backend = answering({ ...saved, open_session: () => opened({ draft_attachments: [attachmentOf('a')] }) });
    const conversation = new Conversation(backend, 's');
    await conversation.load();
    await conversation.load();
    expect(conversation.basket.kept).toEqual([attachmentOf('a')]);
    await conversation.saveDraft();
    expect(askedFor(backend, 'save_draft')).toEqual([]);
  });

  it('stay where they are, with the words, when others are said', async () => {
    const backend = answering(taking, { start_turn: (_, hear) => [started, finished].forEach(hear) });
    const conversation = new Conversation(backend, 's');
    conversation.basket.put([attachmentOf('a')]);
    conversation.text = 'half a thought';
    await conversation.say('an example');
    expect(conversation.text).toBe('half a thought');
    expect(askedFor(backend, 'start_turn')).toEqual([{ session_id: 's', text: 'an example', attachments: [] }]);
    expect(conversation.basket.kept).toEqual([attachmentOf('a')]);
  });
});

describe('a draft', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is saved once, after a pause', async () => {
    const backend = answering(saved);
    const conversation = new Conversation(backend, 's');
    conversation.type('h');
    conversation.type('hi');
    await vi.advanceTimersByTimeAsync(299);
    expect(backend.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await conversation.saveDraft();
    expect(backend.asked).toEqual([{ name: 'save_draft', args: { session_id: 's', text: 'hi', attachments: [] } }]);
  });

  it('comes back, but never over what was typed meanwhile', async () => {
    const backend = answering({ ...saved, open_session: () => opened({ draft: 'old' }) });
    const fresh = new Conversation(backend, 's');
    await fresh.load();
    expect(fresh.text).toBe('old');
    const typed = new Conversation(backend, 's');
    typed.type('new');
    await typed.load();
    expect(typed.text).toBe('new');
  });
});
