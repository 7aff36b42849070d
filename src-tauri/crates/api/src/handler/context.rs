//! Contexts: what they hold, how they are shortened, and how that is taken back.

use talaria_agent::Compacted;
use talaria_domain::{ContextReport, ErrorCode};
use talaria_store::KeptCompaction;

use crate::conversation::Conversation;
use crate::{
    ApiError, Change, CompactSession, CompactionView, Core, ListCompactions, ReadContext,
    StopCompaction, UndoCompaction,
};

/// What the tokens of a session's latest request were spent on.
pub async fn read_context(
    core: &Core,
    ReadContext { session_id }: ReadContext,
) -> Result<Option<ContextReport>, ApiError> {
    core.stored(move |store| store.last_report(session_id))
        .await
}

/// Shortens a session's context now. What it took is counted, whatever comes of it.
pub async fn compact_session(
    core: &Core,
    CompactSession { session_id, keep }: CompactSession,
) -> Result<CompactionView, ApiError> {
    let listed = core.stored(move |store| store.listed_session(session_id));
    if listed.await?.running.is_some() {
        return Err(conflict("a turn is running; wait for its end, or stop it"));
    }
    let Some(shortening) = core.running().shorten(session_id) else {
        return Err(conflict("the conversation is being shortened already"));
    };
    let stand = core.stored(move |store| store.session_stand(session_id));
    let stand = stand.await?;
    let Conversation {
        model,
        context,
        agent,
        ..
    } = Conversation::open(core, session_id, None).await?;
    let Compacted { compaction, usage } = agent
        .compact(&context, &model, &keep, &shortening.stop)
        .await;
    let now = core.now();
    core.stored(move |store| store.note_spending(session_id, usage, now))
        .await?;
    let Some(compaction) = compaction else {
        return Err(unshortened(shortening.stop.is_cancelled()));
    };
    let kept = compaction.clone();
    core.stored(move |store| store.keep_compaction_after(&kept, stand))
        .await?;
    core.changed(Change::Session { session_id });
    Ok(view(KeptCompaction {
        compaction,
        undone: false,
    }))
}

/// Stops the shortening of a session that the user began.
pub async fn stop_compaction(
    core: &Core,
    StopCompaction { session_id }: StopCompaction,
) -> Result<(), ApiError> {
    core.running().stop_shortening(session_id);
    Ok(())
}

fn conflict(why: &'static str) -> ApiError {
    ApiError::new(ErrorCode::Conflict, why)
}

fn unshortened(is_stopped: bool) -> ApiError {
    if is_stopped {
        return ApiError::new(ErrorCode::Cancelled, "stopped; nothing was changed");
    }
    let nothing = "nothing could be shortened: there is too little before the last turn, or the \
                   model wrote no summary that is shorter";
    ApiError::new(ErrorCode::InvalidInput, nothing)
}

/// Takes the latest compaction back.
pub async fn undo_compaction(
    core: &Core,
    UndoCompaction {
        session_id,
        compaction_id,
    }: UndoCompaction,
) -> Result<(), ApiError> {
    let now = core.now();
    core.stored(move |store| store.undo_compaction(session_id, compaction_id, now))
        .await?;
    core.changed(Change::Session { session_id });
    Ok(())
}

/// How a session was shortened, oldest first.
pub async fn list_compactions(
    core: &Core,
    ListCompactions { session_id }: ListCompactions,
) -> Result<Vec<CompactionView>, ApiError> {
    let kept = core
        .stored(move |store| store.compactions(session_id))
        .await?;
    Ok(kept.into_iter().map(view).collect())
}

fn view(KeptCompaction { compaction, undone }: KeptCompaction) -> CompactionView {
    CompactionView { compaction, undone }
}
