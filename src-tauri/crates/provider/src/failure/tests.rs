use std::time::{Duration, SystemTime};

use proptest::prelude::*;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use serde_json::json;
use talaria_domain::{ErrorCode, Retry, ServiceFailure};
use talaria_secret::Secret;

use super::{bounded, conceal, from_answer, from_stream};

fn answer(status: u16, body: &str) -> ServiceFailure {
    let status = StatusCode::from_u16(status).expect("a status");
    from_answer(
        status,
        &HeaderMap::new(),
        body.as_bytes(),
        SystemTime::UNIX_EPOCH,
    )
}

#[test]
fn a_relays_error_is_unwrapped() {
    let raws = [
        json!("{\"error\":{\"message\":\"the word json is missing\"}}"),
        json!({"error": {"message": "the word json is missing"}}),
        json!("the word json is missing"),
    ];
    for raw in raws {
        let body = json!({"error": {
            "message": "Provider returned error", "code": 400,
            "metadata": {"raw": raw, "provider_name": "Behind"},
        }});
        let failure = answer(400, &body.to_string());
        assert_eq!(failure.message, "Behind: the word json is missing");
        assert_eq!(failure.code, ErrorCode::BadRequest);
    }
    let body = r#"{"error":{"message":"Provider returned error","metadata":{"raw":"Input length 9 exceeds the maximum allowed input length of 8 tokens."}}}"#;
    assert_eq!(answer(400, body).limit, Some(8));
}

#[test]
fn each_shape_of_a_body_gives_its_message() {
    let cases = [
        (r#"{"error":"plain"}"#, "plain"),
        (r#"{"error":{"message":"inner"}}"#, "inner"),
        (r#"[{"error":{"message":"listed"}}]"#, "listed"),
        (r#"{"message":"flat","type":"x"}"#, "flat"),
        (r#"{"detail":"detail"}"#, "detail"),
        (
            r#"{"detail":[{"loc":["body","n"],"msg":"too big"}]}"#,
            "body.n: too big",
        ),
        (
            r#"{"base_resp":{"status_code":2013,"status_msg":"params"}}"#,
            "params",
        ),
        ("data: {\"error\":{\"message\":\"framed\"}}\n\n", "framed"),
        (
            "event: error\ndata: {\"error\":{\"message\":\"named\"}}\n\n",
            "named",
        ),
        (
            r#"{"Response":{"Error":{"Code":"X","Message":"capitals"}}}"#,
            "capitals",
        ),
        ("just\n  words", "just words"),
        ("", "The service answered 400 Bad Request."),
        ("{}", "The service answered 400 Bad Request."),
        (
            "<html><TITLE>Proxy &amp; Co</TITLE>",
            "The address answered with a web page: Proxy &amp; Co",
        ),
    ];
    for (body, message) in cases {
        assert_eq!(answer(400, body).message, message, "{body}");
    }
}

#[test]
fn waiting_is_asked_for_where_it_helps() {
    let mut headers = HeaderMap::new();
    headers.insert(RETRY_AFTER, HeaderValue::from_static("12"));
    let at = |status: u16, body: &str| {
        let status = StatusCode::from_u16(status).expect("a status");
        from_answer(status, &headers, body.as_bytes(), SystemTime::UNIX_EPOCH).retry
    };
    assert_eq!(at(429, ""), Retry::After(Duration::from_secs(12)));
    assert_eq!(at(503, ""), Retry::After(Duration::from_secs(12)));
    assert_eq!(at(504, ""), Retry::After(Duration::from_secs(12)));
    assert_eq!(at(401, ""), Retry::Never);
    assert_eq!(
        at(429, r#"{"error":{"code":"insufficient_quota"}}"#),
        Retry::Never
    );
    assert_eq!(answer(429, "").retry, Retry::Soon);
    assert_eq!(answer(504, "").retry, Retry::Soon);
    assert_eq!(answer(404, "").retry, Retry::Never);
    let body = r#"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"34s"}]}}"#;
    assert_eq!(
        answer(429, body).retry,
        Retry::After(Duration::from_secs(34))
    );
    let body = r#"{"error":{"message":"Rate limit reached. Please try again in 1.5s."}}"#;
    assert_eq!(
        answer(429, body).retry,
        Retry::After(Duration::from_millis(1500))
    );
}

#[test]
fn an_allowance_of_days_is_not_asked_for_again_within_seconds() {
    let daily = r#"{"error":{"message":"Rate limit exceeded: free-models-per-day"}}"#;
    let failure = answer(429, daily);
    assert_eq!(
        (failure.code, failure.retry),
        (ErrorCode::RateLimited, Retry::Never)
    );
    let told = r#"{"error":{"message":"Rate limit reached on tokens per day (TPD): Limit 900, Used 880, Requested 30. Please try again in 4m19s."}}"#;
    assert_eq!(
        answer(429, told).retry,
        Retry::After(Duration::from_secs(259))
    );
}

#[test]
fn a_service_that_forbids_a_retry_gets_none() {
    let mut headers = HeaderMap::new();
    headers.insert("x-should-retry", HeaderValue::from_static("false"));
    let failure = from_answer(
        StatusCode::TOO_MANY_REQUESTS,
        &headers,
        b"",
        SystemTime::UNIX_EPOCH,
    );
    assert_eq!(
        (failure.code, failure.retry),
        (ErrorCode::RateLimited, Retry::Never)
    );
}

#[test]
fn the_number_of_a_request_is_shown_once() {
    let mut headers = HeaderMap::new();
    headers.insert("request-id", HeaderValue::from_static("req_7"));
    let message = |body: &str| {
        let status = StatusCode::BAD_REQUEST;
        from_answer(status, &headers, body.as_bytes(), SystemTime::UNIX_EPOCH).message
    };
    assert_eq!(message(r#"{"error":"no"}"#), "no (request req_7)");
    assert_eq!(message(r#"{"error":"no, req_7"}"#), "no, req_7");
    let told = answer(400, r#"{"error":"no","request_id":"abc"}"#);
    assert_eq!(told.message, "no (request abc)");
}

#[test]
fn a_wait_in_the_body_is_kept_whatever_its_form() {
    for (body, millis) in [
        (r#"{"error":{"message":"slow","retry_after":7}}"#, 7000),
        (r#"{"error":"loading","estimated_time":20.5}"#, 20_500),
        (r#"{"error":{"details":[{"retryDelay":"3.5s"}]}}"#, 3500),
        (r#"{"error":{"message":"请在 9 秒后重试"}}"#, 9000),
    ] {
        let retry = answer(503, body).retry;
        assert_eq!(retry, Retry::After(Duration::from_millis(millis)), "{body}");
    }
}

#[test]
fn an_error_inside_a_stream_is_judged_without_a_status() {
    let cases = [
        (
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            ErrorCode::Overloaded,
            Retry::Soon,
        ),
        (
            json!({"error": {"type": "api_error", "message": "oops"}}),
            ErrorCode::Overloaded,
            Retry::Soon,
        ),
        (
            json!({"error": {"type": "invalid_request_error", "message": "max_tokens: too large"}}),
            ErrorCode::BadRequest,
            Retry::Never,
        ),
        (
            json!({"error": {"type": "rate_limit_error", "message": "slow down"}}),
            ErrorCode::RateLimited,
            Retry::Soon,
        ),
        (
            json!({"error": {"type": "authentication_error", "message": "no"}}),
            ErrorCode::Auth,
            Retry::Never,
        ),
        (
            json!({"error": {"code": 502, "message": "upstream"}}),
            ErrorCode::Overloaded,
            Retry::Soon,
        ),
        (
            json!({"error": {"message": "quota exceeded"}}),
            ErrorCode::RateLimited,
            Retry::Soon,
        ),
        (
            json!({"error": "who knows"}),
            ErrorCode::BadResponse,
            Retry::Soon,
        ),
        (json!({"error": {}}), ErrorCode::BadResponse, Retry::Soon),
    ];
    for (value, code, retry) in cases {
        let failure = from_stream(&value);
        assert_eq!((failure.code, failure.retry), (code, retry), "{value}");
        assert!(!failure.message.is_empty());
        assert_eq!(failure.status, None);
    }
}

#[test]
fn a_request_repeated_in_the_answer_is_not_read() {
    let input = "Rate limit, insufficient balance. ".repeat(10_000);
    let fault = json!({"loc": ["body", "n"], "msg": "too big", "input": input});
    let failure = answer(422, &json!({ "detail": [fault] }).to_string());
    assert_eq!(failure.code, ErrorCode::BadRequest);
    assert_eq!(failure.message, "body.n: too big");
}

#[test]
fn a_message_is_bounded_and_holds_no_key() {
    let failure = answer(400, &"长".repeat(5000));
    assert_eq!(failure.message.chars().count(), 601);
    assert!(failure.message.ends_with('…'));

    let key = Secret::new("sk-very-secret".to_owned());
    let failure = answer(
        401,
        r#"{"error":"Incorrect API key provided: sk-very-secret."}"#,
    );
    let failure = conceal(failure, Some(&key));
    assert_eq!(failure.message, "Incorrect API key provided: [key].");

    let long = format!("{} sk-very-secret and more", "x".repeat(590));
    let failure = conceal(answer(401, &long), Some(&key));
    assert!(!failure.message.contains("sk-"), "{}", failure.message);

    let short = Secret::new("no".to_owned());
    assert_eq!(
        conceal(answer(401, "not now"), Some(&short)).message,
        "not now"
    );
}

proptest! {
    #[test]
    fn no_body_upsets_it(status in 100_u16..600, body in proptest::collection::vec(any::<u8>(), 0..400)) {
        let status = StatusCode::from_u16(status).expect("a status");
        let failure = from_answer(status, &HeaderMap::new(), &body, SystemTime::UNIX_EPOCH);
        prop_assert!(failure.message.chars().count() <= 601);
    }

    #[test]
    fn a_bounded_text_is_one_line(text in ".*") {
        prop_assert!(!bounded(&text).contains('\n'));
    }
}
