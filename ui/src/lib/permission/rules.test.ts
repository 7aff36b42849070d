import { describe, expect, it } from 'vitest';
import type { PermissionRule } from '../backend/bindings';
import { ruleOf, withoutRule, withRule } from './rules';

const status: PermissionRule = { tool: 'terminal', pattern: 'git status', verdict: 'allow' };
const web: PermissionRule = { tool: 'web', verdict: 'ask' };

describe('a rule', () => {
  it.each<[string, string, string, PermissionRule | null]>([
    ['of both', ' terminal ', ' git status', status],
    ['of a tool alone', 'web', '  ', { tool: 'web', verdict: 'allow' }],
    ['of a pattern alone', '', '/srv/**', { pattern: '/srv/**', verdict: 'allow' }],
    ['of nothing, which would allow all there is', ' ', '', null],
  ])('%s', (_name, tool, pattern, rule) => {
    expect(ruleOf(tool, pattern, 'allow')).toEqual(rule);
  });
});

describe('the rules', () => {
  it('take a new one at their end', () => {
    expect(withRule([status], web)).toEqual([status, web]);
  });

  it('never say two things of the same', () => {
    const denied: PermissionRule = { ...status, verdict: 'deny' };
    expect(withRule([status, web], denied)).toEqual([denied, web]);
  });

  it('lose only the one that is taken out', () => {
    expect(withoutRule([status, web], web)).toEqual([status]);
    expect(withoutRule([status], { tool: 'terminal', verdict: 'allow' })).toEqual([status]);
  });
});
