//! Connections: used again, closed, never made, compressed.

use std::time::Duration;

use futures_util::StreamExt;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry};
use talaria_provider::{Client, Endpoint, Files, Limits, Protocol};
use tokio::io::AsyncWriteExt;
use url::Url;

use super::{STOPPED, send};
use crate::wire::{Act, Service, ask, head, request, short, stream_head, text};

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

/// A stream, compressed by `gzip`: a text, then the end.
const COMPRESSED: &[u8] = include_bytes!("../stream.gz");

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
