//! The `file` tools: read, write, edit and search text files in the folders that a session may use.
//!
//! A file is reached through a capability to a folder, so that neither `..` nor a link leads
//! elsewhere. A change is planned as a diff; what was allowed is done only if the file still is what
//! the diff was made of. What a file held before is kept first, so that every change can be undone.

mod change;
mod diff;
mod edit;
mod edit_file;
mod place;
mod read_file;
mod search_files;
mod seen;
mod text;
mod write_file;

use std::path::Path;
use std::sync::Arc;

use talaria_domain::{FileChangeId, FileDiff, ItemId, SessionId, ToolResult, TurnId};

use crate::output::off_the_runtime;
use crate::{Tool, ToolContext};

pub use diff::diff;
pub use place::{PlaceError, content, put_back};

/// A file of more bytes than this is neither shown whole nor changed.
pub const LARGEST: u64 = 5 * 1024 * 1024;

/// A change that is about to be made.
#[derive(Clone, Debug)]
pub struct FileChange {
    /// The session whose turn makes it.
    pub session_id: SessionId,
    /// The turn.
    pub turn_id: TurnId,
    /// The call.
    pub item_id: ItemId,
    /// The file, absolute and without links.
    pub path: String,
    /// What it holds; none if there is no such file.
    pub before: Option<Vec<u8>>,
    /// What it is about to hold.
    pub after: Vec<u8>,
}

/// Keeps what files held before they were changed.
pub trait ChangeLog: Send + Sync {
    /// Keeps a change before it is made. May block.
    ///
    /// # Errors
    /// Why it can't be kept, in a few words: the file is then not changed.
    fn keep(&self, change: &FileChange) -> Result<FileChangeId, String>;

    /// Takes note that a kept change was made. May block.
    fn made(&self, id: FileChangeId);
}

/// The tools, over a log of what they change.
#[must_use]
pub fn tools(log: Arc<dyn ChangeLog>) -> Vec<Arc<dyn Tool>> {
    let seen = seen::Seen::default();
    vec![
        Arc::new(read_file::ReadFile::new(seen.clone())),
        Arc::new(search_files::SearchFiles),
        Arc::new(edit_file::EditFile::new(seen.clone(), Arc::clone(&log))),
        Arc::new(write_file::WriteFile::new(seen, log)),
    ]
}

/// The folder that a path names, as the model wrote it.
pub(crate) async fn folder_at(
    written: &str,
    context: &ToolContext<'_>,
) -> Result<std::path::PathBuf, ToolResult> {
    let (written, ground) = (written.to_owned(), place::Ground::of(context));
    let found = off_the_runtime(move || {
        let place = place::Place::find(&written, &ground)?;
        if place.is_folder() {
            return Ok(place.path());
        }
        let why = if place.exists() {
            "is no folder"
        } else {
            "does not exist"
        };
        Err(change::refused(&place.display(), why))
    });
    found.await
}

/// How a file's bytes differ, for people.
#[must_use]
pub fn diff_of_bytes(path: &Path, before: Option<&[u8]>, after: Option<&[u8]>) -> FileDiff {
    let text = |bytes: &[u8]| text::decode(bytes).map(|decoded| decoded.text);
    let shown = |bytes: Option<&[u8]>| match bytes {
        None => Some(None),
        Some(bytes) => text(bytes).ok().map(Some),
    };
    let path = path.to_string_lossy();
    match (shown(before), shown(after)) {
        (Some(before), Some(after)) => diff(&path, before.as_deref(), after.as_deref()),
        _ => diff::unreadable(&path, before.is_some(), after.is_some()),
    }
}
