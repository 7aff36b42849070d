//! Searches against a service on loopback: what it says when something is wrong.

use std::time::Duration;

use serde_json::{Value, json};
use talaria_domain::{ErrorCode, Retry, ServiceFailure, WebHit, WebQuery};
use talaria_provider::{Client, Limits, search_service};
use talaria_secret::Secret;
use wiremock::matchers::{any, header};
use wiremock::{Mock, MockServer, ResponseTemplate};

const KEY: &str = "search-key-51d0c7a9";

async fn search(id: &str, server: &MockServer) -> Result<Vec<WebHit>, ServiceFailure> {
    let service = search_service(id).unwrap();
    let key = service.needs_key().then(|| Secret::new(KEY.to_owned()));
    let endpoint = service.endpoint(&server.uri()).unwrap().with_key(key);
    let client = Client::new(Limits::default()).unwrap();
    client.search_web(&endpoint, &query("raised beds")).await
}

fn query(words: &str) -> WebQuery {
    WebQuery {
        words: words.into(),
        count: 5,
        freshness: None,
    }
}

async fn answering(response: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any())
        .respond_with(response)
        .mount(&server)
        .await;
    server
}

fn json_of(status: u16, body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(body)
}

fn one_hit() -> Value {
    json!({"results": [{"title": "Beds", "url": "https://garden.example/", "content": "Two."}]})
}

#[tokio::test]
async fn a_search_gives_its_hits() {
    let server = answering(json_of(200, &one_hit())).await;
    for id in ["tavily", "searxng"] {
        let hits = search(id, &server).await.unwrap();
        assert_eq!(hits.len(), 1, "{id}");
        assert_eq!(hits[0].snippet, "Two.", "{id}");
    }
}

#[tokio::test]
async fn each_service_says_in_its_way_that_the_key_is_wrong() {
    for (id, status, body) in [
        (
            "brave",
            422,
            json!({"type": "ErrorResponse", "error": {"status": 422,
                "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The token is invalid."}}),
        ),
        (
            "tavily",
            401,
            json!({"detail": {"error": "Unauthorized: missing or invalid API key."}}),
        ),
        (
            "exa",
            401,
            json!({"error": "Invalid API key", "tag": "INVALID_API_KEY"}),
        ),
        (
            "serper",
            403,
            json!({"message": "Unauthorized.", "statusCode": 403}),
        ),
        (
            "bocha",
            401,
            json!({"code": "401", "message": "Invalid API KEY", "log_id": "l"}),
        ),
        (
            "zhipu",
            401,
            json!({"error": {"code": "1000", "message": "身份验证失败"}}),
        ),
    ] {
        let server = answering(json_of(status, &body)).await;
        let failure = search(id, &server).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::Auth, "{id}: {failure}");
    }
}

#[tokio::test]
async fn each_service_says_in_its_way_that_there_is_no_credit() {
    for (id, status, body) in [
        (
            "exa",
            402,
            json!({"error": "You have run out of credits", "tag": "NO_MORE_CREDITS"}),
        ),
        (
            "serper",
            400,
            json!({"message": "Not enough credits", "statusCode": 400}),
        ),
        (
            "bocha",
            403,
            json!({"code": "403", "message": "You do not have enough money"}),
        ),
        (
            "bocha",
            200,
            json!({"code": "403", "message": "You do not have enough money"}),
        ),
        (
            "zhipu",
            429,
            json!({"error": {"code": "1113", "message": "余额不足或无可用资源包"}}),
        ),
        (
            "tavily",
            432,
            json!({"detail": {"error": "This request exceeds your plan's set usage limit."}}),
        ),
        (
            "tavily",
            433,
            json!({"detail": {"error": "This request exceeds the pay-as-you-go limit."}}),
        ),
    ] {
        let server = answering(json_of(status, &body)).await;
        let failure = search(id, &server).await.unwrap_err();
        assert_eq!(failure.code, ErrorCode::Billing, "{id} {status}: {failure}");
    }
}

#[tokio::test]
async fn what_else_can_go_wrong_is_told_by_its_kind() {
    let html = ResponseTemplate::new(200).set_body_raw("<html>hello</html>", "text/html");
    let elsewhere = ResponseTemplate::new(302).insert_header("location", "http://10.0.0.1/");
    for (id, response, code) in [
        ("brave", ResponseTemplate::new(500), ErrorCode::Overloaded),
        ("brave", ResponseTemplate::new(503), ErrorCode::Overloaded),
        ("searxng", html.clone(), ErrorCode::BadResponse),
        ("exa", html, ErrorCode::BadResponse),
        ("exa", elsewhere, ErrorCode::BadResponse),
        (
            "tavily",
            json_of(400, &json!({"detail": {"error": "Query is too short."}})),
            ErrorCode::BadRequest,
        ),
        (
            "searxng",
            ResponseTemplate::new(403),
            ErrorCode::BadResponse,
        ),
    ] {
        let server = answering(response).await;
        let failure = search(id, &server).await.unwrap_err();
        assert_eq!(failure.code, code, "{id}: {failure}");
    }
}

#[tokio::test]
async fn a_searxng_that_gives_no_json_is_told_with_what_to_do() {
    let server = answering(ResponseTemplate::new(403)).await;
    let failure = search("searxng", &server).await.unwrap_err();
    assert!(failure.message.contains("search.formats"), "{failure}");
}

#[tokio::test]
async fn a_search_that_came_too_soon_is_put_once_more_after_a_short_wait() {
    for (wait, answered) in [(None, true), (Some("1"), true), (Some("120"), false)] {
        let server = MockServer::start().await;
        let mut too_soon = ResponseTemplate::new(429);
        if let Some(wait) = wait {
            too_soon = too_soon.insert_header("retry-after", wait);
        }
        let once = Mock::given(any()).respond_with(too_soon).up_to_n_times(1);
        once.mount(&server).await;
        let found = Mock::given(any()).respond_with(json_of(200, &one_hit()));
        found.mount(&server).await;
        let found = search("tavily", &server).await;
        assert_eq!(found.is_ok(), answered, "{wait:?}");
        if let Err(failure) = found {
            assert_eq!(failure.code, ErrorCode::RateLimited);
            assert_eq!(failure.retry, Retry::After(Duration::from_secs(120)));
        }
    }
}

#[tokio::test]
async fn a_key_goes_with_the_search_and_stands_in_no_failure() {
    let server = MockServer::start().await;
    let echo = json!({"message": format!("no such key: {KEY}")});
    Mock::given(header("x-api-key", KEY))
        .respond_with(json_of(401, &echo))
        .mount(&server)
        .await;
    let failure = search("serper", &server).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::Auth);
    assert!(!format!("{failure:?}").contains(KEY), "{failure:?}");
}

#[tokio::test]
async fn what_would_be_refused_anyway_is_not_sent() {
    let server = MockServer::start().await;
    let client = Client::new(Limits::default()).unwrap();
    let zhipu = search_service("zhipu").unwrap().endpoint(&server.uri());
    let zhipu = zhipu.unwrap();
    for (endpoint, words, code) in [
        (zhipu.clone(), "番茄".to_owned(), ErrorCode::Auth),
        (
            zhipu.with_key(Some(Secret::new(KEY.into()))),
            "番茄".repeat(36),
            ErrorCode::BadRequest,
        ),
    ] {
        let refused = client.search_web(&endpoint, &query(&words)).await;
        assert_eq!(refused.unwrap_err().code, code);
    }
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_service_that_nobody_answers_at_is_a_network_failure() {
    let endpoint = search_service("searxng").unwrap().endpoint("127.0.0.1:9");
    let client = Client::new(Limits::default()).unwrap();
    let failure = client.search_web(&endpoint.unwrap(), &query("beds")).await;
    assert_eq!(failure.unwrap_err().code, ErrorCode::Network);
}
