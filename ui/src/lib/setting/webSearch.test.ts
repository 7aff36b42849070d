import { describe, expect, it } from 'vitest';
import { answering, failure } from '../backend/answering';
import type { WebSearchView } from '../backend/bindings';
import { WebSearch } from './webSearch.svelte';

const SERVICES = [
  { id: 'brave', name: 'Brave', name_zh: 'Brave', needs_key: true, needs_address: false, key_page: 'https://a.example/' },
  { id: 'searxng', name: 'SearXNG', name_zh: 'SearXNG', needs_key: false, needs_address: true, key_page: 'https://b.example/' },
];

function view(change: Partial<WebSearchView> = {}): WebSearchView {
  return { services: SERVICES, service: null, base_url: '', has_key: false, ...change };
}

describe('the search of the web', () => {
  it('asks for what the chosen service needs', async () => {
    const search = new WebSearch(answering({ read_web_search: () => view() }));
    await search.load();
    expect([search.isIncomplete, search.isChanged]).toEqual([false, false]);
    search.choose('brave');
    expect(search.isIncomplete).toBe(true);
    search.key = 'k';
    expect([search.isIncomplete, search.isChanged]).toEqual([false, true]);
    search.choose('searxng');
    expect([search.isIncomplete, search.key]).toEqual([true, '']);
    search.address = 'localhost:8888';
    expect(search.isIncomplete).toBe(false);
  });

  it('counts a kept key for its own service and address only', async () => {
    const search = new WebSearch(answering({ read_web_search: () => view({ service: 'brave', has_key: true }) }));
    await search.load();
    expect([search.isKeyKept, search.isIncomplete]).toEqual([true, false]);
    search.address = 'https://gate.example';
    expect([search.isKeyKept, search.isIncomplete]).toEqual([false, true]);
  });

  it('sends the key once and forgets it in the form', async () => {
    const backend = answering({
      read_web_search: () => view(),
      save_web_search: () => view({ service: 'brave', has_key: true }),
    });
    const search = new WebSearch(backend);
    await search.load();
    search.choose('brave');
    search.key = ' k ';
    await search.save();
    expect(backend.asked[1]?.args).toEqual({ service: 'brave', base_url: '', key: 'k' });
    expect([search.key, search.isChanged, search.isKeyKept]).toEqual(['', false, true]);
  });

  it('keeps what was typed where it could not be saved', async () => {
    const search = new WebSearch(
      answering({
        read_web_search: () => view(),
        save_web_search: () => {
          throw failure('keyring');
        },
      }),
    );
    await search.load();
    search.choose('brave');
    search.key = 'k';
    await search.save();
    expect([search.error?.code, search.key]).toEqual(['keyring', 'k']);
  });
});
