import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { SearchHit } from '../backend/bindings';
import { SEARCH_DELAY_MS, SessionSearch } from './search.svelte';

const hit = (title: string): SearchHit => ({ session_id: title, title, turn_id: 't', excerpt: [] });

describe('the search over sessions', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks once, when typing rests', async () => {
    const backend = answering({ search_sessions: ({ query }) => [hit(query)] });
    const search = new SessionSearch(backend);
    for (const query of ['会', '会议', ' 会议 ']) {
      search.type(query);
      await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS - 1);
    }
    expect(backend.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(backend.asked).toEqual([{ name: 'search_sessions', args: { query: '会议', limit: 50 } }]);
    expect(search.hits?.map(({ title }) => title)).toEqual(['会议']);
  });

  it.each(['', '   '])('ends at once for %j', async (blank) => {
    const backend = answering({ search_sessions: () => [hit('a')] });
    const search = new SessionSearch(backend);
    search.type('a');
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    search.type(blank);
    expect(search.active).toBe(false);
    expect(search.hits).toBeNull();
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    expect(backend.asked).toHaveLength(1);
  });

  it('drops a slow answer to what was asked before', async () => {
    const answers: ((hits: SearchHit[]) => void)[] = [];
    const search = new SessionSearch(
      answering({ search_sessions: () => new Promise((resolve) => answers.push(resolve)) }),
    );
    search.type('slow');
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    search.type('quick');
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    answers[1]?.([hit('quick')]);
    answers[0]?.([hit('slow')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(search.hits?.map(({ title }) => title)).toEqual(['quick']);
  });

  it('does not bring back hits of a search that has ended', async () => {
    let answer: (hits: SearchHit[]) => void = () => undefined;
    const search = new SessionSearch(answering({ search_sessions: () => new Promise((resolve) => (answer = resolve)) }));
    search.type('a');
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    search.type('');
    answer([hit('a')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(search.hits).toBeNull();
  });

  it('says why it failed, and forgets that once it works', async () => {
    let broken = true;
    const search = new SessionSearch(
      answering({
        search_sessions: () => {
          if (broken) throw failure('storage', 'broke');
          return [];
        },
      }),
    );
    search.type('a');
    await vi.advanceTimersByTimeAsync(SEARCH_DELAY_MS);
    expect(search.error?.code).toBe('storage');
    broken = false;
    await search.ask();
    expect(search.error).toBeNull();
    expect(search.hits).toEqual([]);
  });
});
