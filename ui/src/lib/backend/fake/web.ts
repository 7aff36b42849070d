// Searching the web in memory: two services, one page.

import type { SaveWebSearch, WebHit, WebSearchView } from '../bindings';
import { fault } from './fault';

const SERVICES: WebSearchView['services'] = [
  { id: 'tavily', name: 'Tavily', name_zh: 'Tavily', needs_key: true, needs_address: false, key_page: 'https://app.tavily.com/home' },
  { id: 'bocha', name: 'Bocha', name_zh: '博查', needs_key: true, needs_address: false, key_page: 'https://open.bochaai.com' },
  { id: 'searxng', name: 'SearXNG', name_zh: 'SearXNG', needs_key: false, needs_address: true, key_page: 'https://docs.searxng.org' },
];

export class FakeWebSearch {
  #view: WebSearchView = { services: SERVICES, service: null, base_url: '', has_key: false };

  readonly answers = {
    read_web_search: (): WebSearchView => this.#view,
    save_web_search: ({ service, base_url, key }: SaveWebSearch): WebSearchView => {
      const needsKey = SERVICES.some(({ id, needs_key }) => id === service && needs_key);
      const kept = this.#view.has_key && this.#view.service === service && this.#view.base_url === base_url;
      if (needsKey && key === null && !kept) throw fault('invalid_input', 'this service needs a key');
      this.#view = { ...this.#view, service, base_url: base_url ?? '', has_key: needsKey };
      return this.#view;
    },
    try_web_search: ({ query }: { query: string }): WebHit[] => {
      if (this.#view.service === null) throw fault('invalid_input', 'choose a service to search with first');
      return [{ title: `About ${query}`, url: 'https://news.example/today', snippet: 'What happened.', date: '2026-12-01' }];
    },
  };
}
