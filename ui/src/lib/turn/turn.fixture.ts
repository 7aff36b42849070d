// Turns and items for the tests of this folder.

import type { Item, ItemContent, Turn, TurnView } from '../backend/bindings';

export function turnOf(id: string, state: Turn['state'] = 'running'): Turn {
  return {
    id,
    session_id: 's',
    state,
    model: { service: 'local', model: 'small' },
    usage: { input_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, output_tokens: 0 },
    finish: null,
    failure: null,
    started_at: 0,
    finished_at: null,
  };
}

export function itemOf(id: string, content: ItemContent): Item {
  return { id, turn_id: 't', content, started_at: 0, finished_at: null };
}

export const userItem = itemOf('u', { kind: 'user_text', text: 'hello' });

export function viewOf(id: string, state: Turn['state'] = 'finished'): TurnView {
  return { ...turnOf(id, state), items: [{ ...userItem, blocks: [] }] };
}
