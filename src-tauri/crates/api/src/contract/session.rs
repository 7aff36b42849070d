//! Sessions and turns as the window sees them, and what it can ask of them.

use serde::{Deserialize, Serialize};
use talaria_domain::{
    Attachment, AttachmentId, Item, ModelRef, Session, SessionId, Turn, TurnId, Usage,
};
use talaria_markdown::Block;
use ts_rs::TS;

use crate::AttachmentContent;

/// A line of the session list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SessionLine {
    /// The session.
    #[serde(flatten)]
    #[ts(flatten)]
    pub session: Session,
    /// Its last words, in one line.
    pub last_words: String,
    /// The turn that runs in it now.
    pub running: Option<TurnId>,
    /// Whether that turn waits for the user's answer.
    pub waiting: bool,
}

/// An item with its Markdown rendered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ItemView {
    /// The item.
    #[serde(flatten)]
    #[ts(flatten)]
    pub item: Item,
    /// The blocks of a model text; empty for other kinds.
    pub blocks: Vec<Block>,
}

/// A turn with its items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TurnView {
    /// The turn.
    #[serde(flatten)]
    #[ts(flatten)]
    pub turn: Turn,
    /// What happened in it, in order. The first is the user's text.
    pub items: Vec<ItemView>,
}

/// A session as it is opened: its latest turns, and whether there are earlier ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SessionView {
    /// The session.
    pub session: SessionLine,
    /// What is typed and not yet sent.
    pub draft: String,
    /// The files that wait beside it.
    pub draft_attachments: Vec<Attachment>,
    /// What all its turns took so far.
    pub usage: Usage,
    /// The latest turns, oldest first.
    pub turns: Vec<TurnView>,
    /// Whether `list_turns` has earlier ones.
    pub has_earlier: bool,
}

/// Which sessions to list.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListSessions {
    /// The archived ones instead of the others.
    pub archived: bool,
}

/// Make a session with the default model.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CreateSession {}

/// Open a session.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct OpenSession {
    /// Which.
    pub session_id: SessionId,
}

/// Turns before a known one.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListTurns {
    /// In which session.
    pub session_id: SessionId,
    /// Only turns before this one.
    pub before: TurnId,
    /// At most so many.
    pub limit: u32,
}

/// Earlier turns, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TurnPage {
    /// The turns.
    pub turns: Vec<TurnView>,
    /// Whether there are still earlier ones.
    pub has_earlier: bool,
}

/// Give a session a title.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RenameSession {
    /// Which.
    pub session_id: SessionId,
    /// The title; blank gives it back to the automatic one.
    pub title: String,
}

/// Keep a session at the top of the list, or no longer.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct PinSession {
    /// Which.
    pub session_id: SessionId,
    /// Whether it is kept there.
    pub pinned: bool,
}

/// Put a session away, or bring it back.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ArchiveSession {
    /// Which.
    pub session_id: SessionId,
    /// Whether it is away.
    pub archived: bool,
}

/// Delete a session. For a week it can be restored.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct DeleteSession {
    /// Which.
    pub session_id: SessionId,
}

/// Undo a deletion.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RestoreSession {
    /// Which.
    pub session_id: SessionId,
}

/// Forget all turns of a session, keeping the session. Can be undone like a deletion.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ClearSession {
    /// Which.
    pub session_id: SessionId,
}

/// Undo the latest clearing of a session.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RestoreTurns {
    /// Which.
    pub session_id: SessionId,
}

/// Choose the model of a session's next turns.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SetSessionModel {
    /// Which session.
    pub session_id: SessionId,
    /// The model.
    pub model: ModelRef,
}

/// Keep what is typed.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SaveDraft {
    /// In which session.
    pub session_id: SessionId,
    /// The text; nothing at all forgets it.
    pub text: String,
    /// The files that wait beside it.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<AttachmentId>>")]
    pub attachments: Vec<AttachmentId>,
}

/// Search the words of all sessions.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SearchSessions {
    /// Any text of the user's.
    pub query: String,
    /// At most so many hits.
    pub limit: u32,
}

/// A hit of a search, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SearchHit {
    /// The session.
    pub session_id: SessionId,
    /// Its title.
    pub title: String,
    /// The turn the words stand in.
    pub turn_id: TurnId,
    /// The words around the hit, as runs of plain and matching text.
    pub excerpt: Vec<ExcerptRun>,
}

/// A run of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExcerptRun {
    /// The text.
    pub text: String,
    /// Whether it is what was searched for.
    pub hit: bool,
}

/// A whole session as a file: what was said and done, without anything of this computer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SessionExport {
    /// The format's version; 1.
    pub version: u32,
    /// The session.
    pub session: Session,
    /// All its turns, oldest first.
    pub turns: Vec<ExportedTurn>,
    /// The files that came with its messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<AttachmentContent>>")]
    pub attachments: Vec<AttachmentContent>,
}

/// A turn of an exported session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ExportedTurn {
    /// The turn.
    #[serde(flatten)]
    #[ts(flatten)]
    pub turn: Turn,
    /// Its items, in order.
    pub items: Vec<Item>,
}

/// Write a session as a file's content.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ExportSession {
    /// Which.
    pub session_id: SessionId,
}

/// Make a new session from an exported one.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ImportSession {
    /// The exported session.
    pub document: SessionExport,
}

/// Make a new session with the same turns, to go another way from here.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ForkSession {
    /// Which.
    pub session_id: SessionId,
}

/// Read the messages of a session's latest request, exactly as they were sent.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadSentMessages {
    /// Which session.
    pub session_id: SessionId,
}

/// Send a message. Streams the turn.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct StartTurn {
    /// In which session.
    pub session_id: SessionId,
    /// What the user wrote; may be empty if files come with it.
    pub text: String,
    /// The files that come with it.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<AttachmentId>>")]
    pub attachments: Vec<AttachmentId>,
}

/// Send a failed, stopped or interrupted turn's message again. Streams the new turn, which takes
/// the old one's place.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RetryTurn {
    /// The turn; it must be its session's last.
    pub turn_id: TurnId,
}

/// Stop a running turn. What came is kept.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct StopTurn {
    /// Which.
    pub turn_id: TurnId,
}
