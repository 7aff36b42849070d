import { describe, expect, it } from 'vitest';
import type { SessionLine } from '../backend/bindings';
import { nearness, sectionsOf } from './section';

const at = (text: string) => new Date(text).getTime();
const NOW = at('2026-12-01T09:30:00');

const line = (id: string, updated: string, pinned = false) =>
  ({ id, updated_at: at(updated), pinned }) as SessionLine;

const shape = (lines: SessionLine[], now = NOW) =>
  sectionsOf(lines, now).map(({ name, lines }) => [name, lines.map(({ id }) => id).join(' ')]);

describe('the sections of the list', () => {
  it('part the sessions by pin and by day, the latest first', () => {
    const lines = [
      line('old', '2026-11-03T10:00:00'),
      line('morning', '2026-12-01T08:00:00'),
      line('kept', '2026-10-01T08:00:00', true),
      line('later', '2026-12-01T09:00:00'),
      line('kept today', '2026-12-01T09:10:00', true),
      line('last night', '2026-11-30T23:59:59'),
    ];
    expect(shape(lines)).toEqual([
      ['pinned', 'kept today kept'],
      ['today', 'later morning'],
      ['earlier', 'last night old'],
    ]);
  });

  it('leave out what is empty', () => {
    expect(shape([])).toEqual([]);
    expect(shape([line('a', '2026-12-01T00:00:00')])).toEqual([['today', 'a']]);
  });

  it('count a session of the future, by a clock set back, as of today', () => {
    expect(shape([line('a', '2026-12-02T09:00:00')])).toEqual([['today', 'a']]);
  });

  it('leave the given list as it was', () => {
    const lines = [line('a', '2026-11-01T00:00:00'), line('b', '2026-12-01T00:00:00')];
    sectionsOf(lines, NOW);
    expect(lines.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('how near a moment is', () => {
  it.each([
    ['2026-12-01T00:00:00', 'today'],
    ['2026-11-30T23:59:59', 'yesterday'],
    ['2026-11-30T00:00:00', 'yesterday'],
    ['2026-11-29T23:59:59', 'earlier'],
  ])('%s is %s', (moment, near) => {
    expect(nearness(at(moment), NOW)).toBe(near);
  });
});
