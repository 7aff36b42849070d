//! The proof against scripted services on this computer.

mod script;

use std::time::Duration;

use futures_util::StreamExt;
use script::{KEY, Messages, Service, Tools, start};
use serde_json::{Value, json};
use talaria_domain::{ErrorCode, ModelName};
use talaria_provider::{
    Client, Endpoint, Limits, ProofEvent, ProofState, ProofStep, Protocol, Remedy, prove,
};
use talaria_secret::Secret;
use tokio::net::TcpListener;
use url::Url;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

fn endpoint(server: &str, key: Option<&str>) -> Endpoint {
    Endpoint {
        base_url: Url::parse(&format!("{server}/v1")).expect("an address"),
        protocol: Protocol::OpenaiChat,
        key: key.map(|key| Secret::new(key.to_owned())),
    }
}

async fn events_of(endpoint: Endpoint, model: &str) -> Vec<ProofEvent> {
    let client = Client::new(Limits::default()).expect("a client");
    prove(client, endpoint, ModelName::new(model).expect("a name"))
        .collect()
        .await
}

async fn proof_of(service: Service, model: &str) -> Vec<(ProofStep, ProofState)> {
    let server = start(service.clone()).await;
    let key = service.needs_key.then_some(KEY);
    ends(events_of(endpoint(&server.uri(), key), model).await)
}

/// Where each step stays, in order.
fn ends(events: Vec<ProofEvent>) -> Vec<(ProofStep, ProofState)> {
    events
        .into_iter()
        .filter(|event| event.state != ProofState::Running)
        .map(|event| (event.step, event.state))
        .collect()
}

/// A short form: `+` passed, `~remedy`, `!code remedy`, `-` skipped.
fn short(ends: &[(ProofStep, ProofState)]) -> Vec<String> {
    ends.iter()
        .map(|(_, state)| match state {
            ProofState::Running => "…".to_owned(),
            ProofState::Passed { .. } => "+".to_owned(),
            ProofState::Limited { remedy, .. } => format!("~{remedy:?}"),
            ProofState::Failed { code, remedy, .. } => format!("!{code} {remedy:?}"),
            ProofState::Skipped => "-".to_owned(),
        })
        .collect()
}

fn detail(ends: &[(ProofStep, ProofState)], step: ProofStep) -> &str {
    let state = ends
        .iter()
        .find(|(at, _)| *at == step)
        .map(|(_, state)| state);
    match state {
        Some(ProofState::Passed { detail, .. }) => detail,
        other => panic!("{step:?} has not passed: {other:?}"),
    }
}

fn said(ends: &[(ProofStep, ProofState)], step: ProofStep) -> &str {
    let state = ends
        .iter()
        .find(|(at, _)| *at == step)
        .map(|(_, state)| state);
    match state {
        Some(ProofState::Limited { message, .. } | ProofState::Failed { message, .. }) => message,
        other => panic!("{step:?} says nothing: {other:?}"),
    }
}

#[tokio::test]
async fn a_service_that_does_everything_passes_every_step() {
    let server = start(Service::default()).await;
    let events = events_of(endpoint(&server.uri(), Some(KEY)), "small").await;
    let steps: Vec<_> = events.iter().map(|event| event.step).collect();
    assert_eq!(events.len(), 12, "{events:?}");
    for pair in events.chunks(2) {
        assert_eq!(pair[0].step, pair[1].step, "{steps:?}");
        assert_eq!(pair[0].state, ProofState::Running);
    }
    let ends = ends(events);
    assert_eq!(short(&ends), ["+"; 6]);
    assert!(detail(&ends, ProofStep::Reach).starts_with("127.0.0.1:"));
    assert_eq!(detail(&ends, ProofStep::Models), "1");
    assert_eq!(detail(&ends, ProofStep::Answer), "Hello there!");
    assert_eq!(detail(&ends, ProofStep::ToolCall), "look_up_word");
    assert_eq!(detail(&ends, ProofStep::Window), "32768");
}

#[tokio::test]
async fn the_tool_call_really_goes_there_and_back() {
    let server = start(Service::default()).await;
    events_of(endpoint(&server.uri(), Some(KEY)), "small").await;
    let requests = server.received_requests().await.expect("recorded");
    let last: Value = serde_json::from_slice(&requests.last().expect("one").body).expect("JSON");
    let messages = last["messages"].as_array().expect("messages");
    let (call, result) = (&messages[messages.len() - 2], &messages[messages.len() - 1]);
    assert_eq!(call["role"], "assistant");
    assert_eq!(result["role"], "tool");
    assert_eq!(result["tool_call_id"], call["tool_calls"][0]["id"]);
    assert!(!last["tools"].as_array().expect("tools").is_empty());
}

#[tokio::test]
async fn each_kind_of_trouble_names_its_step_and_remedy() {
    let failing = |status: u16, message: &str| Service {
        chat: Some((status, json!({ "error": { "message": message } }))),
        ..Service::default()
    };
    let rows: Vec<(&str, Service, &str, [&str; 6])> = vec![
        (
            "no list",
            Service {
                models: Err(404),
                ..Service::default()
            },
            "small",
            ["+", "+", "~ReadMessage", "+", "+", "~SetWindow"],
        ),
        (
            "a model that is not listed but works",
            Service::default(),
            "smaller",
            ["+", "+", "~ChooseModel", "+", "+", "~SetWindow"],
        ),
        (
            "a model that does not exist",
            failing(404, "The model `tiny` does not exist"),
            "tiny",
            [
                "+",
                "+",
                "~ChooseModel",
                "!model_not_found ChooseModel",
                "-",
                "-",
            ],
        ),
        (
            "no model at all on this computer",
            Service {
                models: Ok(json!({ "object": "list", "data": [] })),
                needs_key: false,
                ..Service::default()
            },
            "small",
            ["+", "+", "!model_not_found PullModel", "-", "-", "-"],
        ),
        (
            "no credit",
            failing(402, "Insufficient Balance"),
            "small",
            ["+", "+", "+", "!billing AddCredit", "-", "-"],
        ),
        (
            "too many requests",
            failing(429, "Too many requests"),
            "small",
            ["+", "+", "+", "!rate_limited WaitAndRetry", "-", "-"],
        ),
        (
            "a model that talks about the tool",
            Service {
                tools: Tools::Ignored,
                ..Service::default()
            },
            "small",
            ["+", "+", "+", "+", "~ChooseToolModel", "+"],
        ),
        (
            "a model that takes no tools",
            Service {
                tools: Tools::Refused,
                ..Service::default()
            },
            "small",
            ["+", "+", "+", "+", "~ChooseToolModel", "+"],
        ),
        (
            "a model that can't write arguments",
            Service {
                tools: Tools::CalledWithBrokenArguments,
                ..Service::default()
            },
            "small",
            ["+", "+", "+", "+", "~ChooseToolModel", "+"],
        ),
        (
            "a model that never stops calling",
            Service {
                tools: Tools::CalledForEver,
                ..Service::default()
            },
            "small",
            ["+", "+", "+", "+", "~ChooseToolModel", "+"],
        ),
    ];
    for (what, service, model, expected) in rows {
        assert_eq!(short(&proof_of(service, model).await), expected, "{what}");
    }
}

#[tokio::test]
async fn a_wrong_key_fails_at_the_key_even_where_the_list_is_public() {
    for open_list in [false, true] {
        let server = start(Service {
            open_list,
            ..Service::default()
        })
        .await;
        for key in [None, Some("sk-wrong-key-of-this-test")] {
            let ends = ends(events_of(endpoint(&server.uri(), key), "small").await);
            let at_key = short(&ends)[1].clone();
            if open_list && key.is_none() {
                // Nothing was asked of a key yet; the answer tells.
                assert_eq!(short(&ends)[3], "!auth CheckKey");
            } else {
                assert_eq!(at_key, "!auth CheckKey", "{open_list} {key:?}");
                assert_eq!(short(&ends)[2..], ["-"; 4]);
            }
            assert!(!format!("{ends:?}").contains("sk-wrong-key"), "{ends:?}");
        }
    }
}

#[tokio::test]
async fn a_wrong_key_is_found_where_there_is_no_list() {
    let service = Service {
        models: Err(404),
        open_list: true,
        ..Service::default()
    };
    let server = start(service).await;
    let ends = ends(events_of(endpoint(&server.uri(), Some("sk-wrong-key")), "small").await);
    assert_eq!(short(&ends)[..3], ["+", "!auth CheckKey", "-"]);
}

#[tokio::test]
async fn a_service_that_needs_no_key_passes_without_one() {
    let ends = proof_of(
        Service {
            needs_key: false,
            ..Service::default()
        },
        "small",
    )
    .await;
    assert_eq!(short(&ends), ["+"; 6]);
}

#[tokio::test]
async fn a_model_that_is_not_listed_is_told_what_is() {
    let ends = proof_of(Service::default(), "smal").await;
    assert_eq!(said(&ends, ProofStep::Models), "small");
    let ends = proof_of(
        Service {
            tools: Tools::Ignored,
            ..Service::default()
        },
        "small",
    )
    .await;
    assert_eq!(
        said(&ends, ProofStep::ToolCall),
        "I would call look_up_word."
    );
}

#[tokio::test]
async fn a_web_page_at_the_address_asks_to_check_the_address() {
    let server = MockServer::start().await;
    Mock::given(wiremock::matchers::any())
        .respond_with(
            ResponseTemplate::new(200)
                .set_body_raw("<!doctype html><title>My router</title>", "text/html"),
        )
        .mount(&server)
        .await;
    let ends = ends(events_of(endpoint(&server.uri(), None), "small").await);
    assert_eq!(short(&ends)[3], "!bad_response CheckAddress", "{ends:?}");
}

#[tokio::test]
async fn nothing_on_the_port_asks_to_start_the_service() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let ends = ends(events_of(endpoint(&format!("http://{address}"), None), "small").await);
    assert_eq!(short(&ends)[0], "!network StartLocalService", "{ends:?}");
    assert_eq!(short(&ends)[1..], ["-"; 5]);
}

#[tokio::test]
async fn a_port_that_stays_silent_asks_to_start_the_service() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let limits = Limits {
        connect: Duration::from_millis(100),
        ..Limits::default()
    };
    let client = Client::new(limits).expect("a client");
    let model = ModelName::new("small").expect("a name");
    let endpoint = endpoint(&format!("http://{address}"), None);
    let ends = ends(prove(client, endpoint, model).collect().await);
    assert_eq!(short(&ends)[0], "!timeout StartLocalService", "{ends:?}");
}

#[tokio::test]
async fn a_plain_server_behind_https_asks_to_check_the_certificate() {
    let server = start(Service::default()).await;
    let address = server.uri().replace("http://", "https://");
    let ends = ends(events_of(endpoint(&address, None), "small").await);
    assert_eq!(short(&ends)[0], "!tls CheckCertificate", "{ends:?}");
}

#[tokio::test]
async fn dropping_the_proof_stops_it() {
    let server = start(Service::default()).await;
    let client = Client::new(Limits::default()).expect("a client");
    let model = ModelName::new("small").expect("a name");
    let mut proof = prove(client, endpoint(&server.uri(), Some(KEY)), model);
    let first = proof.next().await.expect("an event");
    assert_eq!(
        (first.step, first.state),
        (ProofStep::Reach, ProofState::Running)
    );
    drop(proof);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let asked = server.received_requests().await.expect("recorded").len();
    assert!(asked <= 1, "{asked} requests after the proof was dropped");
}

#[tokio::test]
async fn the_proof_holds_for_the_other_protocol_too() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path("/v1/models"))
        .respond_with(ResponseTemplate::new(200).set_body_json(
            json!({ "data": [{ "type": "model", "id": "claude-small", "max_input_tokens": 200000 }] }),
        ))
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .and(path("/v1/messages"))
        .respond_with(Messages)
        .mount(&server)
        .await;
    let endpoint = Endpoint {
        protocol: Protocol::AnthropicMessages,
        ..endpoint(&server.uri(), None)
    };
    let ends = ends(events_of(endpoint, "claude-small").await);
    assert_eq!(short(&ends), ["+"; 6], "{ends:?}");
    assert_eq!(detail(&ends, ProofStep::Answer), "kingfisher");
}

#[test]
fn a_failed_step_tells_its_code_and_remedy_to_the_window() {
    let event = ProofEvent {
        step: ProofStep::Key,
        state: ProofState::Failed {
            code: ErrorCode::Auth,
            remedy: Remedy::CheckKey,
            message: "no".to_owned(),
        },
    };
    assert_eq!(
        serde_json::to_value(event).expect("JSON"),
        json!({
            "step": "key", "state": "failed", "code": "auth", "remedy": "check_key", "message": "no"
        })
    );
}
