//! What a service refuses, and that no key leaves by it.

use futures_util::StreamExt;
use talaria_domain::ErrorCode;
use talaria_provider::{Client, Files, Limits, Protocol};

use super::{STOPPED, send};
use crate::wire::{Act, Service, ask, done, head, request, short, stream_head, text};

#[tokio::test]
async fn a_refusal_is_judged_and_shows_no_key() {
    let body = r#"{"error":{"message":"Incorrect API key provided: sk-test-123456"}}"#;
    let script = vec![
        head("401 Unauthorized", "application/octet-stream"),
        send(body),
    ];
    let service = Service::start(vec![script]).await;
    let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
    let failure = whole.failure.expect("it was refused");
    assert_eq!((failure.code, failure.status), (ErrorCode::Auth, Some(401)));
    assert_eq!(failure.message, "Incorrect API key provided: [key]");
}

#[tokio::test]
async fn a_refusal_that_falls_silent_is_judged_by_what_came() {
    let body = r#"{"error":{"message":"Insufficient Balance"}}"#;
    let script = vec![
        head("429 Too Many Requests", "text/plain"),
        send(body),
        Act::Hold,
    ];
    let service = Service::start(vec![script]).await;
    let long = Limits::default();
    let whole = ask(long, &service.endpoint(Protocol::OpenaiChat), request()).await;
    let failure = whole.failure.expect("it was refused");
    assert_eq!(failure.code, ErrorCode::Billing);
}

#[tokio::test]
async fn a_refused_parameter_is_left_out_and_not_sent_again() {
    let refusal =
        r#"{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#;
    let refused = vec![
        head("422 Unprocessable Entity", "application/json"),
        send(refusal),
    ];
    let service = Service::start(vec![refused, vec![stream_head(), text("ok"), done()]]).await;
    let client = Client::new(short()).unwrap();
    let endpoint = service.endpoint(Protocol::OpenaiChat);
    for _ in 0..2 {
        let last = client
            .stream(&endpoint, request(), &Files::default())
            .filter_map(async |item| item.ok())
            .collect::<Vec<_>>()
            .await
            .pop();
        assert_eq!(last, STOPPED);
    }
    assert_eq!(service.requests.lock().unwrap().len(), 3);
    assert!(service.request(0).contains("stream_options"));
    assert!(!service.request(1).contains("stream_options"));
    assert!(!service.request(2).contains("stream_options"));
}

#[tokio::test]
async fn a_key_does_not_follow_a_redirect_elsewhere() {
    let other = Service::start(vec![vec![stream_head(), text("stolen"), done()]]).await;
    let place = other.address.join("/v1/chat/completions").unwrap();
    let redirect = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: {place}\r\ncontent-length: 0\r\n\r\n"
    );
    let service = Service::start(vec![vec![send(&redirect)]]).await;
    for protocol in [
        Protocol::OpenaiChat,
        Protocol::OpenaiResponses,
        Protocol::AnthropicMessages,
    ] {
        let whole = ask(short(), &service.endpoint(protocol), request()).await;
        let failure = whole.failure.expect("it was not followed");
        assert_eq!(failure.code, ErrorCode::BadResponse);
        assert!(failure.message.contains(place.as_str()), "{failure}");
    }
    assert!(other.requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_is_refused_before_anything_is_sent() {
    let service = Service::start(vec![vec![stream_head(), done()]]).await;
    let mut endpoint = service.endpoint(Protocol::OpenaiChat);
    endpoint.key = Some(talaria_secret::Secret::new("sk-a\nb".to_owned()));
    let whole = ask(short(), &endpoint, request()).await;
    assert_eq!(
        whole.failure.map(|failure| failure.code),
        Some(ErrorCode::Auth)
    );
    assert!(service.requests.lock().unwrap().is_empty());
}
