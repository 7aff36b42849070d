//! A tool as the model sees it, a call the model made, and what came of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolResult {
    /// What the model is told.
    pub text: String,
    /// Whether the tool failed.
    pub is_error: bool,
}
