//! What a session's context is made of, and how it is shortened.

use serde::{Deserialize, Serialize};
use talaria_domain::{Compaction, CompactionId, SessionId};
use ts_rs::TS;

/// Read what the tokens of a session's latest request were spent on; nothing before the first.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadContext {
    /// Which session.
    pub session_id: SessionId,
}

/// Shorten a session's context now. Nothing is deleted; only its model is sent less.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CompactSession {
    /// Which.
    pub session_id: SessionId,
    /// What is to be kept above all, in the user's words; may be empty.
    pub keep: String,
}

/// Stop a shortening that is going on.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct StopCompaction {
    /// Of which session.
    pub session_id: SessionId,
}

/// Take a compaction back. Only the latest that still holds can be.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct UndoCompaction {
    /// In which session.
    pub session_id: SessionId,
    /// Which compaction.
    pub compaction_id: CompactionId,
}

/// List how a session was shortened, oldest first.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListCompactions {
    /// Which session.
    pub session_id: SessionId,
}

/// A compaction as the window shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CompactionView {
    /// The compaction.
    #[serde(flatten)]
    #[ts(flatten)]
    pub compaction: Compaction,
    /// Whether the user took it back.
    pub undone: bool,
}
