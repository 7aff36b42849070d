//! Refusals, and what the client makes of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use serde_json::json;
use talaria_domain::{ErrorCode, ModelRequest, ServiceFailure, ToolChoice, ToolSpec};
use talaria_provider::{Client, Endpoint, Files, Memory, Place, Protocol};

use crate::wire::{Act, Service, done, head, request, short, stream_head, text};

/// A memory that outlives a client, as the database does.
#[derive(Default)]
struct Shelf(Mutex<HashMap<Place, String>>);

impl Memory for Shelf {
    fn recall(&self, place: &Place) -> Option<String> {
        self.0.lock().unwrap().get(place).cloned()
    }

    fn keep(&self, place: &Place, lesson: &str) {
        let mut shelf = self.0.lock().unwrap();
        shelf.insert(place.clone(), lesson.to_owned());
    }
}

fn refused(status: &str, body: &str) -> Vec<Act> {
    vec![
        head(status, "application/json"),
        Act::Send(body.as_bytes().to_vec()),
    ]
}

fn answered() -> Vec<Act> {
    vec![stream_head(), text("ok"), done()]
}

fn with_tools() -> ModelRequest {
    ModelRequest {
        tools: vec![ToolSpec {
            name: "now".to_owned(),
            description: "The time.".to_owned(),
            parameters: json!({}),
        }],
        tool_choice: ToolChoice::Required,
        ..request()
    }
}

async fn failure_of(
    client: &Client,
    endpoint: &Endpoint,
    request: ModelRequest,
) -> Option<ServiceFailure> {
    let mut stream = client.stream(endpoint, request, &Files::default());
    while let Some(item) = stream.next().await {
        if let Err(failure) = item {
            return Some(failure);
        }
    }
    None
}

fn holds(service: &Service, at: usize, member: &str) -> bool {
    service.request(at).contains(&format!("\"{member}\""))
}

#[tokio::test]
async fn several_refusals_are_heeded_one_after_the_other() {
    let service = Service::start(vec![
        refused(
            "400 Bad Request",
            r#"{"error":{"message":"stream_options is not permitted"}}"#,
        ),
        refused(
            "404 Not Found",
            r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#,
        ),
        answered(),
    ])
    .await;
    let client = Client::new(short()).unwrap();
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    assert_eq!(failure_of(&client, &endpoint, with_tools()).await, None);
    assert!(!holds(&service, 1, "stream_options") && holds(&service, 1, "tools"));
    assert!(!holds(&service, 2, "stream_options") && !holds(&service, 2, "tools"));
}

#[tokio::test]
async fn a_refusal_inside_a_stream_is_heeded_too() {
    let refusal = r#"{"error":{"message":"tool_choice is not supported","code":400}}"#;
    let inside = vec![
        stream_head(),
        Act::Send(format!("data: {refusal}\n\n").into_bytes()),
    ];
    let service = Service::start(vec![inside, answered()]).await;
    let client = Client::new(short()).unwrap();
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    assert_eq!(failure_of(&client, &endpoint, with_tools()).await, None);
    assert!(holds(&service, 0, "tool_choice") && !holds(&service, 1, "tool_choice"));
}

#[tokio::test]
async fn a_lesson_outlives_the_client_that_learnt_it() {
    let refusal = r#"{"error":"small does not support tools"}"#;
    let service = Service::start(vec![refused("400 Bad Request", refusal), answered()]).await;
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    let shelf = Arc::new(Shelf::default());
    for _ in 0..2 {
        let client = Client::new(short()).unwrap().with_memory(shelf.clone());
        assert_eq!(failure_of(&client, &endpoint, with_tools()).await, None);
    }
    assert_eq!(service.requests.lock().unwrap().len(), 3);
    assert!(!holds(&service, 2, "tools"));
    let kept = format!("{:?}", shelf.0.lock().unwrap());
    assert!(
        kept.contains("small") && !kept.contains("sk-test"),
        "{kept}"
    );
}

#[tokio::test]
async fn a_lesson_that_did_not_help_is_not_kept_and_the_first_words_stand() {
    let refusal = r#"{"error":{"message":"tools and tool_choice are unknown here"}}"#;
    let service = Service::start(vec![refused("400 Bad Request", refusal)]).await;
    let shelf = Arc::new(Shelf::default());
    let client = Client::new(short()).unwrap().with_memory(shelf.clone());
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    let failure = failure_of(&client, &endpoint, with_tools()).await.unwrap();
    assert_eq!(failure.code, ErrorCode::BadRequest);
    assert_eq!(service.requests.lock().unwrap().len(), 2);
    assert!(shelf.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn anthropics_limit_is_lowered_to_what_its_model_takes() {
    let refusal = r#"{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 32000 > 4096, which is the maximum allowed number of output tokens"}}"#;
    let message = concat!(
        "data: {\"type\":\"message_start\",\"message\":{}}\n\n",
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n",
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    );
    let answer = vec![stream_head(), Act::Send(message.as_bytes().to_vec())];
    let service = Service::start(vec![refused("400 Bad Request", refusal), answer]).await;
    let client = Client::new(short()).unwrap();
    let endpoint = service.endpoint(Protocol::AnthropicMessages);
    assert_eq!(failure_of(&client, &endpoint, request()).await, None);
    assert!(service.request(1).contains("\"max_tokens\":4096"));
}
