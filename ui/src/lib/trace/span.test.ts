import { beforeEach, describe, expect, it } from 'vitest';
import type { SpanContent, Usage } from '../backend/bindings';
import { language } from '../language/language.svelte';
import { spanWords } from './span';

const model = { service: 'local', model: 'small' };
const usage: Usage = { input_tokens: 0, cached_tokens: 0, cache_written_tokens: 0, output_tokens: 0 };

describe('a span', () => {
  beforeEach(() => void (language.current = 'en'));

  it.each<[string, SpanContent, string, string, boolean]>([
    ['a turn that failed', { kind: 'turn', model, state: 'failed', usage, finish: null, failure: { code: 'network', message: 'gone' } }, 'Turn', '', true],
    ['a choice', { kind: 'choice', choice: { of: 'model', candidates: ['small'], chosen: 'small', why: 'the only one' } }, 'Choice of the model', 'small · the only one', false],
    ['a call', { kind: 'tool_call', item_id: 'i', call_id: 'c', name: 'read_file', arguments: {}, result: 'no', failed: true }, 'read_file', '', true],
    ['a permission', { kind: 'permission', item_id: 'i', tool: 'run_command', approval: { outcome: 'denied', by: 'user' }, reason: null, end: null }, 'Permission', 'run_command · denied · by you', false],
  ])('of %s is said in words', (_name, content, name, about, failed) => {
    expect(spanWords(content)).toEqual({ name, about, failed });
  });
});
