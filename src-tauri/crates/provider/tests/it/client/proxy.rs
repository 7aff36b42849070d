//! Which hosts are reached through a proxy; each runs in a process of its own.

use talaria_domain::ErrorCode;
use talaria_provider::{Client, Endpoint, Limits, Protocol};
use url::Url;

use super::STOPPED;
use crate::wire::{Service, ask, done, request, short, stream_head, text};

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
    let test = "client::protocol::a_chat_completion_streams_and_the_request_is_as_it_should_be";
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
    let test = "client::proxy::a_distant_service_answers";
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
    let test = "client::proxy::a_distant_service_fails_by_its_proxy";
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
