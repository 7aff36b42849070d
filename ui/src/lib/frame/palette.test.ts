import { beforeEach, describe, expect, it } from 'vitest';
import type { NoteSummary, SessionLine } from '../backend/bindings';
import { language } from '../language/language.svelte';
import { offerFor } from './palette';

const session = (id: string, title: string, last_words = '') => ({ id, title, last_words }) as SessionLine;
const note = (path: string, title: string) => ({ path, title, excerpt: '' }) as NoteSummary;

const SESSIONS = [session('a', 'Deploy notes', 'all green'), session('b', '季度复盘资料', '已整理'), session('c', '')];
const NOTES = [note('周会.md', '周会 2026-11-30'), note('trip.md', 'Trip to Hangzhou')];

beforeEach(() => {
  language.current = 'en';
});

function found(query: string) {
  const { actions, sessions, notes } = offerFor(query, SESSIONS, NOTES);
  return { actions, sessions: sessions.map(({ id }) => id), notes: notes.map(({ path }) => path) };
}

describe('the palette', () => {
  it('offers everything but itself before anything is typed', () => {
    const { actions, sessions, notes } = found('');
    expect(actions).toEqual(['new', 'find', 'sidebar', 'chat', 'notes', 'traces', 'settings', 'shortcuts']);
    expect([sessions.length, notes.length]).toEqual([3, 2]);
  });

  it.each([
    ['settings', { actions: ['settings'], sessions: [], notes: [] }],
    ['DEPLOY', { actions: [], sessions: ['a'], notes: [] }],
    ['green deploy', { actions: [], sessions: ['a'], notes: [] }],
    ['复盘', { actions: [], sessions: ['b'], notes: [] }],
    ['周', { actions: [], sessions: [], notes: ['周会.md'] }],
    ['trip.md', { actions: [], sessions: [], notes: ['trip.md'] }],
    ['.*', { actions: [], sessions: [], notes: [] }],
  ])('finds for %j what holds each of its words', (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it('finds actions and untitled sessions by the words of the language in effect', () => {
    language.current = 'zh-CN';
    expect(found('设置').actions).toEqual(['settings']);
    expect(found('新会话').sessions).toEqual(['c']);
  });

  it('offers a choice, not a list without end', () => {
    const many = Array.from({ length: 500 }, (_, at) => session(`s${at}`, `Talk ${at}`));
    expect(offerFor('talk', many, []).sessions).toHaveLength(8);
  });
});
