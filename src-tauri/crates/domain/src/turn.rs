//! A turn: from one user input to the final answer, and the items in it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{
    Approval, Attachment, Compaction, ErrorCode, ItemId, ModelRef, SessionId, Timestamp, ToolCall,
    ToolResult, TurnId, Usage,
};

/// Where a turn stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// The model or a tool is at work.
    Running,
    /// It came to an answer.
    Finished,
    /// The user stopped it; what came is kept.
    Cancelled,
    /// It failed; `failure` says why, and what came is kept.
    Failed,
    /// The program ended while it ran. Set when such a session is next opened.
    Interrupted,
}

/// Why a model's answer, or a turn, came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model was done.
    Stop,
    /// The model waits for the results of its tool calls.
    ToolCalls,
    /// The output limit was reached.
    Length,
    /// The service withheld the rest.
    ContentFilter,
    /// The user stopped it.
    Cancelled,
    /// The turn used up its rounds; the answer says what was reached.
    RoundLimit,
    /// The model went round in circles and was told to conclude.
    NoProgress,
}

/// What went wrong with a turn, in the form the window and the command line get it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TurnFailure {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What the service or the system said, without secrets.
    pub message: String,
}

/// One turn without its items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Turn {
    /// Its id.
    pub id: TurnId,
    /// The session it belongs to.
    pub session_id: SessionId,
    /// Where it stands.
    pub state: TurnState,
    /// The model that answered; after a switch, the one that took over.
    pub model: ModelRef,
    /// Tokens used by all its requests.
    pub usage: Usage,
    /// Why it ended, once it has.
    pub finish: Option<FinishReason>,
    /// Why it failed, if it did.
    pub failure: Option<TurnFailure>,
    /// When the user's message was written down.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// One thing that happened in a turn, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Item {
    /// Its id.
    pub id: ItemId,
    /// The turn it belongs to.
    pub turn_id: TurnId,
    /// What it is.
    pub content: ItemContent,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was complete; none while it streams or runs.
    pub finished_at: Option<Timestamp>,
}

/// The kinds of items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ItemContent {
    /// What the user wrote.
    UserText {
        /// The text as typed.
        text: String,
        /// The files that came with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    /// What the model said.
    ModelText {
        /// Markdown.
        text: String,
    },
    /// What the model thought.
    Reasoning {
        /// Plain text; empty when the service keeps it to itself.
        text: String,
        /// What the service wants to see again with the answer, kept unread.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(skip)]
        echo: Option<Value>,
    },
    /// A tool call, and its result once there is one.
    ToolCall {
        /// What the model asked for.
        call: ToolCall,
        /// What came of it. None: it has not finished.
        result: Option<ToolResult>,
        /// Which of the turn's answers made the call, from 1. Calls of one answer go back to the
        /// model in one message.
        #[serde(default)]
        round: u32,
        /// How it came to be done or not; none until that is decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        approval: Option<Approval>,
    },
    /// What the user should know about how the turn went. Never sent to a model.
    Notice {
        /// What happened.
        notice: Notice,
    },
}

impl ItemContent {
    /// Takes out what only the service may see again, for who merely shows the item.
    pub fn forget_echo(&mut self) {
        match self {
            Self::Reasoning { echo, .. } => *echo = None,
            Self::ToolCall { call, .. } => call.echo = None,
            Self::UserText { .. } | Self::ModelText { .. } | Self::Notice { .. } => {}
        }
    }
}

/// Something the user should know about how a turn went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Notice {
    /// Another model answers from here on, because the chosen one could not.
    ModelSwitched {
        /// The model that failed.
        from: ModelRef,
        /// The model that took over.
        to: ModelRef,
        /// How the first one failed.
        code: ErrorCode,
        /// What was said.
        message: String,
    },
    /// The service read much less than it was sent: it cut the conversation without saying so.
    InputCut {
        /// Tokens sent, as estimated.
        #[ts(type = "number")]
        sent: u64,
        /// Tokens the service says it read.
        #[ts(type = "number")]
        read: u64,
    },
    /// The context was shortened to make room.
    ContextShortened {
        /// The shortening, which can be looked at and undone.
        compaction: Compaction,
    },
    /// There is no room left to be made: what can't be shortened takes too much of the window.
    ContextFull {
        /// The model's window in tokens.
        #[ts(type = "number")]
        window: u64,
        /// What the rules, the tools and the user's words alone take.
        #[ts(type = "number")]
        fixed: u64,
    },
    /// The context is full, and no summary of its older part could be written.
    SummaryFailed,
    /// The model went round in circles, so it was told to conclude.
    NoProgress {
        /// The tool it called again and again.
        tool: String,
        /// How often.
        times: u32,
    },
    /// The model was told to conclude, and had nothing to say; what was reached stands above.
    NotConcluded,
    /// The model takes no tools, so it was asked without them.
    ToolsLeftOut,
    /// The model takes no images, so those of earlier messages were left out.
    ImagesLeftOut,
    /// Instructions of a trusted folder were left out of the conversation.
    InstructionsLeftOut {
        /// Where they stand.
        path: String,
        /// Because they try to take over; else because there is no room for them.
        is_suspicious: bool,
    },
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ItemContent;
    use crate::ToolCall;

    #[test]
    fn who_shows_an_item_gets_nothing_that_is_for_the_service_alone() {
        let call = ToolCall {
            id: "1".into(),
            name: "t".into(),
            arguments: json!({}),
            echo: Some(json!("sealed")),
            recovered: false,
        };
        for mut content in [
            ItemContent::Reasoning {
                text: "hm".into(),
                echo: Some(json!("sealed")),
            },
            ItemContent::ToolCall {
                call,
                result: None,
                round: 1,
                approval: None,
            },
        ] {
            content.forget_echo();
            let shown = serde_json::to_string(&content).expect("it is written");
            assert!(!shown.contains("sealed"), "{shown}");
        }
    }
}
