//! What a turn did, as spans: each thing with its beginning, its end and what decided it.
//!
//! The agent makes them, the store keeps them, the window shows them. A trace explains a turn; the
//! turn itself, which can be shown and sent again, is in its items.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{
    Approval, AskReason, Compaction, ErrorCode, FinishReason, ItemId, ModelRef, Notice,
    QuestionEnd, SessionId, SpanId, Timestamp, TurnFailure, TurnId, TurnState, Usage,
};

/// One thing that happened in a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Span {
    /// Its id.
    pub id: SpanId,
    /// The span it is part of; none for the turn itself.
    pub parent: Option<SpanId>,
    /// The turn.
    pub turn_id: TurnId,
    /// The session.
    pub session_id: SessionId,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; the same moment for what takes no time.
    pub ended_at: Timestamp,
    /// What it was.
    pub content: SpanContent,
}

/// The kinds of spans.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SpanContent {
    /// The turn as a whole; it holds all others.
    Turn {
        /// The model that answered last.
        model: ModelRef,
        /// How it ended.
        state: TurnState,
        /// Tokens over all requests.
        usage: Usage,
        /// Why it ended, where that is no failure.
        finish: Option<FinishReason>,
        /// How it failed, if it did.
        failure: Option<TurnFailure>,
    },
    /// A request to a model, with each time that it was sent again.
    Request {
        /// What was asked and what came of it.
        request: RequestTrace,
    },
    /// Something was chosen among several.
    Choice {
        /// What was chosen.
        choice: ChoiceTrace,
    },
    /// A tool ran, or was kept from running.
    ToolCall {
        /// The item it is in the session.
        item_id: ItemId,
        /// The call's id at the service.
        call_id: String,
        /// The tool.
        name: String,
        /// What it was asked, bounded.
        #[ts(type = "unknown")]
        arguments: Value,
        /// What the model was told, bounded; none for one that did not end.
        result: Option<String>,
        /// Whether it failed.
        failed: bool,
    },
    /// Whether a call may be done was decided.
    Permission {
        /// The call.
        item_id: ItemId,
        /// The tool.
        tool: String,
        /// The decision, and who made it.
        approval: Approval,
        /// Why the user was asked; none if nobody was.
        reason: Option<AskReason>,
        /// How the question ended; none if there was none.
        end: Option<QuestionEnd>,
    },
    /// The context was shortened.
    Compaction {
        /// How.
        compaction: Compaction,
    },
    /// The user was told something about how the turn went.
    Notice {
        /// What.
        notice: Notice,
    },
}

/// A request to a model, as a trace has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RequestTrace {
    /// The model that was asked.
    pub model: ModelRef,
    /// Messages in it.
    pub messages: u32,
    /// The tools that were offered, by name: the model chooses among these.
    pub tools: Vec<String>,
    /// The size of the request as JSON, in bytes.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The SHA-256 of that JSON, in hexadecimal: the same for the same request.
    pub sha256: String,
    /// Its tokens as they were estimated before it was sent.
    #[ts(type = "number | null")]
    pub estimated_tokens: Option<u64>,
    /// Its tokens as the service counted them, and their cost.
    pub usage: Usage,
    /// From sending to the first piece of an answer, in milliseconds.
    #[ts(type = "number | null")]
    pub first_piece_ms: Option<u64>,
    /// Why the answer ended.
    pub finish: Option<FinishReason>,
    /// The tools that the answer called, in order.
    pub calls: Vec<String>,
    /// Each time that it was sent again, and why.
    pub retries: Vec<Resend>,
    /// How it failed in the end, if it did.
    pub failure: Option<TurnFailure>,
    /// The request itself, where the settings say that bodies are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub body: Option<Value>,
}

/// A request that was sent again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Resend {
    /// Which attempt followed, from 2.
    pub attempt: u32,
    /// How the one before failed.
    pub code: ErrorCode,
    /// What was said.
    pub message: String,
    /// How long was waited, in milliseconds.
    #[ts(type = "number")]
    pub wait_ms: u64,
}

/// A choice among several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChoiceTrace {
    /// What was chosen.
    pub of: ChoiceKind,
    /// What there was to choose from, in order of preference.
    pub candidates: Vec<String>,
    /// What was taken.
    pub chosen: String,
    /// Why, in a few English words.
    pub why: String,
}

/// What is chosen in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChoiceKind {
    /// The model to ask.
    Model,
    /// How to make room in the context.
    Compaction,
}
