//! What local servers tell beyond their list of models, over real connections.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use talaria_domain::ModelFacts;
use talaria_provider::{Client, Endpoint, Limits, ListedModel, Protocol};
use url::Url;
use wiremock::matchers::{body_json, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

async fn answer(server: &MockServer, at: &str, answer: Value) {
    Mock::given(method("GET"))
        .and(path(at))
        .respond_with(ResponseTemplate::new(200).set_body_json(answer))
        .mount(server)
        .await;
}

async fn listed(server: &MockServer) -> Vec<ListedModel> {
    let endpoint = Endpoint {
        base_url: Url::parse(&format!("{}/v1", server.uri())).unwrap(),
        protocol: Protocol::OpenaiChat,
        key: None,
    };
    let client = Client::new(Limits::default()).unwrap();
    client.list_models(&endpoint).await.unwrap()
}

fn list(owner: &str, names: &[&str]) -> Value {
    let data: Vec<_> = names
        .iter()
        .map(|name| json!({"id": name, "object": "model", "owned_by": owner}))
        .collect();
    json!({"object": "list", "data": data})
}

#[tokio::test]
async fn ollama_is_asked_for_each_of_its_models() {
    let server = MockServer::start().await;
    answer(&server, "/v1/models", list("library", &["one", "two"])).await;
    let running = json!({"models": [{"name": "one", "context_length": 8_192}]});
    answer(&server, "/api/ps", running).await;
    for (name, capabilities) in [
        ("one", json!(["completion", "tools"])),
        ("two", json!(["completion"])),
    ] {
        Mock::given(method("POST"))
            .and(path("/api/show"))
            .and(body_json(json!({"model": name})))
            .respond_with(
                ResponseTemplate::new(200).set_body_json(json!({"capabilities": capabilities})),
            )
            .mount(&server)
            .await;
    }
    let facts: Vec<_> = listed(&server)
        .await
        .into_iter()
        .map(|model| (model.facts.context_window, model.facts.tools))
        .collect();
    assert_eq!(facts, [(Some(8_192), Some(true)), (None, Some(false))]);
}

#[tokio::test]
async fn lm_studio_tells_the_window_that_is_loaded() {
    let server = MockServer::start().await;
    answer(
        &server,
        "/v1/models",
        list("organization_owner", &["a", "b"]),
    )
    .await;
    let own = json!({"data": [
        {"id": "a", "type": "llm", "state": "loaded", "max_context_length": 131_072,
            "loaded_context_length": 4_096, "capabilities": ["tool_use"]},
        {"id": "b", "type": "vlm", "state": "not-loaded", "max_context_length": 131_072},
    ]});
    answer(&server, "/api/v0/models", own).await;
    let models = listed(&server).await;
    assert_eq!(models[0].facts.context_window, Some(4_096));
    assert_eq!(models[0].facts.tools, Some(true));
    assert_eq!(models[1].facts.context_window, None);
    assert_eq!(models[1].facts.images, Some(true));
}

#[tokio::test]
async fn llama_cpp_tells_its_properties() {
    let server = MockServer::start().await;
    answer(&server, "/v1/models", list("llamacpp", &["model.gguf"])).await;
    let properties = json!({"default_generation_settings": {"n_ctx": 2_048}});
    answer(&server, "/props", properties).await;
    assert_eq!(listed(&server).await[0].facts.context_window, Some(2_048));
}

#[tokio::test]
async fn a_server_that_tells_no_more_still_lists_its_models() {
    let server = MockServer::start().await;
    answer(&server, "/v1/models", list("llamacpp", &["model.gguf"])).await;
    assert_eq!(listed(&server).await[0].facts, ModelFacts::default());
}

#[tokio::test]
async fn a_server_that_takes_its_time_is_not_waited_for() {
    let server = MockServer::start().await;
    answer(&server, "/v1/models", list("library", &["one"])).await;
    Mock::given(path("/api/ps"))
        .respond_with(ResponseTemplate::new(200).set_delay(Duration::from_secs(30)))
        .mount(&server)
        .await;
    let begun = Instant::now();
    assert_eq!(listed(&server).await.len(), 1);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_service_of_another_kind_is_asked_for_its_list_only() {
    let server = MockServer::start().await;
    answer(&server, "/v1/models", list("openai", &["gpt-5.4"])).await;
    listed(&server).await;
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 1);
}
