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
    core.off_the_runtime(move || made(&kept).map(view).collect())
        .await
}

/// The changes that took place. The program may have ended between writing a file and noting it:
/// the file then holds what the change was to leave, or the next change of it found that.
fn made(kept: &[KeptFileChange]) -> impl Iterator<Item = &KeptFileChange> {
    kept.iter().enumerate().filter_map(|(at, it)| {
        let mut later = kept.iter().skip(at + 1).map(|later| &later.change);
        let was_made = it.made
            || later.any(|later| later.path == it.change.path && later.before == it.change.after)
            || now(Path::new(&it.change.path)) == it.change.after;
        was_made.then_some(it)
    })
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
        for KeptFileChange { change, .. } in made(kept).filter(|kept| !kept.undone) {
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
                let stuck = self.take_back(count);
                return Err(broken_off(&error, &stuck));
            }
        }
        Ok(())
    }

    /// Gives the first files what the changes had left in them, and names those that can't be given
    /// it.
    fn take_back(&self, count: usize) -> Vec<String> {
        let mut stuck = Vec::new();
        for (path, file) in self.files.iter().take(count) {
            if let Err(error) = put_back(path, file.from.as_deref()) {
                tracing::error!(%error, "an undo was broken off, and a file could not be set back");
                stuck.push(path.display().to_string());
            }
        }
        stuck
    }
}

/// Why an undo ended early, and which files it left undone all the same.
fn broken_off(error: &impl std::fmt::Display, stuck: &[String]) -> ApiError {
    let outcome = if stuck.is_empty() {
        "nothing was undone".to_owned()
    } else {
        format!("these were undone all the same: {}", stuck.join(", "))
    };
    ApiError::new(ErrorCode::Storage, format_args!("{error}; {outcome}"))
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

#[cfg(test)]
mod tests {
    use talaria_domain::{FileChangeId, ItemId, SessionId, Timestamp, TurnId};
    use talaria_store::{KeptFileChange, NewFileChange};
    use tempfile::TempDir;

    use super::{Undo, made};

    /// A change of the file `a` in a folder, number `number`.
    fn change(
        folder: &TempDir,
        number: u8,
        (before, after): (Option<&str>, &str),
        made: bool,
    ) -> KeptFileChange {
        let at = Timestamp::from_millis(i64::from(number));
        KeptFileChange {
            change: NewFileChange {
                id: FileChangeId::from_parts(at, [number; 10]),
                session_id: SessionId::from_parts(at, [0; 10]),
                turn_id: TurnId::from_parts(at, [0; 10]),
                item_id: ItemId::from_parts(at, [0; 10]),
                path: folder.path().join("a").display().to_string(),
                before: before.map(|text| text.as_bytes().to_vec()),
                after: Some(after.as_bytes().to_vec()),
                at,
            },
            made,
            undone: false,
        }
    }

    fn content(folder: &TempDir) -> Option<String> {
        fs_err::read_to_string(folder.path().join("a")).ok()
    }

    #[test]
    fn a_change_that_was_never_made_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let kept = [
            change(&folder, 1, (None, "one"), true),
            change(&folder, 2, (Some("one"), "two"), false),
        ];
        fs_err::write(folder.path().join("a"), "one").unwrap();
        assert_eq!(made(&kept).count(), 1);
        let undo = Undo::of(&kept, &[kept[0].change.id]).unwrap();
        undo.put_back().unwrap();
        assert_eq!(content(&folder), None);
    }

    #[test]
    fn a_change_that_was_made_and_not_noted_counts_by_what_came_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let kept = [
            change(&folder, 1, (None, "one"), false),
            change(&folder, 2, (Some("one"), "two"), false),
        ];
        fs_err::write(folder.path().join("a"), "two").unwrap();
        assert_eq!(made(&kept).count(), 2);
        assert!(Undo::of(&kept, &[kept[0].change.id]).is_err());
        let undo = Undo::of(&kept, &[kept[0].change.id, kept[1].change.id]).unwrap();
        undo.put_back().unwrap();
        assert_eq!(content(&folder), None);
    }

    #[cfg(unix)]
    #[test]
    fn an_undo_that_breaks_off_undoes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut second = change(&folder, 2, (Some("old"), "new"), true);
        let gone = folder.path().join("gone");
        // Put back, it would have to lie in a folder that is none.
        second.change.path = gone.join("b").display().to_string();
        second.change.after = None;
        let kept = [change(&folder, 1, (Some("old"), "one"), true), second];
        fs_err::write(folder.path().join("a"), "one").unwrap();
        fs_err::write(&gone, "a file").unwrap();
        let undo = Undo::of(&kept, &[kept[0].change.id, kept[1].change.id]).unwrap();
        let error = undo.put_back().unwrap_err();
        assert!(error.message.contains("nothing was undone"), "{error}");
        assert_eq!(content(&folder).as_deref(), Some("one"));
    }
}
