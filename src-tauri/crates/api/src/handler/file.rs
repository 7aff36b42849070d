//! Changes that tools made in the user's files: what they are, and how they are undone.

mod undo;

use std::path::Path;

use talaria_domain::SessionId;
use talaria_store::KeptFileChange;
use talaria_tool::file::diff_of_bytes;

use self::undo::{Undo, made};
use crate::{ApiError, Change, Core, FileChangeView, ListFileChanges, UndoFileChanges};

/// The changes that a session's tools made, oldest first.
pub async fn list_file_changes(
    core: &Core,
    ListFileChanges {
        session_id,
        turn_id,
    }: ListFileChanges,
) -> Result<Vec<FileChangeView>, ApiError> {
    let kept = core.stored(move |store| store.file_changes(session_id, turn_id));
    let kept = kept.await?;
    core.off_the_runtime(move || made(&kept).map(view).collect())
        .await
}

/// Puts files back as they were before these changes: all of them, or none.
pub async fn undo_file_changes(
    core: &Core,
    UndoFileChanges { ids }: UndoFileChanges,
) -> Result<Vec<FileChangeView>, ApiError> {
    let Some(first) = ids.first().copied() else {
        return Err(ApiError::invalid("no change is named"));
    };
    let session_id = core
        .stored(move |store| store.session_of_file_change(first))
        .await?;
    let kept = core
        .stored(move |store| store.file_changes(session_id, None))
        .await?;
    let wanted = ids.clone();
    core.off_the_runtime(move || Undo::of(&kept, &wanted)?.put_back())
        .await??;
    let now = core.now();
    core.stored(move |store| store.mark_undone(&ids, now))
        .await?;
    core.changed(Change::Session { session_id });
    list(core, session_id).await
}

async fn list(core: &Core, session_id: SessionId) -> Result<Vec<FileChangeView>, ApiError> {
    let turn_id = None;
    list_file_changes(
        core,
        ListFileChanges {
            session_id,
            turn_id,
        },
    )
    .await
}

fn view(kept: &KeptFileChange) -> FileChangeView {
    let change = &kept.change;
    FileChangeView {
        id: change.id,
        turn_id: change.turn_id,
        item_id: change.item_id,
        diff: diff_of_bytes(
            Path::new(&change.path),
            change.before.as_deref(),
            change.after.as_deref(),
        ),
        at: change.at,
        undone: kept.undone,
        lost: kept.lost,
    }
}
