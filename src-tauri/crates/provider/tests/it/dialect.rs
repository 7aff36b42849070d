//! Refusals, and what the client makes of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use serde_json::{Value, json};
use talaria_domain::{
    Attachment, AttachmentId, ErrorCode, Message, ModelEvent, ModelRequest, Notice, ServiceFailure,
    ToolChoice, ToolSpec,
};
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
async fn the_user_is_told_that_tools_were_left_out() {
    let refusal = r#"{"error":{"message":"small does not support tools"}}"#;
    let service = Service::start(vec![refused("400 Bad Request", refusal), answered()]).await;
    let client = Client::new(short()).unwrap();
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    for (request, told) in [
        (with_tools(), true),
        (with_tools(), true),
        (request(), false),
    ] {
        let events: Vec<_> = client
            .stream(&endpoint, request, &Files::default())
            .map(Result::unwrap)
            .collect()
            .await;
        let notice = ModelEvent::Notice(Notice::ToolsLeftOut);
        assert_eq!(events.first() == Some(&notice), told);
        assert_eq!(
            events.iter().filter(|event| **event == notice).count(),
            usize::from(told)
        );
    }
}

fn picture() -> (Message, Files) {
    let attachment = Attachment {
        id: AttachmentId::from_bytes([1; 16]),
        name: "p.png".to_owned(),
        media_type: "image/png".to_owned(),
        size: 1,
    };
    let files = Files::from([(attachment.id, vec![0].into())]);
    let message = Message::User {
        text: "look".to_owned(),
        attachments: vec![attachment],
    };
    (message, files)
}

#[tokio::test]
async fn an_image_that_the_model_refuses_is_a_plain_failure() {
    let refusal = r#"{"error":{"message":"unknown variant `image_url`, expected `text`"}}"#;
    let service = Service::start(vec![refused("400 Bad Request", refusal)]).await;
    let client = Client::new(short()).unwrap();
    let (message, files) = picture();
    let request = ModelRequest {
        messages: vec![message],
        ..request()
    };
    let mut stream = client.stream(&service.endpoint(Protocol::OpenaiChat), request, &files);
    let failure = stream.next().await.unwrap().unwrap_err();
    assert_eq!(failure.code, ErrorCode::BadRequest);
    assert!(failure.message.contains("takes no images"), "{failure}");
    assert_eq!(service.requests.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn an_earlier_image_that_the_model_refuses_is_left_out_and_told() {
    let refusal = r#"{"error":{"message":"small is not a multimodal model"}}"#;
    let service = Service::start(vec![refused("400 Bad Request", refusal), answered()]).await;
    let client = Client::new(short()).unwrap();
    let (message, files) = picture();
    let answer = Message::Assistant {
        text: "a cat".to_owned(),
        reasoning: None,
        echo: None,
        calls: Vec::new(),
    };
    let next = request().messages.remove(0);
    let request = ModelRequest {
        messages: vec![message, answer, next],
        ..request()
    };
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    let events: Vec<_> = client.stream(&endpoint, request, &files).collect().await;
    assert_eq!(
        events.first(),
        Some(&Ok(ModelEvent::Notice(Notice::ImagesLeftOut)))
    );
    assert!(holds(&service, 0, "image_url") && !holds(&service, 1, "image_url"));
    assert!(service.request(1).contains("p.png"));
}

#[tokio::test]
async fn a_tool_of_any_name_is_called_by_its_own() {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"NAME","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    let offered = |name: &str| ModelRequest {
        tools: vec![ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({}),
        }],
        ..request()
    };
    // What the tool is called on the wire is seen first, and then called.
    let probe = Service::start(vec![answered()]).await;
    let client = Client::new(short()).unwrap();
    let endpoint = probe.endpoint(Protocol::OpenaiChat);
    failure_of(&client, &endpoint, offered("读取")).await;
    let sent = probe.request(0);
    let body: Value = serde_json::from_str(sent.split_once("\r\n\r\n").unwrap().1).unwrap();
    let wire = body["tools"][0]["function"]["name"].as_str().unwrap();
    assert!(wire.is_ascii(), "{wire}");

    let answer = format!("data: {}\n\ndata: [DONE]\n\n", call.replace("NAME", wire));
    let service = Service::start(vec![vec![stream_head(), Act::Send(answer.into_bytes())]]).await;
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    let events: Vec<_> = client
        .stream(&endpoint, offered("读取"), &Files::default())
        .collect()
        .await;
    let called = events.iter().find_map(|event| match event {
        Ok(ModelEvent::ToolCall(call)) => Some(call.name.as_str()),
        _ => None,
    });
    assert_eq!(called, Some("读取"));
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
