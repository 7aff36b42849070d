//! Writes the body of a request.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use talaria_domain::{ModelRequest, ToolChoice, ToolSpec};

use crate::attachment::Part;
use crate::dialect::{Dialect, Quirk};
use crate::echo::{Maker, Outline, Piece};
use crate::history::{self, Answered, History, Turn};
use crate::{schema, tool_name};

/// The longest id of a call that is taken.
const LONGEST_ID: usize = 64;

/// The JSON of a request.
pub(crate) fn body(
    request: &ModelRequest,
    history: History,
    maker: &Maker,
    dialect: &Dialect,
) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model.as_str()));
    if let Some(system) = history.system {
        body.insert("instructions".to_owned(), json!(system));
    }
    body.insert("input".to_owned(), input(&history.turns, maker, dialect));
    body.insert("stream".to_owned(), json!(true));
    if !dialect.has(Quirk::NoStore) {
        body.insert("store".to_owned(), json!(false));
    }
    if !dialect.has(Quirk::NoSealedReasoning) {
        body.insert("include".to_owned(), json!(["reasoning.encrypted_content"]));
    }
    if !dialect.has(Quirk::NoSummary) {
        body.insert("reasoning".to_owned(), json!({ "summary": "auto" }));
    }
    if !request.tools.is_empty() && !dialect.has(Quirk::NoTools) {
        let tools = request.tools.iter().map(|spec| tool(spec, dialect));
        body.insert("tools".to_owned(), tools.collect());
        if request.tool_choice == ToolChoice::Required && !dialect.has(Quirk::NoToolChoice) {
            body.insert("tool_choice".to_owned(), json!("required"));
        }
    }
    if let Some(limit) = request.max_output_tokens
        && !dialect.has(Quirk::NoMaxCompletionTokens)
    {
        let limit = dialect.output_limit(limit);
        body.insert("max_output_tokens".to_owned(), json!(limit));
    }
    Value::Object(body)
}

/// A tool in the flat form. Unless it is told not to be, the service is strict, and a strict
/// schema may have no optional argument.
fn tool(spec: &ToolSpec, dialect: &Dialect) -> Value {
    let mut tool = json!({
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": schema::parameters(&spec.parameters, dialect)
            .unwrap_or_else(schema::empty),
    });
    if let (true, Some(tool)) = (!dialect.has(Quirk::NoStrict), tool.as_object_mut()) {
        tool.insert("strict".to_owned(), json!(false));
    }
    tool
}

fn input(turns: &[Turn], maker: &Maker, dialect: &Dialect) -> Value {
    let mut items = Vec::new();
    for turn in turns {
        match turn {
            Turn::User(parts) => {
                let content: Vec<Value> = parts.iter().map(user_part).collect();
                items.push(message("user", content));
            }
            Turn::Model {
                text, echo, calls, ..
            } => {
                let kept = maker.open(echo.as_ref().filter(|_| !dialect.has(Quirk::NoEcho)));
                items.extend(spoken(&Outline::read(kept), text, calls));
                items.extend(calls.iter().map(result));
            }
        }
    }
    Value::Array(items)
}

/// What the model said, in the order in which it did: a thought that is not followed by what it
/// led to is refused.
fn spoken(outline: &Outline, text: &str, calls: &[Answered]) -> Vec<Value> {
    let item = |piece: Piece<'_>| match piece {
        Piece::Kept(thought) => Some(thought.clone()),
        Piece::Words(words, _) if words.trim().is_empty() => None,
        Piece::Words(words, phase) => {
            let content = vec![json!({ "type": "output_text", "text": words })];
            let mut message = message("assistant", content);
            if let (Some(phase), Some(message)) = (phase, message.as_object_mut()) {
                message.insert("phase".to_owned(), json!(phase));
            }
            Some(message)
        }
        Piece::Call(answered) => Some(call(answered)),
    };
    outline
        .fill(text, calls)
        .into_iter()
        .filter_map(item)
        .collect()
}

fn message(role: &str, content: Vec<Value>) -> Value {
    json!({ "type": "message", "role": role, "content": Value::Array(content) })
}

fn user_part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "input_text", "text": text }),
        Part::Image { media_type, data } => json!({
            "type": "input_image",
            "image_url": Part::data_url(media_type, data),
        }),
        Part::Document { name, data } => json!({
            "type": "input_file",
            "filename": name,
            "file_data": Part::pdf_url(data),
        }),
    }
}

fn call(answered: &Answered) -> Value {
    json!({
        "type": "function_call",
        "call_id": wire_id(&answered.call.id),
        "name": tool_name::wire(&answered.call.name),
        "arguments": history::arguments(&answered.call).to_string(),
    })
}

fn result(answered: &Answered) -> Value {
    json!({
        "type": "function_call_output",
        "call_id": wire_id(&answered.call.id),
        "output": answered.result,
    })
}

/// An id as the service takes it. One that another service made may be too long or hold other
/// characters, and is replaced by the same one in each request.
fn wire_id(id: &str) -> String {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(safe) {
        return id.to_owned();
    }
    let digest = Sha256::digest(id.as_bytes());
    let name: String = digest
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("call_{name}")
}

#[cfg(test)]
mod tests;
