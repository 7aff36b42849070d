//! Writes the body of a request.

use serde_json::{Map, Value, json};
use talaria_domain::{ModelRequest, ToolChoice, ToolSpec};

use crate::dialect::{Dialect, Quirk};
use crate::history::{self, Answered, History, Turn};
use crate::schema;

/// The protocol demands a limit; this one suits every model still served.
const OUTPUT_LIMIT: u32 = 8192;

/// The JSON of a request, in the dialect of its service.
pub(crate) fn body(request: ModelRequest, dialect: &Dialect) -> Value {
    let history = History::settle(request.messages);
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model.as_str()));
    body.insert(
        "max_tokens".to_owned(),
        json!(dialect.output_limit(request.max_output_tokens.unwrap_or(OUTPUT_LIMIT))),
    );
    if let Some(system) = history.system {
        body.insert("system".to_owned(), json!(system));
    }
    body.insert("messages".to_owned(), messages(&history.turns));
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|spec| tool(spec, dialect));
        body.insert("tools".to_owned(), tools.collect());
        if request.tool_choice == ToolChoice::Required && !dialect.has(Quirk::NoToolChoice) {
            body.insert("tool_choice".to_owned(), json!({ "type": "any" }));
        }
    }
    body.insert("stream".to_owned(), json!(true));
    Value::Object(body)
}

fn tool(spec: &ToolSpec, dialect: &Dialect) -> Value {
    json!({
        "name": spec.name,
        "description": spec.description,
        "input_schema": schema::parameters(&spec.parameters, dialect)
            .unwrap_or_else(schema::empty),
    })
}

/// Words before calls in the model's messages, results before words in the user's: the protocol
/// refuses any other order.
fn messages(turns: &[Turn]) -> Value {
    let mut messages = Vec::new();
    let mut for_user: Vec<Value> = Vec::new();
    for turn in turns {
        match turn {
            Turn::User(text) => for_user.push(json!({ "type": "text", "text": text })),
            Turn::Model { text, calls, .. } => {
                flush(&mut for_user, &mut messages);
                messages.push(json!({ "role": "assistant", "content": spoken(text, calls) }));
                for_user.extend(calls.iter().map(result));
            }
        }
    }
    flush(&mut for_user, &mut messages);
    Value::Array(messages)
}

fn flush(blocks: &mut Vec<Value>, messages: &mut Vec<Value>) {
    if !blocks.is_empty() {
        messages.push(json!({ "role": "user", "content": std::mem::take(blocks) }));
    }
}

fn spoken(text: &str, calls: &[Answered]) -> Vec<Value> {
    // White space at the end of the last message is refused.
    let text = text.trim_end();
    let words = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
    let calls = calls.iter().map(|answered| {
        json!({
            "type": "tool_use",
            "id": wire_id(&answered.call.id),
            "name": history::tool_name(&answered.call.name),
            "input": history::arguments(&answered.call),
        })
    });
    words.into_iter().chain(calls).collect()
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
mod tests {
    use serde_json::json;
    use talaria_domain::{Message, ModelName, ModelRequest, ToolCall, ToolChoice, ToolSpec};

    use super::body;
    use crate::dialect::Dialect;

    fn request(messages: Vec<Message>) -> ModelRequest {
        ModelRequest {
            model: ModelName::new("claude-x").unwrap(),
            messages,
            tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            max_output_tokens: None,
        }
    }

    fn user(text: &str) -> Message {
        Message::User {
            text: text.to_owned(),
            attachments: Vec::new(),
        }
    }

    fn model(text: &str, ids: &[&str]) -> Message {
        let call = |id: &&str| ToolCall {
            id: (*id).to_owned(),
            name: "now".to_owned(),
            arguments: json!({}),
            echo: None,
            recovered: false,
        };
        Message::Assistant {
            text: text.to_owned(),
            reasoning: Some("hm".to_owned()),
            echo: None,
            calls: ids.iter().map(call).collect(),
        }
    }

    fn result(id: &str, text: &str, is_error: bool) -> Message {
        Message::Tool {
            call_id: id.to_owned(),
            name: "now".to_owned(),
            text: text.to_owned(),
            is_error,
        }
    }

    #[test]
    fn a_plain_request_has_its_system_text_outside_the_messages() {
        let messages = vec![
            Message::System {
                text: "Be kind.".to_owned(),
            },
            user("你好"),
        ];
        assert_eq!(
            body(request(messages), &Dialect::default()),
            json!({
                "model": "claude-x",
                "max_tokens": 8192,
                "system": "Be kind.",
                "messages": [{"role": "user", "content": [{"type": "text", "text": "你好"}]}],
                "stream": true,
            })
        );
    }

    #[test]
    fn results_come_first_and_together_and_reasoning_stays_here() {
        let messages = vec![
            user("when?"),
            model("Let me see. \n", &["a.1", "b"]),
            result("b", "noon", false),
            result("a.1", "broken", true),
            user("well?"),
        ];
        let body = body(request(messages), &Dialect::default());
        assert_eq!(
            *body.get("messages").unwrap(),
            json!([
                {"role": "user", "content": [{"type": "text", "text": "when?"}]},
                {"role": "assistant", "content": [
                    {"type": "text", "text": "Let me see."},
                    {"type": "tool_use", "id": "a_1", "name": "now", "input": {}},
                    {"type": "tool_use", "id": "b", "name": "now", "input": {}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a_1", "content": "broken", "is_error": true},
                    {"type": "tool_result", "tool_use_id": "b", "content": "noon"},
                    {"type": "text", "text": "well?"},
                ]},
            ])
        );
    }

    #[test]
    fn roles_alternate_when_the_model_calls_again() {
        let messages = vec![
            user("when?"),
            model("", &["a"]),
            result("a", "x", false),
            model("", &["b"]),
        ];
        let body = body(request(messages), &Dialect::default());
        let roles: Vec<_> = body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["role"].clone())
            .collect();
        assert_eq!(roles, ["user", "assistant", "user", "assistant", "user"]);
    }

    #[test]
    fn tools_and_the_limit_are_sent_when_asked_for() {
        let request = ModelRequest {
            tools: vec![ToolSpec {
                name: "now".to_owned(),
                description: "The time.".to_owned(),
                parameters: json!({"type": "object", "properties": {}}),
            }],
            tool_choice: ToolChoice::Required,
            max_output_tokens: Some(16),
            ..request(vec![user("a")])
        };
        let body = body(request, &Dialect::default());
        assert_eq!(body["max_tokens"], 16);
        assert_eq!(body["tool_choice"], json!({"type": "any"}));
        assert_eq!(
            body["tools"][0]["input_schema"],
            json!({"type": "object", "properties": {}})
        );
    }
}
