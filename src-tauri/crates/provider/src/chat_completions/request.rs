//! Writes the body of a request.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use talaria_domain::{ModelRequest, ToolChoice, ToolSpec};

use super::Dialect;
use crate::history::{self, Answered, History, Turn};

/// The JSON of a request to the service at `host`.
///
/// Only what is asked for is sent: each optional parameter is refused by some service.
pub(crate) fn body(request: ModelRequest, host: &str, dialect: Dialect) -> Value {
    let history = History::settle(request.messages);
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model.as_str()));
    body.insert("messages".to_owned(), messages(history, host));
    body.insert("stream".to_owned(), json!(true));
    if dialect.usage_in_stream {
        body.insert(
            "stream_options".to_owned(),
            json!({ "include_usage": true }),
        );
    }
    if !request.tools.is_empty() {
        body.insert("tools".to_owned(), request.tools.iter().map(tool).collect());
        if request.tool_choice == ToolChoice::Required {
            body.insert("tool_choice".to_owned(), json!("required"));
        }
    }
    if let Some(limit) = request.max_output_tokens {
        body.insert(dialect.output_limit_field().to_owned(), json!(limit));
    }
    Value::Object(body)
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": history::schema(&spec.parameters),
        },
    })
}

fn messages(history: History, host: &str) -> Value {
    let mut messages = Vec::new();
    if let Some(system) = history.system {
        messages.push(json!({ "role": "system", "content": system }));
    }
    for turn in history.turns {
        match turn {
            Turn::User(text) => messages.push(json!({ "role": "user", "content": text })),
            Turn::Model {
                text,
                reasoning,
                calls,
            } => {
                messages.push(model_message(&text, reasoning, &calls, host));
                messages.extend(calls.into_iter().map(|answered| {
                    json!({
                        "role": "tool",
                        "tool_call_id": wire_id(&answered.call.id, host),
                        "content": answered.result,
                    })
                }));
            }
        }
    }
    Value::Array(messages)
}

fn model_message(text: &str, reasoning: Option<String>, calls: &[Answered], host: &str) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    // Some templates fail on a null, some services on a missing member; empty text suits both.
    message.insert("content".to_owned(), json!(text));
    if let Some(reasoning) = reasoning.filter(|_| !calls.is_empty() && demands_reasoning(host)) {
        message.insert("reasoning_content".to_owned(), json!(reasoning));
    }
    if !calls.is_empty() {
        let calls = calls
            .iter()
            .map(|answered| wire_call(answered, host))
            .collect();
        message.insert("tool_calls".to_owned(), calls);
    }
    Value::Object(message)
}

/// Whether a service refuses a call that comes back without the reasoning that led to it. The
/// others refuse the unknown member, or pay for it in tokens.
fn demands_reasoning(host: &str) -> bool {
    ["deepseek.com", "moonshot.cn", "moonshot.ai"]
        .iter()
        .any(|known| host == *known || host.ends_with(&format!(".{known}")))
}

fn wire_call(answered: &Answered, host: &str) -> Value {
    let call = &answered.call;
    let mut wire = json!({
        "id": wire_id(&call.id, host),
        "type": "function",
        "function": {
            "name": history::tool_name(&call.name),
            "arguments": history::arguments(call).to_string(),
        },
    });
    if let (Some(extra), Some(wire)) = (Echo::open(call.echo.as_ref(), host), wire.as_object_mut())
    {
        wire.insert("extra_content".to_owned(), extra.clone());
    }
    wire
}

/// What a service wants to see again, marked with its host: another service would refuse it.
pub(crate) struct Echo;

impl Echo {
    /// Marks what came from `host`.
    pub(crate) fn seal(extra: &Value, host: &str) -> Value {
        json!({ "host": host, "extra_content": extra })
    }

    fn open<'a>(echo: Option<&'a Value>, host: &str) -> Option<&'a Value> {
        let echo = echo?;
        (echo.get("host")?.as_str()? == host)
            .then(|| echo.get("extra_content"))
            .flatten()
    }
}

/// An id as the service takes it. Mistral takes nine letters or digits only, so an id that
/// another service made is replaced there, by the same one in each request.
fn wire_id(id: &str, host: &str) -> String {
    let fits = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if fits || !(host == "mistral.ai" || host.ends_with(".mistral.ai")) {
        return id.to_owned();
    }
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    Sha256::digest(id.as_bytes())
        .iter()
        .take(9)
        .filter_map(|byte| {
            ALPHABET
                .get(usize::from(byte % 32))
                .copied()
                .map(char::from)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use talaria_domain::{Message, ModelName, ModelRequest, ToolCall, ToolChoice, ToolSpec};

    use super::{Dialect, Echo, body};

    fn request(messages: Vec<Message>) -> ModelRequest {
        ModelRequest {
            model: ModelName::new("small-1").unwrap(),
            messages,
            tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            max_output_tokens: None,
        }
    }

    fn user(text: &str) -> Message {
        Message::User {
            text: text.to_owned(),
        }
    }

    fn called(call: ToolCall) -> Vec<Message> {
        let result = Message::Tool {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text: "noon".to_owned(),
            is_error: false,
        };
        vec![
            user("when?"),
            Message::Assistant {
                text: String::new(),
                reasoning: None,
                calls: vec![call],
            },
            result,
        ]
    }

    fn call(id: &str) -> ToolCall {
        ToolCall {
            id: id.to_owned(),
            name: "now".to_owned(),
            arguments: json!({"zone": "UTC"}),
            echo: None,
        }
    }

    fn at<'a>(body: &'a Value, pointer: &str) -> &'a Value {
        body.pointer(pointer).unwrap_or(&Value::Null)
    }

    #[test]
    fn a_plain_request_holds_nothing_but_what_is_needed() {
        let messages = vec![
            Message::System {
                text: "Be kind.".to_owned(),
            },
            user("你好"),
        ];
        let body = body(request(messages), "h", Dialect::default());
        assert_eq!(
            body,
            json!({
                "model": "small-1",
                "messages": [
                    {"role": "system", "content": "Be kind."},
                    {"role": "user", "content": "你好"},
                ],
                "stream": true,
                "stream_options": {"include_usage": true},
            })
        );
    }

    #[test]
    fn tools_and_the_limit_are_sent_when_asked_for() {
        let spec = ToolSpec {
            name: "now".to_owned(),
            description: "The time.".to_owned(),
            parameters: json!({"type": "object"}),
        };
        let request = ModelRequest {
            tools: vec![spec],
            tool_choice: ToolChoice::Required,
            max_output_tokens: Some(64),
            ..request(vec![user("a")])
        };
        let body = body(request, "h", Dialect::default());
        assert_eq!(at(&body, "/tool_choice"), "required");
        assert_eq!(at(&body, "/max_tokens"), 64);
        let parameters = at(&body, "/tools/0/function/parameters");
        assert_eq!(*parameters, json!({"type": "object", "properties": {}}));
    }

    #[test]
    fn a_call_and_its_result_stand_one_behind_the_other() {
        let body = body(request(called(call("c1"))), "h", Dialect::default());
        assert_eq!(
            *at(&body, "/messages/1"),
            json!({
                "role": "assistant",
                "content": "",
                "tool_calls": [{
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "now", "arguments": "{\"zone\":\"UTC\"}"},
                }],
            })
        );
        assert_eq!(
            *at(&body, "/messages/2"),
            json!({"role": "tool", "tool_call_id": "c1", "content": "noon"})
        );
    }

    #[test]
    fn reasoning_goes_back_with_its_calls_and_only_where_it_is_demanded() {
        let thought = |calls: Vec<ToolCall>| Message::Assistant {
            text: "b".to_owned(),
            reasoning: Some("hm".to_owned()),
            calls,
        };
        for (host, calls, sent) in [
            ("api.deepseek.com", vec![call("c1")], json!("hm")),
            ("api.deepseek.com", vec![], Value::Null),
            ("api.openai.com", vec![call("c1")], Value::Null),
            ("notdeepseek.com", vec![call("c1")], Value::Null),
        ] {
            let messages = vec![user("a"), thought(calls)];
            let body = body(request(messages), host, Dialect::default());
            let found = body.pointer("/messages/1/reasoning_content").cloned();
            assert_eq!(found.unwrap_or(Value::Null), sent, "{host}");
        }
    }

    #[test]
    fn an_echo_goes_back_only_to_the_host_it_came_from() {
        let sealed = Echo::seal(&json!({"sign": "abc"}), "one.example");
        let call = ToolCall {
            echo: Some(sealed),
            ..call("c1")
        };
        for (host, expected) in [
            ("one.example", json!({"sign": "abc"})),
            ("two.example", Value::Null),
        ] {
            let body = body(request(called(call.clone())), host, Dialect::default());
            assert_eq!(
                *at(&body, "/messages/1/tool_calls/0/extra_content"),
                expected,
                "{host}"
            );
        }
    }

    #[test]
    fn foreign_ids_are_replaced_where_only_nine_characters_are_taken() {
        for (id, kept) in [
            ("abcDEF123", true),
            ("call_PTLP8xhu3", false),
            ("turn1_0", false),
        ] {
            let body = body(
                request(called(call(id))),
                "api.mistral.ai",
                Dialect::default(),
            );
            let sent = at(&body, "/messages/1/tool_calls/0/id").as_str().unwrap();
            assert_eq!(at(&body, "/messages/2/tool_call_id"), sent);
            assert_eq!(sent.len(), 9);
            assert!(
                sent.bytes().all(|byte| byte.is_ascii_alphanumeric()),
                "{sent}"
            );
            assert_eq!(sent == id, kept, "{id}");
        }
        let body = body(
            request(called(call("turn1_0"))),
            "notmistral.ai",
            Dialect::default(),
        );
        assert_eq!(at(&body, "/messages/2/tool_call_id"), "turn1_0");
    }

    #[test]
    fn a_dialect_changes_what_its_service_refused() {
        let dialect = Dialect {
            usage_in_stream: false,
            completion_limit: true,
        };
        let asked = ModelRequest {
            max_output_tokens: Some(9),
            ..request(vec![user("a")])
        };
        let body = body(asked, "h", dialect);
        assert_eq!(at(&body, "/stream_options"), &Value::Null);
        assert_eq!(at(&body, "/max_tokens"), &Value::Null);
        assert_eq!(at(&body, "/max_completion_tokens"), 9);
    }
}
