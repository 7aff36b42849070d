// How the turns on show change with each event of the one that runs.

import type { Block, Item, ItemView, TurnView, WindowTurnEvent } from '../backend/bindings';

/** The turns after the event. What an event does not touch stays the same object. */
export function progressed(turns: TurnView[], event: WindowTurnEvent): TurnView[] {
  switch (event.type) {
    case 'turn_started':
      return [
        ...turns.filter((turn) => turn.id !== event.turn.id),
        { ...event.turn, items: [{ ...event.user, blocks: [] }] },
      ];
    case 'item_started':
      return inLast(turns, (turn) => ({ ...turn, items: [...turn.items, viewOf(event.item, event)] }));
    case 'text_delta':
    case 'reasoning_delta':
      return inItem(turns, event.item_id, (item) => ({
        ...item,
        content: 'text' in item.content ? { ...item.content, text: item.content.text + event.text } : item.content,
        blocks: patched(item.blocks, event),
      }));
    case 'item_finished':
      return answeredBy(
        inItem(turns, event.item.id, (item) => ({
          ...event.item,
          blocks: patched(item.blocks, event).map((block) => (block.settled ? block : { ...block, settled: true })),
        })),
        event.item,
      );
    case 'turn_finished':
      return inTurn(turns, event.turn_id, (turn) => ({
        ...turn,
        state: event.finish === 'cancelled' ? 'cancelled' : 'finished',
        finish: event.finish,
        usage: event.usage,
      }));
    case 'error':
      return inTurn(turns, event.turn_id, (turn) => ({
        ...turn,
        state: 'failed',
        failure: { code: event.code, message: event.message },
        usage: event.usage,
      }));
    // A retry changes no turn; nor does an event that this page does not know.
    default:
      return turns;
  }
}

/** After a switch, the turn is the work of the model that took over. */
function answeredBy(turns: TurnView[], { content }: Item): TurnView[] {
  if (content.kind !== 'notice' || content.notice.about !== 'model_switched') return turns;
  const { to } = content.notice;
  return inLast(turns, (turn) => ({ ...turn, model: to }));
}

function viewOf(item: Item, event: WindowTurnEvent): ItemView {
  return { ...item, blocks: patched([], event) };
}

/** The blocks after a patch; settled blocks before it are the same objects. */
function patched(blocks: Block[], { patch }: WindowTurnEvent): Block[] {
  return patch === undefined || patch === null ? blocks : [...blocks.slice(0, patch.from), ...patch.blocks];
}

function inLast(turns: TurnView[], change: (turn: TurnView) => TurnView): TurnView[] {
  const last = turns.at(-1);
  return last === undefined ? turns : [...turns.slice(0, -1), change(last)];
}

function inTurn(turns: TurnView[], id: string, change: (turn: TurnView) => TurnView): TurnView[] {
  return turns.map((turn) => (turn.id === id ? change(turn) : turn));
}

function inItem(turns: TurnView[], id: string, change: (item: ItemView) => ItemView): TurnView[] {
  return inLast(turns, (turn) => ({ ...turn, items: turn.items.map((item) => (item.id === id ? change(item) : item)) }));
}
