// The standing rules on what tools may do: how the list changes.

import type { PermissionRule, Verdict } from '../backend/bindings';

/** What can be done with what a rule is about. */
export const VERDICTS: readonly Verdict[] = ['allow', 'ask', 'deny'];

/** The rule these fields say; null for one about nothing in particular. */
export function ruleOf(tool: string, pattern: string, verdict: Verdict): PermissionRule | null {
  const rule: PermissionRule = { verdict };
  if (tool.trim() !== '') rule.tool = tool.trim();
  if (pattern.trim() !== '') rule.pattern = pattern.trim();
  return rule.tool === undefined && rule.pattern === undefined ? null : rule;
}

/** Whether both are about the same thing, whatever they say of it. */
export function isAboutSame(one: PermissionRule, two: PermissionRule): boolean {
  return one.tool === two.tool && one.pattern === two.pattern;
}

/** The list with this rule, in place of one about the same thing. */
export function withRule(rules: readonly PermissionRule[], rule: PermissionRule): PermissionRule[] {
  const at = rules.findIndex((each) => isAboutSame(each, rule));
  return at < 0 ? [...rules, rule] : rules.map((each, index) => (index === at ? rule : each));
}

export function withoutRule(rules: readonly PermissionRule[], rule: PermissionRule): PermissionRule[] {
  return rules.filter((each) => !isAboutSame(each, rule));
}
