// How the session list is parted: pinned, today, earlier.

import type { SessionLine } from '../backend/bindings';

export type SectionName = 'pinned' | 'today' | 'earlier';
export type Section = { name: SectionName; lines: SessionLine[] };

/** The sections that have sessions, each with its latest first. */
export function sectionsOf(lines: readonly SessionLine[], now: number): Section[] {
  const parts: Record<SectionName, SessionLine[]> = { pinned: [], today: [], earlier: [] };
  const today = startOfDay(now);
  for (const line of [...lines].sort((one, other) => other.updated_at - one.updated_at)) {
    const name = line.pinned ? 'pinned' : line.updated_at >= today ? 'today' : 'earlier';
    parts[name].push(line);
  }
  return (['pinned', 'today', 'earlier'] as const)
    .map((name) => ({ name, lines: parts[name] }))
    .filter((section) => section.lines.length > 0);
}

/** When something happened, as near as the list needs to say it. */
export type Nearness = 'today' | 'yesterday' | 'earlier';

export function nearness(moment: number, now: number): Nearness {
  const today = startOfDay(now);
  if (moment >= today) return 'today';
  const yesterday = new Date(today);
  yesterday.setDate(yesterday.getDate() - 1);
  return moment >= yesterday.getTime() ? 'yesterday' : 'earlier';
}

/** Midnight in the user's own time zone; a day of 23 or 25 hours counts as one. */
function startOfDay(moment: number): number {
  return new Date(moment).setHours(0, 0, 0, 0);
}
