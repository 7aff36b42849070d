//! A note as the window, the tools and the command line see it.

use serde::{Deserialize, Serialize};
use talaria_domain::{SessionId, Timestamp};
use ts_rs::TS;

/// Who wrote a version of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum NoteAuthor {
    /// The user, in the window, on the command line or with another program.
    User,
    /// The agent, through a tool.
    Agent,
}

/// A note without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteSummary {
    /// Path inside the notes folder, with `/` and the `.md` ending. Identifies the note.
    pub path: String,
    /// Its title: the first top-level heading, else the file's name.
    pub title: String,
    /// The first words after the title, for the list; in a search, the words around the hit.
    pub excerpt: String,
    /// Who wrote the current version.
    pub author: NoteAuthor,
    /// The session it was last saved from, if the agent or a selection saved it.
    pub session_id: Option<SessionId>,
    /// When the file last changed.
    pub updated_at: Timestamp,
}

/// A whole note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Note {
    /// Everything the list shows.
    #[serde(flatten)]
    #[ts(flatten)]
    pub summary: NoteSummary,
    /// The Markdown text, exactly as on disk.
    pub text: String,
    /// Identifies this content. A save names it, so that a change made meanwhile is never lost.
    pub version: String,
}

/// An older text of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NoteVersion {
    /// Identifies the content.
    pub version: String,
    /// Who wrote it.
    pub author: NoteAuthor,
    /// When it was saved.
    pub saved_at: Timestamp,
    /// Its size in bytes.
    pub size: u64,
}
