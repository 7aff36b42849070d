//! Changes that tools made in the user's files: what they are, and how they are undone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use talaria_domain::{ErrorCode, FileChangeId, SessionId};
use talaria_store::KeptFileChange;
use talaria_tool::file::{diff_of_bytes, put_back};

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
    core.off_the_runtime(move || kept.iter().map(view).collect())
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
    let undo = Undo::of(&kept, &ids)?;
    core.off_the_runtime(move || undo.put_back()).await??;
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

/// What each file must hold now, and what it is to hold again.
struct Undo {
    files: HashMap<PathBuf, Restored>,
}

struct Restored {
    /// What the earliest of the changes found.
    to: Option<Vec<u8>>,
    /// What the latest of the changes left.
    from: Option<Vec<u8>>,
}

impl Undo {
    fn of(kept: &[KeptFileChange], ids: &[FileChangeId]) -> Result<Self, ApiError> {
        let mut files: HashMap<PathBuf, Restored> = HashMap::new();
        let mut found = 0;
        for KeptFileChange { change, undone } in kept {
            if *undone || !ids.contains(&change.id) {
                continue;
            }
            found += 1;
            let file = files
                .entry(PathBuf::from(&change.path))
                .or_insert_with(|| Restored {
                    to: change.before.clone(),
                    from: None,
                });
            file.from.clone_from(&change.after);
        }
        if found < ids.len() {
            let gone = "some of these changes were undone already, or are no longer kept";
            return Err(ApiError::new(ErrorCode::NotFound, gone));
        }
        Ok(Self { files })
    }

    /// Nothing is touched unless every file still is as the changes left it.
    fn put_back(&self) -> Result<(), ApiError> {
        let mut changed: Vec<String> = self
            .files
            .iter()
            .filter(|(path, file)| now(path) != file.from)
            .map(|(path, _)| path.display().to_string())
            .collect();
        if !changed.is_empty() {
            changed.sort();
            return Err(ApiError::new(
                ErrorCode::Conflict,
                format_args!(
                    "changed since, so nothing was undone: {}",
                    changed.join(", ")
                ),
            ));
        }
        for (path, file) in &self.files {
            put_back(path, file.to.as_deref())
                .map_err(|error| ApiError::new(ErrorCode::Storage, error))?;
        }
        Ok(())
    }
}

/// What a file holds now. One that can't be read is not what the changes left.
fn now(path: &Path) -> Option<Vec<u8>> {
    fs_err::read(path).ok()
}

fn view(KeptFileChange { change, undone }: &KeptFileChange) -> FileChangeView {
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
        undone: *undone,
    }
}
