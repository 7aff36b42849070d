//! Writes the body of a request, in the dialect of its service.

mod messages;

use serde_json::{Map, Value, json};
use talaria_domain::{ModelRequest, ToolChoice, ToolSpec};

use crate::dialect::{Dialect, Quirk};
use crate::history::History;
use crate::schema;

/// The JSON of a request to the service at `host`; `history` holds its messages.
///
/// Only what is asked for is sent: each optional parameter is refused by some service.
pub(crate) fn body(
    request: &ModelRequest,
    history: History,
    host: &str,
    dialect: &Dialect,
) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model.as_str()));
    body.insert(
        "messages".to_owned(),
        messages::write(history, host, dialect),
    );
    body.insert("stream".to_owned(), json!(true));
    if !dialect.has(Quirk::NoStreamOptions) {
        body.insert(
            "stream_options".to_owned(),
            json!({ "include_usage": true }),
        );
    }
    if !request.tools.is_empty() && !dialect.has(Quirk::NoTools) {
        let tools = request.tools.iter().map(|spec| tool(spec, dialect));
        body.insert("tools".to_owned(), tools.collect());
        if request.tool_choice == ToolChoice::Required && !dialect.has(Quirk::NoToolChoice) {
            body.insert("tool_choice".to_owned(), json!("required"));
        }
        if dialect.has(Quirk::ReasoningOff) {
            body.insert("reasoning_effort".to_owned(), json!("none"));
        }
    }
    if let (Some(limit), Some(member)) = (request.max_output_tokens, dialect.limit_member()) {
        body.insert(member.to_owned(), json!(dialect.output_limit(limit)));
    }
    Value::Object(body)
}

fn tool(spec: &ToolSpec, dialect: &Dialect) -> Value {
    let mut function = Map::new();
    function.insert("name".to_owned(), json!(spec.name));
    function.insert("description".to_owned(), json!(spec.description));
    if let Some(parameters) = schema::parameters(&spec.parameters, dialect) {
        function.insert("parameters".to_owned(), parameters);
    }
    json!({ "type": "function", "function": function })
}

#[cfg(test)]
mod tests;
