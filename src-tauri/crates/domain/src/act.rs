//! What a tool call would do, so that it can be judged and shown before it is done.
//!
//! A tool makes an [`Act`] of the arguments it is given; the permission ladder of `talaria-agent`
//! judges the effects, the window shows the preview, and the approval holds for the digest alone.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Choice;

/// All that one call would do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Act {
    /// What it would change or reach, in order. Empty: nothing outside its own session.
    pub effects: Vec<Effect>,
    /// What the user sees of it before saying yes or no.
    pub preview: Preview,
    /// What the model wants to know of the user. Nothing is done then: the answer is the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub asks: Option<Choice>,
    /// Stands for the exact content: another text, command or file as it lies on disk has another
    /// digest. Empty while `effects` is.
    pub digest: String,
}

/// One thing a call would change or reach. Paths are absolute and without links where they exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// A file is read, or a folder listed or searched.
    Read {
        /// Which.
        path: String,
    },
    /// A file is made, changed or replaced.
    Write {
        /// Which.
        path: String,
    },
    /// A command runs.
    Command {
        /// The command as it would be given to the shell.
        command: String,
        /// Where it runs.
        folder: String,
        /// Whether it may reach the network.
        network: bool,
        /// The secrets it gets, by name.
        secrets: Vec<String>,
        /// Whether the system holds it to the folders it may use.
        sandboxed: bool,
    },
    /// A web page is fetched.
    Fetch {
        /// Its address.
        url: String,
    },
    /// Words are sent to a search service.
    WebSearch {
        /// The service's host.
        host: String,
        /// The words.
        query: String,
    },
    /// A note of the user's is made or changed; its older text is kept.
    Note {
        /// Its title.
        title: String,
    },
}

/// What the user sees of an act before it is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Preview {
    /// The arguments say it all.
    #[default]
    Arguments,
    /// A change of a file.
    Diff {
        /// The change.
        diff: FileDiff,
    },
}

/// A change of one text file, line by line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FileDiff {
    /// Which file.
    pub path: String,
    /// Whether it is there before, after, or both.
    pub change: FileChangeKind,
    /// Lines added, in all.
    pub added: u32,
    /// Lines removed, in all.
    pub removed: u32,
    /// The changed places with some lines around them; empty for a file that is no text.
    pub hunks: Vec<DiffHunk>,
    /// Whether there are more hunks than are given.
    pub cut: bool,
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileChangeKind {
    /// It is new.
    Created,
    /// It gets another content.
    Changed,
    /// It is gone.
    Deleted,
}

/// Neighbouring lines of a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DiffHunk {
    /// Number of the first line before, from 1.
    pub old_start: u32,
    /// Number of the first line after, from 1.
    pub new_start: u32,
    /// The lines.
    pub lines: Vec<DiffLine>,
}

/// One line of a change, without its line end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DiffLine {
    /// Whether it stays, comes or goes.
    pub change: LineChange,
    /// Its text.
    pub text: String,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LineChange {
    /// It stays.
    Same,
    /// It comes.
    Added,
    /// It goes.
    Removed,
}
