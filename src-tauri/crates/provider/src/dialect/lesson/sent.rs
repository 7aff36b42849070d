//! What a request held, in the words of whichever protocol it was written in.

use serde_json::Value;

fn messages(body: &Value) -> impl Iterator<Item = &Value> {
    ["messages", "input"]
        .into_iter()
        .filter_map(|member| body.get(member)?.as_array())
        .flatten()
}

pub(super) fn any_message(body: &Value, test: impl Fn(&Value) -> bool) -> bool {
    messages(body).any(test)
}

pub(super) fn role(message: &Value) -> &str {
    message
        .get("role")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The content of a message; true where it has none, which is neither null nor text.
pub(super) fn content(message: &Value) -> &Value {
    message.get("content").unwrap_or(&Value::Bool(true))
}

fn parts(message: &Value) -> impl Iterator<Item = &Value> {
    content(message).as_array().into_iter().flatten()
}

fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn calls_of(message: &Value) -> usize {
    let listed = message.get("tool_calls").and_then(Value::as_array);
    let blocks = parts(message).filter(|part| kind(part) == "tool_use");
    listed.map_or(0, Vec::len) + blocks.count()
}

pub(super) fn holds_tools(body: &Value) -> bool {
    body.get("tools").is_some()
}

pub(super) fn holds_calls(body: &Value) -> bool {
    any_message(body, |message| {
        calls_of(message) > 0 || kind(message) == "function_call"
    })
}

pub(super) fn holds_system(body: &Value) -> bool {
    body.get("system").is_some()
        || body.get("instructions").is_some()
        || any_message(body, |message| role(message) == "system")
}

pub(super) fn holds_images(body: &Value) -> bool {
    any_message(body, |message| {
        parts(message).any(|part| matches!(kind(part), "image_url" | "image" | "input_image"))
    })
}

pub(super) fn holds_echo(body: &Value) -> bool {
    let members = [
        "extra_content",
        "reasoning_details",
        "encrypted_content",
        "signature",
    ];
    members.iter().any(|member| holds_member(body, member))
        || any_message(body, |item| kind(item) == "reasoning")
        || any_message(body, |message| {
            parts(message).any(|part| kind(part) == "redacted_thinking")
        })
}

/// Whether a member of this name stands anywhere in the request.
pub(super) fn holds_member(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(object) => object
            .iter()
            .any(|(member, value)| member == name || holds_member(value, name)),
        Value::Array(values) => values.iter().any(|value| holds_member(value, name)),
        _ => false,
    }
}
