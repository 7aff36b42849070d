//! The client against a service on loopback that behaves well, and against ones that do not.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry, Usage};
use talaria_provider::{Client, Endpoint, Files, Limits, Protocol};
use tokio::io::AsyncWriteExt;
use url::Url;

use crate::wire::{Act, Service, ask, done, head, request, short, stream_head, text};

const STOPPED: Option<ModelEvent> = Some(ModelEvent::Finished(FinishReason::Stop));

fn send(text: &str) -> Act {
    Act::Send(text.as_bytes().to_vec())
}

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
async fn a_cut_stream_keeps_its_text_and_says_that_it_was_cut() {
    for ending in [
        vec![],
        vec![Act::Pause(Duration::from_millis(50)), Act::Reset],
        vec![send("data: {\"cho")],
    ] {
        let mut script = vec![stream_head(), text("half a sen")];
        script.extend(ending);
        let service = Service::start(vec![script]).await;
        let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
        assert_eq!(whole.text, "half a sen");
        let failure = whole.failure.expect("it was cut");
        assert_eq!(
            (failure.code, failure.retry),
            (ErrorCode::StreamCut, Retry::Soon),
            "{failure}"
        );
    }
}

#[tokio::test]
async fn a_silent_stream_is_closed_and_keeps_its_text() {
    let service = Service::start(vec![vec![stream_head(), text("Wor"), Act::Hold]]).await;
    let begun = Instant::now();
    let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
    assert_eq!(whole.text, "Wor");
    assert_eq!(
        whole.failure.map(|failure| failure.code),
        Some(ErrorCode::Timeout)
    );
    assert!(
        begun.elapsed() < Duration::from_millis(1400),
        "the idle limit, not the first"
    );
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(
        *service.closed.lock().unwrap(),
        1,
        "the connection is closed"
    );
}

#[tokio::test]
async fn a_slow_start_and_a_slow_stream_are_not_silence() {
    let pause = || Act::Pause(Duration::from_millis(200));
    let first = Act::Pause(Duration::from_millis(900));
    let mut script = vec![stream_head(), send(": waiting\n\n"), first];
    for _ in 0..5 {
        script.extend([text("a"), pause(), send(": waiting\n\n"), pause()]);
    }
    script.push(done());
    let service = Service::start(vec![script]).await;
    let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
    assert_eq!((whole.text.as_str(), whole.last), ("aaaaa", STOPPED));
}

#[tokio::test]
async fn a_service_that_never_answers_is_left() {
    for script in [vec![Act::Hold], vec![stream_head(), Act::Hold]] {
        let service = Service::start(vec![script]).await;
        let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
        assert_eq!(
            whole.failure.map(|failure| failure.code),
            Some(ErrorCode::Timeout)
        );
    }
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    let service = Service::start(vec![vec![stream_head(), text("a"), Act::Hold]]).await;
    let client = Client::new(Limits::default()).unwrap();
    let mut stream = client.stream(
        &service.endpoint(Protocol::OpenaiChat),
        request(),
        &Files::default(),
    );
    assert_eq!(
        stream.next().await,
        Some(Ok(ModelEvent::Text("a".to_owned())))
    );
    drop(stream);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(*service.closed.lock().unwrap(), 1);
}

#[tokio::test]
async fn a_complete_answer_survives_a_bad_end_of_its_connection() {
    let finish = send("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
    for ending in [Act::Hold, Act::Reset] {
        let pause = Act::Pause(Duration::from_millis(50));
        let script = vec![stream_head(), text("ok"), finish.clone(), pause, ending];
        let service = Service::start(vec![script]).await;
        let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
        assert_eq!(
            (whole.text.as_str(), whole.last, whole.failure),
            ("ok", STOPPED, None)
        );
    }
}

#[tokio::test]
async fn the_body_decides_about_its_framing() {
    let answer = r#"{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}"#;
    let event = r#"data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}"#;
    for (content_type, body, code) in [
        ("application/json", answer, None),
        ("text/event-stream", answer, None),
        ("application/json", event, None),
        (
            "text/plain",
            "\n\ndata: [DONE]\n\n",
            Some(ErrorCode::BadResponse),
        ),
        (
            "text/html",
            "<!doctype html><title>Gate</title>",
            Some(ErrorCode::BadResponse),
        ),
        (
            "application/json",
            "{\"choices\":[{\"mess",
            Some(ErrorCode::StreamCut),
        ),
        (
            "application/json",
            "{\"a\":1}\n{\"a\":2}",
            Some(ErrorCode::BadResponse),
        ),
        (
            "application/json",
            r#"{"error":{"type":"overloaded_error"}}"#,
            Some(ErrorCode::Overloaded),
        ),
        ("text/event-stream", "", Some(ErrorCode::StreamCut)),
        (
            "application/x-ndjson",
            "{\"message\":{\"content\":\"o\"},\"done\":false}\n{\"message\":{\"content\":\"k\"},\"done\":true}\n",
            None,
        ),
        (
            "text/event-stream",
            "data: {\"choices\":[{\"delta\":{\"content\":\"o\"}}]}\ndata: {\"choices\":[{\"delta\":{\"content\":\"k\"}}]}\ndata: [DONE]\n",
            None,
        ),
        (
            "text/event-stream",
            "data: keep-alive\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: {broken\n\n",
            None,
        ),
        (
            "text/event-stream",
            "data: Too many requests\n\n",
            Some(ErrorCode::RateLimited),
        ),
        (
            "text/plain",
            "The server is overloaded",
            Some(ErrorCode::Overloaded),
        ),
    ] {
        let service = Service::start(vec![vec![head("200 OK", content_type), send(body)]]).await;
        let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
        assert_eq!(
            whole.failure.map(|failure| failure.code),
            code,
            "{content_type} {body}"
        );
        assert_eq!(
            whole.text,
            if code.is_none() { "ok" } else { "" },
            "{content_type} {body}"
        );
    }
}

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

/// Runs one test of this program again, in a process that has a proxy set for everything.
fn run_behind_a_proxy(test: &str, proxy: &str) -> std::process::Output {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "--include-ignored", test]);
    for variable in ["NO_PROXY", "no_proxy"] {
        command.env_remove(variable);
    }
    for variable in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env(variable, proxy);
    }
    command.output().unwrap()
}

#[test]
fn loopback_is_reached_past_any_proxy() {
    let test = "client::a_chat_completion_streams_and_the_request_is_as_it_should_be";
    let output = run_behind_a_proxy(test, "http://127.0.0.1:9");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[tokio::test]
async fn every_other_host_is_reached_through_the_systems_proxy() {
    let proxy = Service::start(vec![vec![stream_head(), text("by proxy"), done()]]).await;
    let address = format!("http://{}", proxy.address.authority());
    let test = "client::a_distant_service_answers";
    let output = tokio::task::spawn_blocking(move || run_behind_a_proxy(test, &address));
    let output = output.await.unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let sent = proxy.request(0);
    assert!(
        sent.starts_with("POST http://model.invalid/v1/chat/completions "),
        "{sent}"
    );
}

#[tokio::test]
#[ignore = "has no network; the test above runs it behind a proxy"]
async fn a_distant_service_answers() {
    let endpoint = Endpoint {
        base_url: Url::parse("http://model.invalid/v1").unwrap(),
        protocol: Protocol::OpenaiChat,
        key: None,
    };
    let whole = ask(Limits::default(), &endpoint, request()).await;
    assert_eq!(
        (whole.text.as_str(), whole.last, whole.failure),
        ("by proxy", STOPPED, None)
    );
}

#[test]
fn a_proxy_that_is_not_there_is_named() {
    let test = "client::a_distant_service_fails_by_its_proxy";
    let output = run_behind_a_proxy(test, "http://user:pass@127.0.0.1:9");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[tokio::test]
#[ignore = "the test above runs it behind a proxy"]
async fn a_distant_service_fails_by_its_proxy() {
    for address in ["http://model.invalid/v1", "https://model.invalid/v1"] {
        let endpoint = Endpoint {
            base_url: Url::parse(address).unwrap(),
            protocol: Protocol::OpenaiChat,
            key: None,
        };
        let failure = Client::new(short())
            .unwrap()
            .reach(&endpoint)
            .await
            .unwrap_err();
        assert_eq!(failure.code, ErrorCode::Network);
        let message = failure.message;
        assert!(
            message.starts_with("The proxy 127.0.0.1:9 did not connect to model.invalid"),
            "{message}"
        );
        assert!(!message.contains("pass"), "{message}");
    }
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let body = "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let length = body.len();
    let answer = send(&format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}"
    ));
    let script = vec![answer.clone(), Act::Request, answer, Act::Hold];
    let service = Service::start(vec![script, vec![Act::Reset]]).await;
    let client = Client::new(short()).unwrap();
    for _ in 0..2 {
        let endpoint = service.endpoint(Protocol::OpenaiChat);
        let events: Vec<_> = client
            .stream(&endpoint, request(), &Files::default())
            .collect()
            .await;
        assert_eq!(events, [Ok(ModelEvent::Finished(FinishReason::Stop))]);
    }
}

#[tokio::test]
async fn what_is_not_there_can_not_be_reached() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let client = Client::new(short()).unwrap();
    let at = |address: &str| Endpoint {
        base_url: Url::parse(address).unwrap(),
        protocol: Protocol::OpenaiChat,
        key: None,
    };
    let failure = client
        .reach(&at(&format!("http://127.0.0.1:{port}/v1")))
        .await
        .unwrap_err();
    assert_eq!(
        (failure.code, failure.retry),
        (ErrorCode::Network, Retry::Soon),
        "{failure}"
    );

    let service = Service::start(vec![vec![head("404 Not Found", "text/plain")]]).await;
    assert_eq!(
        client.reach(&service.endpoint(Protocol::OpenaiChat)).await,
        Ok(())
    );
    assert!(
        !service.request(0).contains("sk-test"),
        "reaching needs no key"
    );
}

#[tokio::test]
async fn a_service_that_speaks_no_tls_is_told_apart_from_one_that_is_not_there() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            socket
                .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                .await
                .unwrap();
        }
    });
    let endpoint = Endpoint {
        base_url: Url::parse(&address).unwrap(),
        protocol: Protocol::OpenaiChat,
        key: None,
    };
    let failure = Client::new(short())
        .unwrap()
        .reach(&endpoint)
        .await
        .unwrap_err();
    assert_eq!(
        (failure.code, failure.retry),
        (ErrorCode::Tls, Retry::Never),
        "{failure}"
    );
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

/// A stream, compressed by `gzip`: a text, then the end.
const COMPRESSED: &[u8] = include_bytes!("stream.gz");

#[tokio::test]
async fn a_compressed_stream_is_read() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
    let service = Service::start(vec![vec![send(head), Act::Send(COMPRESSED.to_vec())]]).await;
    let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
    assert_eq!((whole.text.as_str(), whole.last), ("早安", STOPPED));
}

#[tokio::test]
async fn a_damaged_end_of_compression_does_not_cost_the_answer() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
    let mut damaged = COMPRESSED.to_vec();
    damaged.truncate(damaged.len() - 8);
    damaged.extend([0xAA; 8]);
    let service = Service::start(vec![vec![send(head), Act::Send(damaged)]]).await;
    let whole = ask(short(), &service.endpoint(Protocol::OpenaiChat), request()).await;
    assert_eq!((whole.text.as_str(), whole.last), ("早安", STOPPED));
}

#[tokio::test]
async fn a_kept_connection_that_is_closed_meanwhile_is_no_failure() {
    let body = "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let kept = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let service = Service::start(vec![
        vec![send(&kept), Act::Request],
        vec![stream_head(), send(body)],
    ])
    .await;
    let client = Client::new(short()).unwrap();
    for _ in 0..2 {
        let endpoint = service.endpoint(Protocol::OpenaiChat);
        let events: Vec<_> = client
            .stream(&endpoint, request(), &Files::default())
            .collect()
            .await;
        assert_eq!(events.last(), STOPPED.map(Ok).as_ref(), "{events:?}");
    }
    assert_eq!(service.requests.lock().unwrap().len(), 3);
}
