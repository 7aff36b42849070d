import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { SessionView, WindowTurnEvent } from '../backend/bindings';
import { Conversation } from './conversation.svelte';
import { turnOf, userItem, viewOf } from './turn.fixture';

const usage = { input_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, output_tokens: 0 };
const opened = (more: Partial<SessionView> = {}) =>
  ({ session: { model: null }, draft: '', turns: [], usage, has_earlier: false, ...more }) as unknown as SessionView;
const started: WindowTurnEvent = { type: 'turn_started', turn: turnOf('t'), user: userItem };
const finished: WindowTurnEvent = { type: 'turn_finished', session_id: 's', turn_id: 't', text: '', finish: 'stop', usage, tool_calls: [] };
const saved = { save_draft: () => null };

describe('a conversation', () => {
  it('sends what is typed and empties the field', async () => {
    const backend = answering(saved, { start_turn: (_, hear) => [started, finished].forEach(hear) });
    const conversation = new Conversation(backend, 's');
    conversation.text = 'hello';
    await conversation.send();
    expect(backend.asked[0]).toEqual({ name: 'start_turn', args: { session_id: 's', text: 'hello' } });
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
    expect(backend.asked).toEqual([{ name: 'save_draft', args: { session_id: 's', text: 'hi' } }]);
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
