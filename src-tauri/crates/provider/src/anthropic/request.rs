//! Writes the body of a request.

use serde_json::{Map, Value, json};
use talaria_domain::{ModelRequest, ToolChoice, ToolSpec};

use super::model::Model;
use crate::attachment::{PDF, Part};
use crate::dialect::{Dialect, Quirk};
use crate::echo::{Maker, Outline, Piece};
use crate::history::{self, Answered, History, Turn};
use crate::{schema, tool_name};

/// How many of the user's last messages are marked for the cache: the one before the last lets
/// the service find what it has when very much was added.
const MARKED: usize = 2;

/// The JSON of a request, in the dialect of its service.
pub(crate) fn body(
    request: &ModelRequest,
    history: History,
    maker: &Maker,
    dialect: &Dialect,
) -> Value {
    let model = Model::named(request.model.as_str());
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model.as_str()));
    let limit = request.max_output_tokens;
    let limit = dialect.output_limit(limit.unwrap_or_else(|| model.longest_output()));
    body.insert("max_tokens".to_owned(), json!(limit));
    if let Some(thinking) = thinking(model, dialect) {
        body.insert("thinking".to_owned(), thinking);
    }
    if let Some(system) = history.system {
        body.insert(
            "system".to_owned(),
            json!([{ "type": "text", "text": system }]),
        );
    }
    body.insert(
        "messages".to_owned(),
        messages(&history.turns, maker, dialect),
    );
    if !request.tools.is_empty() && !dialect.has(Quirk::NoTools) {
        let tools = request.tools.iter().map(|spec| tool(spec, dialect));
        body.insert("tools".to_owned(), tools.collect());
        if request.tool_choice == ToolChoice::Required && !dialect.has(Quirk::NoToolChoice) {
            body.insert("tool_choice".to_owned(), json!({ "type": "any" }));
        }
    }
    body.insert("stream".to_owned(), json!(true));
    if !dialect.has(Quirk::NoCacheMarks) {
        mark_for_cache(&mut body);
    }
    Value::Object(body)
}

/// How the model is asked to think; none leaves it to the model.
fn thinking(model: Model, dialect: &Dialect) -> Option<Value> {
    let tells = model.thinks_unseen() && !dialect.has(Quirk::NoSummary);
    let is_loose = dialect.has(Quirk::LooseThoughts);
    let mut thinking = Map::new();
    if tells {
        thinking.insert("display".to_owned(), json!("summarized"));
    }
    if is_loose {
        let behaviour = json!({ "prefix_mismatch_behavior": "drop_block" });
        thinking.insert("block_binding".to_owned(), behaviour);
    }
    (tells || is_loose).then(|| {
        thinking.insert("type".to_owned(), json!("adaptive"));
        Value::Object(thinking)
    })
}

/// The name under which the service offers what a request asks for and the protocol lacks.
pub(crate) fn beta(dialect: &Dialect) -> Option<&'static str> {
    dialect
        .has(Quirk::LooseThoughts)
        .then_some("thinking-binding-controls-2026-08-01")
}

/// Marks up to where the service keeps the request for the next one, which extends it: the tools
/// and the system text, and the end of the talk. The service takes four marks at most.
fn mark_for_cache(body: &mut Map<String, Value>) {
    let always = match body.get_mut("system") {
        Some(system) => Some(system),
        None => body.get_mut("tools"),
    };
    mark_last(always);
    let messages = body.get_mut("messages").and_then(Value::as_array_mut);
    let of_user = messages
        .into_iter()
        .flatten()
        .rev()
        .filter(|message| message.get("role").is_some_and(|role| role == "user"));
    for message in of_user.take(MARKED) {
        mark_last(message.get_mut("content"));
    }
}

fn mark_last(blocks: Option<&mut Value>) {
    let last = blocks
        .and_then(Value::as_array_mut)
        .and_then(|blocks| blocks.last_mut());
    if let Some(block) = last.and_then(Value::as_object_mut) {
        block.insert("cache_control".to_owned(), json!({ "type": "ephemeral" }));
    }
}

fn tool(spec: &ToolSpec, dialect: &Dialect) -> Value {
    json!({
        "name": spec.name,
        "description": spec.description,
        "input_schema": schema::parameters(&spec.parameters, dialect)
            .unwrap_or_else(schema::empty),
    })
}

/// The model's messages as it wrote them, results before words in the user's: the protocol
/// refuses any other order.
fn messages(turns: &[Turn], maker: &Maker, dialect: &Dialect) -> Value {
    let mut messages = Vec::new();
    let mut for_user: Vec<Value> = Vec::new();
    for turn in turns {
        match turn {
            Turn::User(parts) => for_user.extend(parts.iter().map(user_block)),
            Turn::Model {
                text, echo, calls, ..
            } => {
                flush(&mut for_user, &mut messages);
                let kept = maker.open(echo.as_ref().filter(|_| !dialect.has(Quirk::NoEcho)));
                let content = spoken(&Outline::read(kept), text, calls);
                messages.push(json!({ "role": "assistant", "content": content }));
                for_user.extend(calls.iter().map(result));
            }
        }
    }
    flush(&mut for_user, &mut messages);
    Value::Array(messages)
}

fn user_block(part: &Part) -> Value {
    let source = |media_type: &str, data: &str| json!({ "type": "base64", "media_type": media_type, "data": data });
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image { media_type, data } => {
            json!({ "type": "image", "source": source(media_type, data) })
        }
        Part::Document { name, data } => json!({
            "type": "document",
            "title": name,
            "source": source(PDF, data),
        }),
    }
}

fn flush(blocks: &mut Vec<Value>, messages: &mut Vec<Value>) {
    if !blocks.is_empty() {
        messages.push(json!({ "role": "user", "content": std::mem::take(blocks) }));
    }
}

/// What the model said. Its thoughts go back with every answer, not only with calls: newer models
/// refuse a history in which one between others is missing or was moved.
fn spoken(outline: &Outline, text: &str, calls: &[Answered]) -> Vec<Value> {
    let block = |piece: Piece<'_>| match piece {
        Piece::Kept(thought) => Some(thought.clone()),
        // A block of white space is refused.
        Piece::Words(words, _) if words.trim().is_empty() => None,
        Piece::Words(words, _) => Some(json!({ "type": "text", "text": words })),
        Piece::Call(answered) => Some(json!({
            "type": "tool_use",
            "id": wire_id(&answered.call.id),
            "name": tool_name::wire(&answered.call.name),
            "input": history::arguments(&answered.call),
        })),
    };
    outline
        .fill(text, calls)
        .into_iter()
        .filter_map(block)
        .collect()
}

fn result(answered: &Answered) -> Value {
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": wire_id(&answered.call.id),
        "content": answered.result,
    });
    if let (true, Some(block)) = (answered.is_error, block.as_object_mut()) {
        block.insert("is_error".to_owned(), json!(true));
    }
    block
}

/// Ids of other services may hold dots and colons, which are refused here.
fn wire_id(id: &str) -> String {
    let safe = |found: char| found.is_ascii_alphanumeric() || matches!(found, '_' | '-');
    id.chars()
        .map(|found| if safe(found) { found } else { '_' })
        .collect()
}

#[cfg(test)]
mod tests;
