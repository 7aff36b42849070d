//! What a model is sent, and what it said, in the provider-neutral form.
//!
//! The agent builds these; each wire protocol in `talaria-provider` turns them into its own JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{Attachment, ToolCall};

/// One message of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// The rules the model works under. At most one, and first.
    System {
        /// The prompt's text.
        text: String,
    },
    /// Words of the user, or data handed to the model in the user's place.
    User {
        /// The text.
        text: String,
        /// The files that came with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attachments: Vec<Attachment>,
    },
    /// What the model said and asked for.
    Assistant {
        /// Its words; empty when it only called tools.
        text: String,
        /// Its reasoning, sent back only to the service and model that demand it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
        /// What its service wants to see again with this answer, kept unread.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(skip)]
        echo: Option<Value>,
        /// The tools it called, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// The result of one tool call; stands directly after the message that made the call.
    Tool {
        /// Which call this answers.
        call_id: String,
        /// The tool's name; some services demand it beside the id.
        name: String,
        /// What the tool said.
        text: String,
        /// Whether the tool failed.
        is_error: bool,
    },
}
