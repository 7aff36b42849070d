// What a tool call is about, in the user's words.

import type { Approval, ItemContent } from '../backend/bindings';
import { t } from '../language/language.svelte';
import type { Word } from '../language/words';

export type CallContent = Extract<ItemContent, { kind: 'tool_call' }>;

const ABOUT: Record<string, { word: Word; fields: string[] }> = {
  list_notes: { word: 'turn.tool.list_notes', fields: [] },
  read_note: { word: 'turn.tool.read_note', fields: ['title', 'path'] },
  save_note: { word: 'turn.tool.save_note', fields: ['title', 'path'] },
  search_notes: { word: 'turn.tool.search_notes', fields: ['query'] },
  read_file: { word: 'turn.tool.read_file', fields: ['path'] },
  write_file: { word: 'turn.tool.write_file', fields: ['path'] },
  edit_file: { word: 'turn.tool.edit_file', fields: ['path'] },
  search_files: { word: 'turn.tool.search_files', fields: ['text', 'name'] },
  run_command: { word: 'turn.tool.run_command', fields: ['command'] },
  fetch_page: { word: 'turn.tool.fetch_page', fields: ['url'] },
  search_web: { word: 'turn.tool.search_web', fields: ['query'] },
  todo: { word: 'turn.tool.todo', fields: [] },
  clarify: { word: 'turn.tool.clarify', fields: ['question'] },
  find_tools: { word: 'turn.tool.find_tools', fields: ['query'] },
  search_sessions: { word: 'turn.tool.search_sessions', fields: ['query'] },
};

const PROCESS: Record<string, Word> = {
  list: 'turn.tool.process.list',
  read: 'turn.tool.process.read',
  type: 'turn.tool.process.type',
  stop: 'turn.tool.process.stop',
};

function field(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found = (value as Record<string, unknown>)[name];
  return typeof found === 'string' && found !== '' ? found : null;
}

/** One line for the call. A tool that has no words of its own is named. */
export function toolText({ call }: CallContent): string {
  if (call.name === 'process') return processText(call.arguments);
  const known = Object.hasOwn(ABOUT, call.name) ? ABOUT[call.name] : undefined;
  if (known === undefined) return t('turn.tool.other', { name: call.name });
  if (known.fields.length === 0) return t(known.word);
  const about = known.fields.map((name) => field(call.arguments, name)).find((found) => found !== null);
  return about === undefined || about === null ? t('turn.tool.other', { name: call.name }) : t(known.word, { about });
}

function processText(args: unknown): string {
  const action = field(args, 'action') ?? '';
  const word = Object.hasOwn(PROCESS, action) ? PROCESS[action] : undefined;
  if (word === undefined) return t('turn.tool.other', { name: 'process' });
  return t(word, { about: field(args, 'input')?.trim() ?? '' });
}

/** Why a call was not done, where somebody decided so. */
export function refusal(approval: Approval | undefined): string | null {
  if (approval === undefined || approval.outcome === 'allowed') return null;
  if (approval.outcome === 'unanswered') return t('turn.tool.unanswered');
  return t(approval.by === 'user' ? 'turn.tool.denied' : 'turn.tool.refused');
}

/** The path of the note a finished call is about, where it tells one. */
export function notePath({ call, result }: CallContent): string | null {
  if (!['save_note', 'read_note'].includes(call.name) || result === null || result.is_error) return null;
  return field(parsed(result.text), 'path') ?? /^path: (.+)$/m.exec(result.text)?.[1] ?? field(call.arguments, 'path');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
