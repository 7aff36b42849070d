//! Streams that are cut, silent, slow or framed in some other way.

use std::time::{Duration, Instant};

use talaria_domain::{ErrorCode, Retry};
use talaria_provider::Protocol;

use super::{STOPPED, send};
use crate::wire::{Act, Service, ask, done, head, request, short, stream_head, text};

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
