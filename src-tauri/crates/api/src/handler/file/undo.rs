//! Which changes of files took place, and the way back from them. Used by the handlers of files.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use talaria_domain::{ErrorCode, FileChangeId};
use talaria_store::KeptFileChange;
use talaria_tool::file::{content, put_back};

use crate::ApiError;

/// The changes that took place.
pub(super) fn made(kept: &[KeptFileChange]) -> impl Iterator<Item = &KeptFileChange> {
    let later = |at: usize| kept.iter().skip(at + 1);
    let each = kept.iter().enumerate();
    each.filter_map(move |(at, it)| was_made(it, later(at)).then_some(it))
}

/// Whether a change took place. The program may have ended between writing a file and noting it:
/// then the next change of the file, or the file itself, shows what it was left with. A change that
/// failed was followed by what it had found.
fn was_made<'kept>(
    it: &KeptFileChange,
    mut later: impl Iterator<Item = &'kept KeptFileChange>,
) -> bool {
    if it.made || it.undone {
        return true;
    }
    if it.lost {
        return false;
    }
    match later.find(|later| later.change.path == it.change.path && !later.lost) {
        Some(next) => next.change.before == it.change.after,
        None => holds(Path::new(&it.change.path), it.change.after.as_deref()),
    }
}

/// What each file must hold now, and what it is to hold again.
pub(super) struct Undo {
    files: BTreeMap<PathBuf, Restored>,
}

struct Restored {
    /// What the earliest of the changes found.
    to: Option<Vec<u8>>,
    /// What the latest of the changes left.
    from: Option<Vec<u8>>,
}

impl Undo {
    /// The way back from the changes of these ids.
    pub(super) fn of(kept: &[KeptFileChange], ids: &[FileChangeId]) -> Result<Self, ApiError> {
        let mut files: BTreeMap<PathBuf, Restored> = BTreeMap::new();
        let mut found = 0;
        for kept in made(kept).filter(|kept| !kept.undone) {
            let change = &kept.change;
            let refused = |why: &str| {
                let told = format_args!("{} {why}, so nothing was undone", change.path);
                ApiError::new(ErrorCode::Conflict, told)
            };
            let path = PathBuf::from(&change.path);
            if !ids.contains(&change.id) {
                // Putting back an earlier content would take this change away too.
                if files.contains_key(&path) {
                    return Err(refused("was changed again later; undo that first"));
                }
                continue;
            }
            if kept.lost {
                return Err(refused("was changed, and what it held is no longer kept"));
            }
            found += 1;
            match files.entry(path) {
                Entry::Vacant(entry) => {
                    entry.insert(Restored {
                        to: change.before.clone(),
                        from: change.after.clone(),
                    });
                }
                // Somebody else's change, or one that is no longer kept, would be lost with these.
                Entry::Occupied(file) if file.get().from != change.before => {
                    return Err(refused(
                        "was changed in between by something else; undo the later change alone",
                    ));
                }
                Entry::Occupied(mut file) => file.get_mut().from.clone_from(&change.after),
            }
        }
        if found < ids.len() {
            let gone = "some of these changes were undone already, or are no longer kept";
            return Err(ApiError::new(ErrorCode::NotFound, gone));
        }
        Ok(Self { files })
    }

    /// Nothing is touched unless every file still is as the changes left it, and all stays as it
    /// was if one can't be written. A file that is back already, because the program ended amid an
    /// earlier try, is left as it is.
    pub(super) fn put_back(&self) -> Result<(), ApiError> {
        let is_due = |(path, file): &(&PathBuf, &Restored)| !holds(path, file.to.as_deref());
        let due: Vec<_> = self.files.iter().filter(is_due).collect();
        let changed: Vec<String> = due
            .iter()
            .filter(|(path, file)| !holds(path, file.from.as_deref()))
            .map(|(path, _)| path.display().to_string())
            .collect();
        if !changed.is_empty() {
            let names = changed.join(", ");
            let since = format_args!("changed since, so nothing was undone: {names}");
            return Err(ApiError::new(ErrorCode::Conflict, since));
        }
        for (count, (path, file)) in due.iter().enumerate() {
            if let Err(error) = put_back(path, file.to.as_deref()) {
                let stuck = take_back(due.iter().take(count));
                return Err(broken_off(&error, &stuck));
            }
        }
        Ok(())
    }
}

/// Gives files what the changes had left in them, and names those that can't be given it.
fn take_back<'undo>(
    files: impl Iterator<Item = &'undo (&'undo PathBuf, &'undo Restored)>,
) -> Vec<String> {
    let mut stuck = Vec::new();
    for (path, file) in files {
        if let Err(error) = put_back(path, file.from.as_deref()) {
            tracing::error!(%error, "an undo was broken off, and a file could not be set back");
            stuck.push(path.display().to_string());
        }
    }
    stuck
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

/// Whether a file holds this now. One that can't be read holds nothing that is known.
fn holds(path: &Path, wanted: Option<&[u8]>) -> bool {
    content(path).is_ok_and(|now| now.as_deref() == wanted)
}

#[cfg(test)]
mod tests;
