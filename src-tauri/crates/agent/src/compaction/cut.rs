//! Where a context may be cut: before a user's message, or between two answers of the running turn.

use talaria_domain::{Item, ItemContent, ItemId};

use crate::context::{Context, Place};

/// What leaves, or is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The last item that does.
    pub(super) through: ItemId,
    pub(super) place: Place,
}

/// The cut behind which as much stays as `tail` tokens hold, and at least the last part. None: there
/// is nothing left that could be cut off.
pub(super) fn cut_for(context: &Context, running: &[Item], tail: u64) -> Option<Cut> {
    let sizes = context.sizes(running);
    let done = context.done_so_far(running);
    let mut after = 0_u64;
    let mut best = None;
    for pair in sizes.windows(2).rev() {
        let &[(before, _), (next, size)] = pair else {
            continue;
        };
        after = after.saturating_add(size);
        if done.is_some_and(|done| before <= done) || (best.is_some() && after > tail) {
            break;
        }
        if may_part(context, before, next, running) {
            best = Some(before);
        }
    }
    let place = best?;
    let through = context.at(place, running)?.id;
    Some(Cut { through, place })
}

/// Whether what stands before may leave while what stands next stays.
fn may_part(context: &Context, before: Place, next: Place, running: &[Item]) -> bool {
    if next.turn != before.turn {
        return true;
    }
    let is_running = next.turn == context.past().len();
    is_running && is_new_answer(context.at(before, running), context.at(next, running))
}

/// Whether the second item belongs to another answer than the first.
fn is_new_answer(before: Option<&Item>, next: Option<&Item>) -> bool {
    let (Some(before), Some(next)) = (before, next) else {
        return false;
    };
    match (&before.content, &next.content) {
        (ItemContent::ToolCall { round: one, .. }, ItemContent::ToolCall { round: other, .. }) => {
            one != other
        }
        (
            ItemContent::ToolCall { .. },
            ItemContent::ModelText { .. } | ItemContent::Reasoning { .. },
        ) => true,
        _ => false,
    }
}
