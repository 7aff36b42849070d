// What a turn shows, in order: words, notices, single steps, and runs of quiet steps that fold into one
// line. An item of a kind that this page does not know is passed over.

import type { Attachment, ItemView, Notice, TurnView } from '../backend/bindings';

/** So many quiet steps in a row fold. */
const RUN = 3;

export type Part =
  | { kind: 'user'; id: string; text: string; attachments: Attachment[] }
  | { kind: 'answer'; id: string; item: ItemView }
  | { kind: 'step'; id: string; item: ItemView }
  | { kind: 'notice'; id: string; notice: Notice }
  | { kind: 'steps'; id: string; items: ItemView[] };

/** Tools whose calls change something. */
const LOUD = new Set(['save_note', 'write_file', 'edit_file', 'run_command', 'todo', 'clarify']);

/** A step nobody needs to look at: it is over, went well, and changed nothing. */
function isQuiet({ content, finished_at }: ItemView): boolean {
  if (finished_at === null) return false;
  if (content.kind === 'reasoning') return true;
  return content.kind === 'tool_call' && !LOUD.has(content.call.name) && !content.result?.suspicions?.length && content.result?.is_error === false;
}

/** The parts of a turn. Nothing folds while it runs. */
export function partsOf(turn: TurnView): Part[] {
  const parts: Part[] = [];
  let run: ItemView[] = [];
  const endRun = () => {
    const [first] = run;
    if (first === undefined) return;
    if (run.length >= RUN) parts.push({ kind: 'steps', id: `steps ${first.id}`, items: run });
    else parts.push(...run.map((item) => ({ kind: 'step' as const, id: item.id, item })));
    run = [];
  };
  for (const item of turn.items) {
    const { id, content } = item;
    if (turn.state !== 'running' && isQuiet(item)) {
      run.push(item);
      continue;
    }
    endRun();
    if (content.kind === 'user_text') parts.push({ kind: 'user', id, text: content.text, attachments: content.attachments ?? [] });
    else if (content.kind === 'model_text') parts.push({ kind: 'answer', id, item });
    else if (content.kind === 'notice') parts.push({ kind: 'notice', id, notice: content.notice });
    else if (content.kind === 'tool_call' || content.kind === 'reasoning') parts.push({ kind: 'step', id, item });
  }
  endRun();
  return parts;
}
