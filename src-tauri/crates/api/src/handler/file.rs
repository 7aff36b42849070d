//! Changes that tools made in the user's files: what they are, and how they are undone.

use std::collections::BTreeMap;
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
    core.off_the_runtime(move || {
        kept.iter()
            .filter(|kept| was_made(kept))
            .map(view)
            .collect()
    })
    .await
}

/// Whether a change took place. The program may have ended between writing a file and noting it.
fn was_made(kept: &KeptFileChange) -> bool {
    kept.made || now(Path::new(&kept.change.path)) == kept.change.after
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
    files: BTreeMap<PathBuf, Restored>,
}

struct Restored {
    /// What the earliest of the changes found.
    to: Option<Vec<u8>>,
    /// What the latest of the changes left.
    from: Option<Vec<u8>>,
}

impl Undo {
    fn of(kept: &[KeptFileChange], ids: &[FileChangeId]) -> Result<Self, ApiError> {
        let mut files: BTreeMap<PathBuf, Restored> = BTreeMap::new();
        let mut found = 0;
        for KeptFileChange { change, .. } in kept.iter().filter(|kept| !kept.undone) {
            let path = PathBuf::from(&change.path);
            if !ids.contains(&change.id) {
                // Putting back an earlier content would take this change away too.
                if files.contains_key(&path) {
                    let later =
                        format_args!("{} was changed again later; undo that first", change.path);
                    return Err(ApiError::new(ErrorCode::Conflict, later));
                }
                continue;
            }
            found += 1;
            let file = files.entry(path).or_insert_with(|| Restored {
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

    /// Nothing is touched unless every file still is as the changes left it, and all stays as it
    /// was if one can't be written.
    fn put_back(&self) -> Result<(), ApiError> {
        let changed: Vec<String> = self
            .files
            .iter()
            .filter(|(path, file)| now(path) != file.from)
            .map(|(path, _)| path.display().to_string())
            .collect();
        if !changed.is_empty() {
            let names = changed.join(", ");
            let since = format_args!("changed since, so nothing was undone: {names}");
            return Err(ApiError::new(ErrorCode::Conflict, since));
        }
        for (count, (path, file)) in self.files.iter().enumerate() {
            if let Err(error) = put_back(path, file.to.as_deref()) {
                self.take_back(count);
                return Err(ApiError::new(ErrorCode::Storage, error));
            }
        }
        Ok(())
    }

    /// Gives the first files what the changes had left in them.
    fn take_back(&self, count: usize) {
        for (path, file) in self.files.iter().take(count) {
            if let Err(error) = put_back(path, file.from.as_deref()) {
                tracing::error!(%error, "an undo was broken off, and a file could not be set back");
            }
        }
    }
}

/// What a file holds now. One that can't be read is not what the changes left.
fn now(path: &Path) -> Option<Vec<u8>> {
    fs_err::read(path).ok()
}

fn view(KeptFileChange { change, undone, .. }: &KeptFileChange) -> FileChangeView {
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
