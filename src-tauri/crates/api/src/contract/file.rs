//! What tools changed in the user's files.

use serde::{Deserialize, Serialize};
use talaria_domain::{FileChangeId, FileDiff, ItemId, SessionId, Timestamp, TurnId};
use ts_rs::TS;

/// List the changes that a session's tools made, oldest first.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListFileChanges {
    /// Which session.
    pub session_id: SessionId,
    /// Of this turn only.
    #[serde(default)]
    #[ts(optional)]
    pub turn_id: Option<TurnId>,
}

/// Put files back as they were before these changes: all of them, or none.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct UndoFileChanges {
    /// Which changes; of one session.
    pub ids: Vec<FileChangeId>,
}

/// A change of a file as the window shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FileChangeView {
    /// Its id.
    pub id: FileChangeId,
    /// The turn that made it.
    pub turn_id: TurnId,
    /// The tool call that made it.
    pub item_id: ItemId,
    /// What changed.
    pub diff: FileDiff,
    /// When.
    pub at: Timestamp,
    /// Whether the user took it back.
    pub undone: bool,
    /// Whether what the file held is no longer kept: nobody can take the change back then.
    pub lost: bool,
}
