//! Services that follow a script, in both protocols.

use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

pub(super) const KEY: &str = "sk-right-key-of-this-test";

/// How a scripted service behaves.
#[derive(Clone)]
pub(super) struct Service {
    /// The list, or the status given instead.
    pub(super) models: Result<Value, u16>,
    /// Whether the list is shown without a key.
    pub(super) open_list: bool,
    /// Whether a key is needed at all.
    pub(super) needs_key: bool,
    /// An answer given to every chat instead of the right one.
    pub(super) chat: Option<(u16, Value)>,
    /// What it does with a tool.
    pub(super) tools: Tools,
}

#[derive(Clone, PartialEq)]
pub(super) enum Tools {
    Called,
    Ignored,
    Refused,
    CalledWithBrokenArguments,
    CalledForEver,
}

impl Default for Service {
    fn default() -> Self {
        let listed = json!({ "id": "small", "object": "model", "context_length": 32768 });
        Self {
            models: Ok(json!({ "object": "list", "data": [listed] })),
            open_list: false,
            needs_key: true,
            chat: None,
            tools: Tools::Called,
        }
    }
}

fn has_key(request: &Request) -> bool {
    let given = request
        .headers
        .get("authorization")
        .and_then(|value| value.to_str().ok());
    given == Some(&format!("Bearer {KEY}"))
}

fn unauthorised() -> ResponseTemplate {
    ResponseTemplate::new(401)
        .set_body_json(json!({ "error": { "message": "Incorrect API key provided" } }))
}

struct List(Service);

impl Respond for List {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        if self.0.needs_key && !self.0.open_list && !has_key(request) {
            return unauthorised();
        }
        match &self.0.models {
            Ok(list) => ResponseTemplate::new(200).set_body_json(list),
            Err(status) => ResponseTemplate::new(*status),
        }
    }
}

struct Chat(Service);

impl Respond for Chat {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        if self.0.needs_key && !has_key(request) {
            return unauthorised();
        }
        if let Some((status, answer)) = &self.0.chat {
            return ResponseTemplate::new(*status).set_body_json(answer);
        }
        let sent: Value = serde_json::from_slice(&request.body).expect("JSON");
        let offered = sent["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty());
        let result = sent["messages"]
            .as_array()
            .and_then(|messages| messages.last())
            .filter(|message| message["role"] == "tool");
        match (&self.0.tools, offered, result) {
            (Tools::Refused, true, _) => ResponseTemplate::new(400)
                .set_body_json(json!({ "error": { "message": "small does not support tools" } })),
            (Tools::CalledForEver, true, Some(_)) => call("{\"topic\":\"talaria\"}"),
            (_, _, Some(result)) => says(&format!(
                "The word is {}.",
                result["content"].as_str().unwrap_or("?")
            )),
            (Tools::Ignored, true, None) => says("I would call look_up_word."),
            (Tools::CalledWithBrokenArguments, true, None) => call("{\"topic"),
            (_, true, None) => call("{\"topic\":\"talaria\"}"),
            _ => says("Hello there!"),
        }
    }
}

fn events(events: &[Value]) -> ResponseTemplate {
    let mut body: String = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    body.push_str("data: [DONE]\n\n");
    ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")
}

fn says(text: &str) -> ResponseTemplate {
    events(&[
        json!({ "choices": [{ "index": 0, "delta": { "role": "assistant", "content": text } }] }),
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }),
    ])
}

fn call(arguments: &str) -> ResponseTemplate {
    let function = json!({ "name": "look_up_word", "arguments": arguments });
    let calls = json!([{ "index": 0, "id": "call_1", "type": "function", "function": function }]);
    events(&[
        json!({ "choices": [{ "index": 0, "delta": { "tool_calls": calls } }] }),
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }),
    ])
}

pub(super) async fn start(service: Service) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path("/v1/models"))
        .respond_with(List(service.clone()))
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .and(path("/v1/chat/completions"))
        .respond_with(Chat(service))
        .mount(&server)
        .await;
    server
}

/// The same conversation in Anthropic's protocol.
pub(super) struct Messages;

impl Respond for Messages {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let sent: Value = serde_json::from_slice(&request.body).expect("JSON");
        let offered = sent["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty());
        let last = sent["messages"]
            .as_array()
            .and_then(|messages| messages.last());
        let answered = last.is_some_and(|message| message["content"][0]["type"] == "tool_result");
        let (block, delta, reason) = if offered && !answered {
            (
                json!({ "type": "tool_use", "id": "toolu_1", "name": "look_up_word", "input": {} }),
                json!({ "type": "input_json_delta", "partial_json": "{\"topic\":\"talaria\"}" }),
                "tool_use",
            )
        } else {
            (
                json!({ "type": "text", "text": "" }),
                json!({ "type": "text_delta", "text": "kingfisher" }),
                "end_turn",
            )
        };
        let body: String = [
            json!({ "type": "message_start", "message": { "usage": { "input_tokens": 5 } } }),
            json!({ "type": "content_block_start", "index": 0, "content_block": block }),
            json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": {} }),
            json!({ "type": "message_stop" }),
        ]
        .iter()
        .map(|event| {
            format!(
                "event: {}\ndata: {event}\n\n",
                event["type"].as_str().expect("one")
            )
        })
        .collect();
        ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")
    }
}
