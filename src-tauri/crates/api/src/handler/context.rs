//! Contexts: what they hold, how they are shortened, and how that is taken back.

use talaria_domain::{ContextReport, ErrorCode};
use talaria_store::KeptCompaction;
use tokio_util::sync::CancellationToken;

use crate::conversation::Conversation;
use crate::{
    ApiError, Change, CompactSession, CompactionView, Core, ListCompactions, ReadContext,
    UndoCompaction,
};

/// What the tokens of a session's latest request were spent on.
pub async fn read_context(
    core: &Core,
    ReadContext { session_id }: ReadContext,
) -> Result<Option<ContextReport>, ApiError> {
    core.stored(move |store| store.last_report(session_id))
        .await
}

/// Shortens a session's context now.
pub async fn compact_session(
    core: &Core,
    CompactSession { session_id, keep }: CompactSession,
) -> Result<CompactionView, ApiError> {
    let listed = core.stored(move |store| store.listed_session(session_id));
    if listed.await?.running.is_some() {
        let running = "a turn is running; wait for its end, or stop it";
        return Err(ApiError::new(ErrorCode::Conflict, running));
    }
    let Conversation {
        model,
        context,
        agent,
        ..
    } = Conversation::open(core, session_id, None).await?;
    let stop = CancellationToken::new();
    let compacted = agent.compact(&context, &model, &keep, &stop).await;
    let compaction = compacted.map_err(|error| ApiError::new(ErrorCode::Storage, error))?;
    let Some(compaction) = compaction else {
        let nothing = "nothing could be shortened: there is too little before the last turn, or \
                       the model wrote no summary that is shorter";
        return Err(ApiError::new(ErrorCode::InvalidInput, nothing));
    };
    core.changed(Change::Session { session_id });
    Ok(view(KeptCompaction {
        compaction,
        undone: false,
    }))
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
