//! A tool as the model sees it, a call the model made, and what came of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{FileDiff, WebHit};

/// What the model is told about one tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name, unique among the tools of a request.
    pub name: String,
    /// What it does and when to use it, for the model.
    pub description: String,
    /// JSON Schema of its arguments; an object.
    pub parameters: Value,
}

/// A model's decision to use a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolCall {
    /// The call's id, unique within its session; answers refer to it.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments: an object if they could be read, else the raw text as a string.
    #[ts(type = "unknown")]
    pub arguments: Value,
    /// What the service wants to see again with this call, kept unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(skip)]
    pub echo: Option<Value>,
    /// The model printed the call as text, and it was read out of there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub recovered: bool,
}

/// What came of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolResult {
    /// What the model is told.
    pub text: String,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Where the text came from, if it is not the tool's own: a path, an address, a command. The
    /// model is then given it as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<String>,
    /// What the model is told beside it, by us: how its turn goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub advice: Option<String>,
    /// Instructions that were found in what the tool brought. The model is told that they are data;
    /// the user sees them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Suspicion>>")]
    pub suspicions: Vec<Suspicion>,
    /// What the user is shown instead of the text, where there is something better. Never sent to
    /// a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub shown: Option<Shown>,
}

impl ToolResult {
    /// A result that tells the model something.
    #[must_use]
    pub fn success(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A failure: what went wrong, and what to do instead.
    #[must_use]
    pub fn failure(text: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::success(text)
        }
    }

    /// The same, with something better to show.
    #[must_use]
    pub fn showing(mut self, shown: Shown) -> Self {
        self.shown = Some(shown);
        self
    }
}

/// A text that speaks to the model as if it had a say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Suspicion {
    /// Where it was found: a path, an address, a note's title.
    pub origin: String,
    /// The id of the rule that found it.
    pub rule: String,
    /// The words, bounded.
    pub excerpt: String,
}

/// What the user sees of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Shown {
    /// A file was changed.
    Diff {
        /// How.
        diff: FileDiff,
    },
    /// A command ran.
    Command {
        /// Its exit code; none while it goes on in the background, or if a signal ended it.
        exit_code: Option<i32>,
        /// What it wrote last, bounded.
        output: String,
        /// Whether the system held it to its folders.
        sandboxed: bool,
    },
    /// A page was fetched.
    Page {
        /// Where it ended up.
        url: String,
        /// Its title.
        title: String,
    },
    /// The web was searched.
    Links {
        /// What was found, best first.
        links: Vec<WebHit>,
    },
    /// The plan as it now stands.
    Todo {
        /// Its entries.
        entries: Vec<TodoEntry>,
    },
}

/// One entry of the model's plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TodoEntry {
    /// What is to be done.
    pub text: String,
    /// Where it stands.
    pub state: TodoState,
}

/// Where an entry of the plan stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TodoState {
    /// Not begun.
    Pending,
    /// Being done.
    Active,
    /// Done.
    Done,
    /// No longer wanted.
    Dropped,
}
