//! Signing in, against a stand-in for the service on this computer. The browser is played here.

use std::collections::HashMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use talaria_domain::ErrorCode;
use talaria_provider::{
    Attempt, AuthorizationState, Authorizer, Client, Limits, SignInService, sign_in_service,
};
use url::Url;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

const KEY: &str = "sk-or-v1-made-for-this-test";

fn authorizer() -> Authorizer {
    Authorizer::new(Client::new(Limits::default()).expect("a client"))
}

async fn stand_in(answer: ResponseTemplate) -> (MockServer, SignInService) {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/api/v1/auth/keys"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let address = |at: &str| Url::parse(&format!("{}{at}", server.uri())).expect("an address");
    let service = SignInService {
        page: address("/auth"),
        exchange: address("/api/v1/auth/keys"),
        ..sign_in_service("openrouter").expect("bundled").clone()
    };
    (server, service)
}

fn gives_key() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "key": KEY, "user_id": "u1" }))
}

fn page_parameters(attempt: &Attempt) -> HashMap<String, String> {
    attempt.url().query_pairs().into_owned().collect()
}

fn callback(attempt: &Attempt) -> String {
    page_parameters(attempt)
        .remove("callback_url")
        .expect("a callback")
}

async fn browse(address: &str) -> (u16, String) {
    let answer = reqwest::get(address).await.expect("an answer");
    (
        answer.status().as_u16(),
        answer.text().await.expect("a page"),
    )
}

async fn settled(attempt: &Attempt) -> AuthorizationState {
    for _ in 0..200 {
        let state = attempt.state();
        if state != AuthorizationState::Waiting {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    AuthorizationState::Waiting
}

fn failed_with(state: &AuthorizationState) -> Option<ErrorCode> {
    match state {
        AuthorizationState::Failed { code, .. } => Some(*code),
        _ => None,
    }
}

#[tokio::test]
async fn the_whole_flow_ends_with_a_key() {
    let (server, service) = stand_in(gives_key()).await;
    let attempt = authorizer().begin(&service).await.expect("an attempt");
    assert_eq!(attempt.state(), AuthorizationState::Waiting);
    assert!(attempt.take_key().is_none());

    let (status, page) = browse(&format!("{}?code=c0de", callback(&attempt))).await;
    assert_eq!(status, 200);
    assert!(page.contains("close this window") && page.contains("可以关闭此窗口"));

    assert_eq!(settled(&attempt).await, AuthorizationState::Done);
    assert_eq!(attempt.take_key().expect("a key").expose(), KEY);
    assert!(attempt.take_key().is_none(), "a key is handed over once");
    assert_eq!(attempt.state(), AuthorizationState::Done);

    let requests = server.received_requests().await.expect("recorded");
    let sent: Value = serde_json::from_slice(&requests[0].body).expect("JSON");
    let verifier = sent["code_verifier"].as_str().expect("a verifier");
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    assert_eq!(sent["code"], "c0de");
    assert_eq!(sent["code_challenge_method"], "S256");
    assert_eq!(page_parameters(&attempt)["code_challenge"], challenge);
}

#[tokio::test]
async fn the_page_gets_a_loopback_callback_and_no_secret() {
    let (_server, service) = stand_in(gives_key()).await;
    let one = authorizer().begin(&service).await.expect("an attempt");
    let other = authorizer().begin(&service).await.expect("an attempt");
    let address = Url::parse(&callback(&one)).expect("an address");
    assert_eq!(address.host_str(), Some("127.0.0.1"));
    assert!(address.path().len() > 40, "{address}");
    assert_ne!(callback(&one), callback(&other));
    assert_eq!(page_parameters(&one)["code_challenge_method"], "S256");
    assert!(!page_parameters(&one).contains_key("code_verifier"));
    assert!(!callback(&one).contains(one.id()));
    assert_eq!(one.expires_in(), Duration::from_secs(600));
}

#[tokio::test]
async fn a_forged_or_empty_visit_changes_nothing() {
    let (server, service) = stand_in(gives_key()).await;
    let attempt = authorizer().begin(&service).await.expect("an attempt");
    let right = Url::parse(&callback(&attempt)).expect("an address");
    let origin = right.origin().ascii_serialization();
    for forged in [
        format!("{origin}/?code=evil"),
        format!("{origin}/callback/guess?code=evil"),
        format!("{origin}/favicon.ico"),
        right.to_string(),
        format!("{right}?code="),
    ] {
        assert_eq!(browse(&forged).await.0, 404, "{forged}");
        assert_eq!(attempt.state(), AuthorizationState::Waiting, "{forged}");
    }
    assert!(
        server
            .received_requests()
            .await
            .expect("recorded")
            .is_empty()
    );
    // The right visit still works afterwards, once.
    assert_eq!(browse(&format!("{right}?code=c0de")).await.0, 200);
    assert_eq!(settled(&attempt).await, AuthorizationState::Done);
    assert!(
        reqwest::get(format!("{right}?code=again")).await.is_err(),
        "it listens no more"
    );
}

#[tokio::test]
async fn a_service_that_returns_a_state_must_return_the_right_one() {
    let (_server, mut service) = stand_in(gives_key()).await;
    service.state_parameter = Some("state".to_owned());
    let attempt = authorizer().begin(&service).await.expect("an attempt");
    let (right, state) = (
        callback(&attempt),
        page_parameters(&attempt)["state"].clone(),
    );
    assert_eq!(
        browse(&format!("{right}?code=c0de&state=wrong")).await.0,
        404
    );
    assert_eq!(browse(&format!("{right}?code=c0de")).await.0, 404);
    assert_eq!(attempt.state(), AuthorizationState::Waiting);
    assert_eq!(
        browse(&format!("{right}?code=c0de&state={state}")).await.0,
        200
    );
    assert_eq!(settled(&attempt).await, AuthorizationState::Done);
}

#[tokio::test]
async fn a_silent_connection_does_not_keep_the_browser_waiting() {
    let (_server, service) = stand_in(gives_key()).await;
    let attempt = authorizer().begin(&service).await.expect("an attempt");
    let right = Url::parse(&callback(&attempt)).expect("an address");
    let port = right.port().expect("a port");
    let _silent = tokio::net::TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("connected");
    let visit = tokio::time::timeout(
        Duration::from_secs(3),
        reqwest::get(format!("{right}?code=c0de")),
    );
    assert!(visit.await.is_ok());
    assert_eq!(settled(&attempt).await, AuthorizationState::Done);
}

#[tokio::test]
async fn every_other_end_says_what_happened() {
    for (answer, visit, code) in [
        (gives_key(), "error=access_denied", ErrorCode::Denied),
        (ResponseTemplate::new(403), "code=c0de", ErrorCode::Auth),
        (
            ResponseTemplate::new(429),
            "code=c0de",
            ErrorCode::RateLimited,
        ),
        (
            ResponseTemplate::new(500),
            "code=c0de",
            ErrorCode::Overloaded,
        ),
        (
            ResponseTemplate::new(200).set_body_json(json!({ "token": KEY })),
            "code=c0de",
            ErrorCode::BadResponse,
        ),
        (
            ResponseTemplate::new(200).set_body_json(json!({ "key": " " })),
            "code=c0de",
            ErrorCode::BadResponse,
        ),
    ] {
        let (_server, service) = stand_in(answer).await;
        let attempt = authorizer().begin(&service).await.expect("an attempt");
        let (status, page) = browse(&format!("{}?{visit}", callback(&attempt))).await;
        assert_eq!(status, 200);
        assert!(
            page.contains("did not work") && page.contains("没有成功"),
            "{page}"
        );
        let state = settled(&attempt).await;
        assert_eq!(failed_with(&state), Some(code), "{visit}: {state:?}");
        assert!(attempt.take_key().is_none());
        assert!(!format!("{state:?} {attempt:?}").contains(KEY));
    }
}

#[tokio::test]
async fn an_attempt_ends_after_its_time() {
    let (_server, service) = stand_in(gives_key()).await;
    let authorizer = authorizer().with_patience(Duration::from_millis(50));
    let attempt = authorizer.begin(&service).await.expect("an attempt");
    assert_eq!(
        failed_with(&settled(&attempt).await),
        Some(ErrorCode::Timeout)
    );
    assert!(
        reqwest::get(callback(&attempt)).await.is_err(),
        "it listens no more"
    );
}

#[tokio::test]
async fn an_attempt_can_be_given_up() {
    let (_server, service) = stand_in(gives_key()).await;
    let attempt = authorizer().begin(&service).await.expect("an attempt");
    attempt.cancel();
    assert_eq!(failed_with(&attempt.state()), Some(ErrorCode::Cancelled));
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(
        reqwest::get(callback(&attempt)).await.is_err(),
        "it listens no more"
    );
}

#[tokio::test]
async fn giving_up_forgets_a_key_that_was_not_taken() {
    let (_server, service) = stand_in(gives_key()).await;
    let attempt = authorizer().begin(&service).await.expect("an attempt");
    browse(&format!("{}?code=c0de", callback(&attempt))).await;
    assert_eq!(settled(&attempt).await, AuthorizationState::Done);
    assert!(!format!("{attempt:?}").contains(KEY));
    attempt.cancel();
    assert!(attempt.take_key().is_none());
    assert_eq!(failed_with(&attempt.state()), Some(ErrorCode::Cancelled));
}

#[test]
fn every_preset_that_can_be_signed_in_to_has_its_description() {
    for preset in talaria_provider::presets() {
        assert_eq!(
            sign_in_service(&preset.id).is_some(),
            preset.sign_in,
            "{}",
            preset.id
        );
    }
    let service = sign_in_service("openrouter").expect("bundled");
    assert_eq!(service.page.scheme(), "https");
    assert_eq!(service.exchange.scheme(), "https");
}
