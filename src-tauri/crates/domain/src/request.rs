//! What a model service is asked, what it streams back, and how it fails.
//!
//! The agent asks, `talaria-provider` speaks the service's protocol; neither knows the other.

use std::time::Duration;

use serde_json::Value;

use crate::{ErrorCode, FinishReason, Message, ModelName, Notice, ToolCall, ToolSpec, Usage};

/// One request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// The service's name for the model.
    pub model: ModelName,
    /// The whole context, in order.
    pub messages: Vec<Message>,
    /// The tools on offer.
    pub tools: Vec<ToolSpec>,
    /// Whether the model may, or must, call a tool.
    pub tool_choice: ToolChoice,
    /// At most so many tokens of answer; none leaves it to the service.
    pub max_output_tokens: Option<u32>,
}

/// Whether a model may call tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    /// It decides.
    #[default]
    Auto,
    /// It must call one.
    Required,
}

/// One piece of a streamed answer, in the order it came.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    /// More of the answer's text.
    Text(String),
    /// More of the reasoning.
    Reasoning(String),
    /// All text of this answer so far was reasoning, which only its end showed. At most once an
    /// answer, and only before any [`ModelEvent::Reasoning`].
    WasReasoning,
    /// What the service wants to see again with this answer. At most once, before the calls.
    Echo(Value),
    /// Something the user should know about how the request was made or answered.
    Notice(Notice),
    /// A tool call, whole: it is given only once the stream has said that it is complete.
    ToolCall(ToolCall),
    /// Tokens used by this request. The last one counts.
    Usage(Usage),
    /// The terminal event: nothing follows, and without it the stream was cut.
    Finished(FinishReason),
}

/// How a request to a service failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ServiceFailure {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What the service or the system said, bounded, without secrets.
    pub message: String,
    /// Whether asking again can help.
    pub retry: Retry,
    /// For an overflow: the window in tokens, where the service told it.
    pub limit: Option<u64>,
    /// The HTTP status, where there was an answer.
    pub status: Option<u16>,
}

/// Whether the same request is worth sending again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// It would fail the same way.
    Never,
    /// It may work; the caller's own back-off decides when.
    Soon,
    /// It may work after this long, which the service asked for.
    After(Duration),
}
