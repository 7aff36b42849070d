//! What the window can ask of the notes folder. The shapes of notes are `talaria-note`'s own.

use serde::{Deserialize, Serialize};
use talaria_domain::SessionId;
use ts_rs::TS;

/// The notes, newest first; with a query, the ones that hold it.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListNotes {
    /// Any text; blank lists all.
    pub query: String,
}

/// Read a note.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadNote {
    /// Which.
    pub path: String,
}

/// Make a note. Its file's name is made from the title.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CreateNote {
    /// The title, in any language.
    pub title: String,
    /// The Markdown text.
    pub text: String,
    /// The session it comes from, when it was made from a selection.
    pub session_id: Option<SessionId>,
}

/// Save a note's text. Fails with `conflict` if the note is no longer at `version`.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SaveNote {
    /// Which.
    pub path: String,
    /// The Markdown text.
    pub text: String,
    /// The version the edit began from.
    pub version: String,
}

/// Give a note another file name, made from the title.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RenameNote {
    /// Which.
    pub path: String,
    /// The new title.
    pub title: String,
}

/// Delete a note; it is moved to the notes' trash and can be restored.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct DeleteNote {
    /// Which.
    pub path: String,
}

/// Undo a deletion.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RestoreNote {
    /// Which, by the path it had.
    pub path: String,
}

/// The older texts of a note, newest first.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListNoteVersions {
    /// Which.
    pub path: String,
}

/// The text of an older version.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadNoteVersion {
    /// Which note.
    pub path: String,
    /// Which version.
    pub version: String,
}

/// Render Markdown for a preview.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RenderMarkdown {
    /// The text.
    pub text: String,
}

/// Fetch a remote image that the user chose to see. Nothing is fetched without that.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct LoadImage {
    /// Its address; `https` or `http`.
    pub url: String,
}

/// An image as the page can show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LoadedImage {
    /// A `data:` address.
    pub data_url: String,
}
