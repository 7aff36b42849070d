//! Discovery against services on random ports of this computer.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use talaria_provider::{Candidate, Client, Limits, LocalService, Sign, discover};
use tokio::net::TcpListener;
use url::Url;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

fn client() -> Client {
    Client::new(Limits::default()).expect("a client")
}

fn candidate(server: &str, id: &str, sign: Sign) -> Candidate {
    let base_url = Url::parse(&format!("{server}/v1")).expect("an address");
    Candidate {
        id: id.to_owned(),
        name: id.to_uppercase(),
        base_url,
        sign,
    }
}

fn owner(owner: &str) -> Sign {
    Sign::Owner {
        owner: owner.to_owned(),
    }
}

fn ollama_sign() -> Sign {
    Sign::Field {
        path: "/api/version".to_owned(),
        field: "version".to_owned(),
    }
}

async fn serving(answers: &[(&str, Value)]) -> MockServer {
    let server = MockServer::start().await;
    for (at, answer) in answers {
        Mock::given(method("GET"))
            .and(path(*at))
            .respond_with(ResponseTemplate::new(200).set_body_json(answer))
            .mount(&server)
            .await;
    }
    server
}

fn models(owner: &str, names: &[&str]) -> Value {
    let data: Vec<_> = names
        .iter()
        .map(|name| json!({ "id": name, "object": "model", "owned_by": owner }))
        .collect();
    json!({ "object": "list", "data": data })
}

fn names(found: &[LocalService]) -> Vec<&str> {
    found.iter().map(|service| service.id.as_str()).collect()
}

#[tokio::test]
async fn a_running_service_is_found_with_its_models() {
    let server = serving(&[
        ("/api/version", json!({ "version": "0.14.2" })),
        ("/v1/models", models("library", &["qwen3:4b", "gemma3"])),
    ])
    .await;
    let found = discover(
        &client(),
        &[candidate(&server.uri(), "ollama", ollama_sign())],
    )
    .await;
    assert_eq!(names(&found), ["ollama"]);
    assert_eq!(found[0].base_url, format!("{}/v1", server.uri()));
    let listed: Vec<_> = found[0]
        .models
        .iter()
        .map(|model| model.name.as_str())
        .collect();
    assert_eq!(listed, ["qwen3:4b", "gemma3"]);
}

#[tokio::test]
async fn a_service_without_a_model_yet_is_found_all_the_same() {
    for empty in [
        json!({ "object": "list", "data": [] }),
        json!({ "object": "list", "data": null }),
    ] {
        let server = serving(&[
            ("/api/version", json!({ "version": "0.14.2" })),
            ("/v1/models", empty),
        ])
        .await;
        let found = discover(
            &client(),
            &[candidate(&server.uri(), "ollama", ollama_sign())],
        )
        .await;
        assert_eq!(names(&found), ["ollama"]);
        assert!(found[0].models.is_empty());
    }
}

#[tokio::test]
async fn two_names_for_one_port_are_told_apart() {
    let server = serving(&[("/v1/models", models("vllm", &["Qwen/Qwen3-4B"]))]).await;
    let found = discover(
        &client(),
        &[
            candidate(&server.uri(), "llama-cpp", owner("llamacpp")),
            candidate(&server.uri(), "vllm", owner("vllm")),
        ],
    )
    .await;
    assert_eq!(names(&found), ["vllm"]);
}

#[tokio::test]
async fn an_unrelated_server_on_the_port_is_not_offered() {
    let page = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(200).set_body_raw("<html>Hi</html>", "text/html"))
        .mount(&page)
        .await;
    let other_json = serving(&[("/v1/models", json!({ "models": ["a"] }))]).await;
    let list_without_owner = serving(&[("/v1/models", json!({ "data": [{ "id": "a" }] }))]).await;
    for server in [&page, &other_json, &list_without_owner] {
        let found = discover(
            &client(),
            &[
                candidate(&server.uri(), "ollama", ollama_sign()),
                candidate(&server.uri(), "llama-cpp", owner("llamacpp")),
            ],
        )
        .await;
        assert!(found.is_empty(), "{found:?}");
    }
}

#[tokio::test]
async fn nothing_beyond_this_computer_is_asked() {
    let far = candidate("http://192.0.2.1:11434", "ollama", ollama_sign());
    let begun = Instant::now();
    assert!(discover(&client(), &[far]).await.is_empty());
    assert!(begun.elapsed() < Duration::from_millis(500));
}

#[tokio::test]
async fn silent_ports_cost_one_second_together() {
    let mut listeners = Vec::new();
    let mut candidates = Vec::new();
    for _ in 0..3 {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        candidates.push(candidate(
            &format!("http://{address}"),
            "vllm",
            owner("vllm"),
        ));
        listeners.push(listener);
    }
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = closed.local_addr().expect("an address");
    drop(closed);
    candidates.push(candidate(
        &format!("http://{address}"),
        "vllm",
        owner("vllm"),
    ));

    let begun = Instant::now();
    assert!(discover(&client(), &candidates).await.is_empty());
    assert!(
        begun.elapsed() < Duration::from_millis(2500),
        "{:?}",
        begun.elapsed()
    );
}
