//! A session: one conversation and what belongs to it as a whole.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ModelRef, SessionId, Timestamp};

/// Where a session was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SessionSource {
    /// In the window.
    Desktop,
    /// On the command line.
    Cli,
    /// Read from an exported file.
    Import,
}

/// Who gave a session its title. A title of the user's is never replaced by an automatic one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TitleOrigin {
    /// Nobody yet: the window shows "New session".
    None,
    /// Taken from the first words of the conversation.
    Automatic,
    /// Written by the user.
    User,
}

/// One conversation as the session list and the agent see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Its title; empty while `title_origin` is `none`.
    pub title: String,
    /// Who wrote the title.
    pub title_origin: TitleOrigin,
    /// The model the next turn will use; none until one is set up.
    pub model: Option<ModelRef>,
    /// Where it began.
    pub source: SessionSource,
    /// Kept at the top of the list.
    pub pinned: bool,
    /// Out of the list, still searchable.
    pub archived: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When something last happened in it.
    pub updated_at: Timestamp,
}
