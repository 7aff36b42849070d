//! Each protocol as it should go, and the list of models.

use futures_util::StreamExt;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Usage};
use talaria_provider::{Client, Files, Protocol};

use super::{STOPPED, send};
use crate::wire::{Service, ask, done, head, request, short, stream_head, text};

#[tokio::test]
async fn a_chat_completion_streams_and_the_request_is_as_it_should_be() {
    let service = Service::start(vec![vec![stream_head(), text("早"), text("安"), done()]]).await;
    let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
    assert_eq!(
        (whole.text.as_str(), whole.last, whole.failure),
        ("早安", STOPPED, None)
    );

    let sent = service.request(0);
    assert!(
        sent.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{sent}"
    );
    let version = env!("CARGO_PKG_VERSION");
    for header in [
        "authorization: Bearer sk-test-123456\r\n".to_owned(),
        "accept-encoding: identity\r\n".to_owned(),
        format!("user-agent: Talaria/{version}\r\n"),
    ] {
        assert!(sent.contains(&header), "{header} in {sent}");
    }
}

#[tokio::test]
async fn anthropics_protocol_streams_too() {
    let events = [
        r#"{"type":"message_start","message":{"usage":{"input_tokens":3,"output_tokens":1}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let body: String = events
        .iter()
        .map(|event| format!("event: x\ndata: {event}\n\n"))
        .collect();
    let service = Service::start(vec![vec![stream_head(), send(&body)]]).await;
    let endpoint = service.endpoint(Protocol::AnthropicMessages);
    let client = Client::new(short()).unwrap();
    let events: Vec<_> = client
        .stream(&endpoint, request(), &Files::default())
        .map(Result::unwrap)
        .collect()
        .await;
    let usage = Usage {
        input_tokens: 3,
        cached_tokens: 0,
        output_tokens: 2,
        ..Usage::default()
    };
    assert_eq!(
        events,
        [
            ModelEvent::Text("hello".to_owned()),
            ModelEvent::Usage(usage),
            ModelEvent::Finished(FinishReason::Stop),
        ]
    );
    let sent = service.request(0);
    assert!(sent.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{sent}");
    assert!(sent.contains("x-api-key: sk-test-123456\r\n"), "{sent}");
    assert!(sent.contains("anthropic-version: 2023-06-01\r\n"), "{sent}");
    assert!(!sent.contains("authorization:"), "{sent}");
}

#[tokio::test]
async fn the_responses_protocol_streams_and_learns_what_a_model_refuses() {
    let refusal = r#"{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":"include"}}"#;
    let events = [
        r#"{"type":"response.created","response":{"status":"in_progress"}}"#,
        r#"{"type":"response.output_text.delta","output_index":0,"delta":"hello"}"#,
        r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
    ];
    let body: String = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    let service = Service::start(vec![
        vec![head("400 Bad Request", "application/json"), send(refusal)],
        vec![stream_head(), send(&body)],
    ])
    .await;
    let endpoint = service.endpoint(Protocol::OpenaiResponses);
    let whole = ask(short(), &endpoint, request()).await;
    assert_eq!(
        (whole.text.as_str(), whole.last, whole.failure),
        ("hello", STOPPED, None)
    );
    let first = service.request(0);
    assert!(
        first.starts_with("POST /v1/responses HTTP/1.1\r\n"),
        "{first}"
    );
    assert!(
        first.contains("authorization: Bearer sk-test-123456\r\n"),
        "{first}"
    );
    assert!(first.contains("reasoning.encrypted_content"), "{first}");
    let second = service.request(1);
    assert!(!second.contains("reasoning.encrypted_content"), "{second}");
    assert!(second.contains("\"store\":false"), "{second}");
}

#[tokio::test]
async fn models_are_listed_with_their_windows() {
    let list = r#"{"data":[{"id":"small","context_length":4096},{"id":"large"}]}"#;
    let service = Service::start(vec![vec![head("200 OK", "application/json"), send(list)]]).await;
    let client = Client::new(short()).unwrap();
    let models = client
        .list_models(&service.endpoint(Protocol::OpenaiChat))
        .await
        .unwrap();
    let found: Vec<_> = models
        .iter()
        .map(|model| (model.name.as_str(), model.facts.context_window))
        .collect();
    assert_eq!(found, [("small", Some(4096)), ("large", None)]);
    assert!(
        service
            .request(0)
            .starts_with("GET /v1/models HTTP/1.1\r\n")
    );
    client
        .list_models(&service.endpoint(Protocol::AnthropicMessages))
        .await
        .unwrap();
    assert!(
        service
            .request(1)
            .starts_with("GET /v1/models?limit=1000 HTTP/1.1\r\n")
    );
}

#[tokio::test]
async fn what_is_no_list_of_models_is_a_bad_response() {
    for body in ["<html><title>Gate</title></html>", "{\"ok\":true}", "hello"] {
        let service = Service::start(vec![vec![head("200 OK", "text/plain"), send(body)]]).await;
        let client = Client::new(short()).unwrap();
        let failure = client
            .list_models(&service.endpoint(Protocol::OpenaiChat))
            .await
            .unwrap_err();
        assert_eq!(failure.code, ErrorCode::BadResponse, "{body}");
    }
}
