//! Requests, messages and files that the tests of all three protocols send.

use serde_json::{Value, json};
use talaria_domain::{
    Attachment, AttachmentId, Message, ModelName, ModelRequest, ToolCall, ToolChoice, ToolSpec,
};

use crate::attachment::{Files, Reading};
use crate::dialect::Dialect;
use crate::history::History;

/// A request of these messages, with nothing else asked for.
pub(crate) fn request(messages: Vec<Message>) -> ModelRequest {
    ModelRequest {
        model: ModelName::new("model-1").unwrap(),
        messages,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    }
}

/// The same request, with a tool that must be called and a limit of its answer.
pub(crate) fn with_a_tool(limit: u32, parameters: Value) -> ModelRequest {
    ModelRequest {
        tools: vec![tool(parameters)],
        tool_choice: ToolChoice::Required,
        max_output_tokens: Some(limit),
        ..request(vec![user("a")])
    }
}

pub(crate) fn tool(parameters: Value) -> ToolSpec {
    ToolSpec {
        name: "now".to_owned(),
        description: "The time.".to_owned(),
        parameters,
    }
}

pub(crate) fn system() -> Message {
    Message::System {
        text: "Be kind.".to_owned(),
    }
}

pub(crate) fn user(text: &str) -> Message {
    Message::User {
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

/// What the model said, and that it calls.
pub(crate) fn model(text: &str, calls: Vec<ToolCall>) -> Message {
    Message::Assistant {
        text: text.to_owned(),
        reasoning: Some("hm".to_owned()),
        echo: None,
        calls,
    }
}

pub(crate) fn call(id: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "now".to_owned(),
        arguments: json!({"zone": "UTC"}),
        echo: None,
        recovered: false,
    }
}

pub(crate) fn calls(ids: &[&str]) -> Vec<ToolCall> {
    ids.iter().map(|id| call(id)).collect()
}

pub(crate) fn result(id: &str, text: &str) -> Message {
    Message::Tool {
        call_id: id.to_owned(),
        name: "now".to_owned(),
        text: text.to_owned(),
        is_error: false,
    }
}

/// The body that `write` makes of a request, with its history settled as the client has it.
pub(crate) fn written(
    mut request: ModelRequest,
    dialect: &Dialect,
    write: impl FnOnce(&ModelRequest, History) -> Value,
) -> Value {
    let files = Files::new();
    let mut reading = Reading::new(&files, dialect, true);
    let messages = std::mem::take(&mut request.messages);
    let history = History::settle(messages, &mut reading).expect("no files");
    write(&request, history.adapted(dialect))
}

/// The body that `write` makes of a picture and a document with the words "look".
pub(crate) fn written_with_files(
    dialect: &Dialect,
    write: impl FnOnce(&ModelRequest, History) -> Value,
) -> Value {
    let attachment = |media_type: &str, byte: u8| Attachment {
        id: AttachmentId::from_bytes([byte; 16]),
        name: "a.x".to_owned(),
        media_type: media_type.to_owned(),
        size: 1,
    };
    let sent = Message::User {
        text: "look".to_owned(),
        attachments: vec![attachment("image/png", 1), attachment("application/pdf", 2)],
    };
    let files = Files::from([1, 2].map(|byte| {
        let id = AttachmentId::from_bytes([byte; 16]);
        (id, vec![0].into())
    }));
    let mut reading = Reading::new(&files, dialect, true);
    let history = History::settle(vec![sent], &mut reading).unwrap();
    write(&request(Vec::new()), history)
}
