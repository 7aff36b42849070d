//! What a turn tells its listener while it runs.
//!
//! The window gets these through a channel of its own for each turn, the command line prints them.
//! Whatever an event shows is already on disk.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use talaria_domain::{
    ContextReport, ErrorCode, FinishReason, Item, ItemId, Question, QuestionEnd, QuestionId,
    SessionId, Turn, TurnId, Usage,
};
use ts_rs::TS;

/// One event of a turn. The last one is `turn_finished` or `error`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TurnEvent {
    /// The user's message is on disk.
    TurnStarted {
        /// The turn.
        turn: Turn,
        /// The user's words.
        user: Item,
    },
    /// The model began a text or a reasoning, or a tool call is about to run.
    ItemStarted {
        /// The item as it is now.
        item: Item,
    },
    /// More of a text item.
    TextDelta {
        /// Which item.
        item_id: ItemId,
        /// What to append.
        text: String,
    },
    /// More of a reasoning item.
    ReasoningDelta {
        /// Which item.
        item_id: ItemId,
        /// What to append.
        text: String,
    },
    /// A running tool put something out. Not kept: the result has what stays of it.
    ToolOutput {
        /// The tool call's item.
        item_id: ItemId,
        /// What to append.
        text: String,
    },
    /// The turn waits for the user's answer.
    QuestionAsked {
        /// What is asked.
        question: Question,
    },
    /// The turn no longer waits.
    QuestionClosed {
        /// Which question.
        question_id: QuestionId,
        /// How it ended.
        end: QuestionEnd,
    },
    /// A request is about to be sent; this is what its tokens are spent on.
    ContextMeasured {
        /// The layers.
        report: ContextReport,
    },
    /// An item is complete; for a tool call, with its result.
    ItemFinished {
        /// The item as it stays.
        item: Item,
    },
    /// A request failed and is sent again after a wait.
    Retrying {
        /// Which attempt comes next, from 2.
        attempt: u32,
        /// How long until then, in milliseconds.
        wait_ms: u64,
        /// The kind of failure.
        code: ErrorCode,
        /// What was said.
        message: String,
    },
    /// The turn came to an end that is no failure: an answer, or the user's stop.
    TurnFinished {
        /// The session.
        session_id: SessionId,
        /// The turn.
        turn_id: TurnId,
        /// The final answer.
        text: String,
        /// Why it ended.
        finish: FinishReason,
        /// Tokens over all requests.
        usage: Usage,
        /// Every tool call of the turn.
        tool_calls: Vec<FinishedCall>,
    },
    /// The turn failed; what came is kept.
    Error {
        /// The session.
        session_id: SessionId,
        /// The turn.
        turn_id: TurnId,
        /// The kind of failure.
        code: ErrorCode,
        /// What was said.
        message: String,
        /// After how long asking again may work, in milliseconds.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        retry_after_ms: Option<u64>,
        /// For an overflow: the window in tokens, where known.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        limit: Option<u64>,
        /// Tokens over all requests.
        usage: Usage,
    },
}

/// A tool call as the last event lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FinishedCall {
    /// The tool.
    pub name: String,
    /// What it was asked.
    #[ts(type = "unknown")]
    pub arguments: Value,
    /// What the model was told.
    pub result: String,
    /// Whether it failed.
    pub is_error: bool,
}
