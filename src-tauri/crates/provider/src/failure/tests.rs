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
fn each_error_gets_the_code_its_words_ask_for() {
    use ErrorCode::{
        Auth, BadRequest, BadResponse, Billing, ContentPolicy, ContextOverflow, ModelNotFound,
        Network, Overloaded, RateLimited, Timeout,
    };
    let cases: &[(u16, &str, ErrorCode)] = &[
        // Money, behind any status and code.
        (
            402,
            r#"{"error":{"message":"Insufficient Balance","code":"invalid_request_error"}}"#,
            Billing,
        ),
        (402, "", Billing),
        (
            429,
            r#"{"error":{"code":"1113","message":"余额不足，请充值后再试"}}"#,
            Billing,
        ),
        (
            429,
            r#"{"error":{"type":"insufficient_quota","message":"You exceeded your current quota, please check your plan and billing details."}}"#,
            Billing,
        ),
        (
            401,
            r#"{"message":"Insufficient balance. See your account.","type":"CreditsError"}"#,
            Billing,
        ),
        (
            403,
            r#"{"code":30011,"message":"Your paid balance is insufficient.","data":null}"#,
            Billing,
        ),
        (
            500,
            r#"{"type":"error","error":{"type":"api_error","message":"insufficient balance (1008)"}}"#,
            Billing,
        ),
        (
            403,
            r#"{"error":{"message":"用户额度不足","code":"insufficient_user_quota"}}"#,
            Billing,
        ),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low."}}"#,
            Billing,
        ),
        // Haste, also when it speaks of tokens.
        (429, "", RateLimited),
        (
            429,
            r#"{"message":"ThrottlingException: Too many tokens, please wait before trying again."}"#,
            RateLimited,
        ),
        (
            400,
            r#"{"error":"Rate limit: maximum context requests"}"#,
            RateLimited,
        ),
        (
            429,
            r#"[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota, please check your plan and billing details."}}]"#,
            RateLimited,
        ),
        (
            503,
            r#"{"error":{"message":"Rate limit reached"}}"#,
            RateLimited,
        ),
        // No room.
        (
            529,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            Overloaded,
        ),
        (
            429,
            r#"{"error":{"type":"engine_overloaded_error","message":"The engine is currently overloaded"}}"#,
            Overloaded,
        ),
        (503, "", Overloaded),
        (
            500,
            r#"{"error":{"message":"something broke"}}"#,
            Overloaded,
        ),
        (
            502,
            "<html><head><title>502 Bad Gateway</title></head></html>",
            Overloaded,
        ),
        // Length.
        (
            400,
            r#"{"error":{"message":"Please shorten it.","code":"context_length_exceeded"}}"#,
            ContextOverflow,
        ),
        (
            400,
            r#"{"message":"Input is too long for requested model."}"#,
            ContextOverflow,
        ),
        (
            400,
            r#"{"error":"prompt too long; exceeded max context length by 40 tokens"}"#,
            ContextOverflow,
        ),
        (
            500,
            r#"{"error":{"message":"no user query found in messages","type":"api_error"}}"#,
            ContextOverflow,
        ),
        (
            400,
            r#"{"error":{"code":"tokens_too_long","message":"Prompt tokens too long"}}"#,
            ContextOverflow,
        ),
        (
            429,
            r#"{"error":{"message":"Request too large on tokens per min (TPM): Limit 30000, Requested 31000.","code":"rate_limit_exceeded"}}"#,
            ContextOverflow,
        ),
        // Not length.
        (
            400,
            r#"{"error":"input is too long for this field"}"#,
            BadRequest,
        ),
        (400, r#"{"error":"file name too long"}"#, BadRequest),
        (
            413,
            r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            BadRequest,
        ),
        (
            413,
            "<html><title>413 Request Entity Too Large</title></html>",
            BadRequest,
        ),
        // The key.
        (
            401,
            r#"{"error":{"message":"Incorrect API key provided"}}"#,
            Auth,
        ),
        (401, "", Auth),
        (
            400,
            r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
            Auth,
        ),
        (
            403,
            r#"{"error":{"type":"permission_error","message":"Not allowed"}}"#,
            Auth,
        ),
        // The model.
        (
            404,
            r#"{"error":{"message":"model \"tiny\" not found, try pulling it first"}}"#,
            ModelNotFound,
        ),
        (
            404,
            r#"{"type":"error","error":{"type":"not_found_error","message":"model: tiny was not found"}}"#,
            ModelNotFound,
        ),
        (
            403,
            r#"{"error":{"message":"Project does not have access to model `big`","code":"model_not_found"}}"#,
            ModelNotFound,
        ),
        (
            400,
            r#"{"error":{"code":"1211","message":"模型不存在，请检查模型代码。"}}"#,
            ModelNotFound,
        ),
        // What the service does not want to read.
        (
            400,
            r#"{"error":{"code":"DataInspectionFailed","message":"Input data may contain inappropriate content."}}"#,
            ContentPolicy,
        ),
        // The rest.
        (404, "<!doctype html><title>Not Found</title>", BadResponse),
        (404, r#"{"detail":"Not Found"}"#, BadResponse),
        (405, "", BadResponse),
        (
            200,
            "<!DOCTYPE html><html><title>My Gateway</title></html>",
            BadResponse,
        ),
        (
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Not permitted"}]}"#,
            BadRequest,
        ),
        (407, "", Network),
        (408, "", Timeout),
        (504, "<html></html>", Timeout),
        (418, "", BadRequest),
    ];
    for (status, body, code) in cases {
        let failure = answer(*status, body);
        assert_eq!(failure.code, *code, "{status} {body}");
        assert_eq!(failure.status, Some(*status));
        assert!(!failure.message.is_empty(), "{status} {body}");
        assert!(!failure.message.contains("<html"), "{}", failure.message);
    }
}

#[test]
fn the_window_is_read_from_the_words_of_an_overflow() {
    let cases: &[(&str, Option<u64>)] = &[
        (
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 4300 tokens.",
            Some(4096),
        ),
        (
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
            Some(1_048_575),
        ),
        (
            "<400> InternalError: Range of input length should be [1, 129024]",
            Some(129_024),
        ),
        (
            "Your request exceeded model token limit: 131,072 (requested: 140000)",
            Some(131_072),
        ),
        (
            "The input (263000 tokens) is longer than the model's context length (262144 tokens).",
            Some(262_144),
        ),
        (
            "Requested token count exceeds the model's maximum context length of 262144 tokens.",
            Some(262_144),
        ),
        (
            "Prompt contains 140000 tokens, too large for model with 131072 maximum context length",
            Some(131_072),
        ),
        (
            "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
            Some(131_040),
        ),
        (
            "prompt is too long: 210000 tokens > 200000 maximum",
            Some(200_000),
        ),
        (
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            Some(200_000),
        ),
        (
            "the request exceeds the available context size (8192 tokens), try increasing it",
            Some(8192),
        ),
        // A minute's allowance is not the window.
        (
            "Request too large for m on tokens per min (TPM): Limit 30000, Requested 342389.",
            None,
        ),
        ("Your input exceeds the context window of this model.", None),
        (
            "Please reduce the length of the messages or completion.",
            None,
        ),
    ];
    for (message, limit) in cases {
        let failure = answer(400, &json!({"error": {"message": message}}).to_string());
        assert_eq!(failure.code, ErrorCode::ContextOverflow, "{message}");
        assert_eq!(failure.limit, *limit, "{message}");
        assert_eq!(failure.retry, Retry::Never, "{message}");
    }
    let told = answer(
        400,
        r#"{"error":{"type":"exceed_context_size_error","message":"too long","n_ctx":2048}}"#,
    );
    assert_eq!(told.limit, Some(2048));
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
