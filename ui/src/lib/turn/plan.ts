// The plan of the work that goes on, so that it stays in sight while its turn runs.

import type { TodoEntry, TurnView } from '../backend/bindings';

/** The latest plan of the running turn; none where nothing runs, or nothing is planned. */
export function planOf(turns: TurnView[]): TodoEntry[] | null {
  const running = turns.findLast(({ state }) => state === 'running');
  const plans = running?.items.map(({ content }) =>
    content.kind === 'tool_call' && content.result?.shown?.kind === 'todo' ? content.result.shown.entries : null,
  );
  const latest = plans?.findLast((entries) => entries !== null) ?? null;
  return latest !== null && latest.length > 0 ? latest : null;
}

/** How far a plan is: what is done or dropped, of how many, and what is being done. */
export function progressOf(plan: TodoEntry[]): { over: number; count: number; now: string } {
  const over = plan.filter(({ state }) => state === 'done' || state === 'dropped').length;
  const active = plan.find(({ state }) => state === 'active') ?? plan.find(({ state }) => state === 'pending');
  return { over, count: plan.length, now: active?.text ?? '' };
}
