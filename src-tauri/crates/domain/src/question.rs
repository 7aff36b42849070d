//! What a running turn asks the user, and the answer.
//!
//! A question that nobody answers in time is answered with no.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Act, ItemId, QuestionId, SessionId, Timestamp, TurnId};

/// One question, open until it is answered, times out, or its turn ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// The session whose turn asks.
    pub session_id: SessionId,
    /// The turn.
    pub turn_id: TurnId,
    /// The tool call that waits for the answer.
    pub item_id: ItemId,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it counts as answered with no.
    pub expires_at: Timestamp,
    /// What is asked.
    pub content: QuestionContent,
}

/// The kinds of questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionContent {
    /// May this be done?
    Permission {
        /// The tool that would do it.
        tool: String,
        /// What it would do.
        act: Act,
        /// Why it is asked.
        reason: AskReason,
        /// How far a yes can be made to reach, beside this once.
        reaches: Vec<Reach>,
    },
    /// Which of these? Asked by the model.
    Choice {
        /// What the model wants to know.
        #[serde(flatten)]
        #[ts(flatten)]
        choice: Choice,
    },
}

/// What the model wants to know of the user. Free words are always an answer too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Choice {
    /// The question.
    pub text: String,
    /// The answers to choose from; none if only free words fit.
    pub options: Vec<String>,
    /// Whether several may be chosen.
    pub several: bool,
}

/// Why an act is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum AskReason {
    /// The session's mode asks for this kind of act.
    Mode,
    /// A rule of the user's asks for it.
    Rule,
    /// It reaches outside the granted folders.
    OutsideFolders {
        /// Where to.
        path: String,
    },
    /// What it would do can't be told from the command's text.
    Unclear {
        /// What makes it so, in a few English words.
        what: String,
    },
    /// It can do harm that can't be put right.
    Dangerous {
        /// What makes it so, in a few English words.
        what: String,
    },
    /// Instructions were found in what the turn has read, and it might follow from them.
    AfterSuspicion {
        /// Where they stood.
        origin: String,
    },
}

/// How far a yes reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// This call only.
    Once,
    /// The very same act, again in this session.
    Session,
    /// The very same act, always: it becomes a rule in the settings.
    Always,
    /// The folder it reaches is granted to this session.
    Folder,
}

/// What the user answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// Yes, to exactly what was shown.
    Allow {
        /// The digest of the act that was shown. Another one is refused.
        digest: String,
        /// How far.
        reach: Reach,
    },
    /// No.
    Deny {
        /// What the model should know or do instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        words: Option<String>,
    },
    /// The chosen options or free words.
    Choose {
        /// In the user's order.
        chosen: Vec<String>,
    },
}

/// How a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum QuestionEnd {
    /// With an answer.
    Answered,
    /// Nobody answered in time.
    TimedOut,
    /// Nobody could be asked.
    Unasked,
    /// Its turn was stopped.
    Withdrawn,
}
