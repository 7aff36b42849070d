//! Refusals about the limit of the answer.

use serde_json::json;
use talaria_domain::ErrorCode;

use super::{learnt, poor, refusal, rich};
use crate::dialect::Dialect;

#[test]
fn the_limits_two_names_lead_to_each_other_and_then_to_none() {
    let with = |member: &str| json!({"messages": [], member: 100});
    let refused =
        |member: &str| refusal(ErrorCode::BadRequest, &format!("Unknown member {member}"));
    let old = Dialect::default()
        .after(
            &refused("max_completion_tokens"),
            &with("max_completion_tokens"),
        )
        .expect("it is about the limit");
    assert_eq!(old.limit_member(), Some("max_tokens"));
    let none = old
        .after(&refused("max_tokens"), &with("max_tokens"))
        .expect("it is about the limit");
    assert_eq!(none.limit_member(), None);
    assert_eq!(
        none.after(&refused("max_tokens"), &with("max_tokens")),
        None
    );
}

#[test]
fn the_largest_answer_is_read_from_the_refusal() {
    for (message, longest) in [
        (
            "max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.",
            16_384,
        ),
        (
            "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
            8192,
        ),
        ("Range of max_tokens should be [1,8192]", 8192),
        (
            "max_tokens: 32000 > 4096, which is the maximum allowed number of output tokens for small-3-20240229",
            4096,
        ),
        ("`max_tokens` must be less than or equal to `8,192`", 8192),
        ("max_tokens 超过上限 4096", 4096),
    ] {
        let next = learnt(message, &rich()).expect(message);
        assert_eq!(next.output_limit(32_000), longest, "{message}");
        assert_eq!(next.limit_member(), Some("max_tokens"), "{message}");
    }
    assert_eq!(
        learnt("max_tokens is too large for version 3", &rich()),
        None
    );
}

#[test]
fn a_limit_that_counts_against_the_minute_is_left_out() {
    let message = "Request too large (TPM): Limit 8000, Requested 32979";
    let failure = refusal(ErrorCode::ContextOverflow, message);
    let next = Dialect::default()
        .after(&failure, &rich())
        .expect("it can be left out");
    assert_eq!(next.limit_member(), None);
    assert_eq!(next.after(&failure, &rich()), None);
    assert_eq!(Dialect::default().after(&failure, &poor()), None);
    let real = refusal(
        ErrorCode::ContextOverflow,
        "maximum context length is 4096 tokens",
    );
    assert_eq!(Dialect::default().after(&real, &rich()), None);
}

#[test]
fn an_answer_that_could_outgrow_the_window_is_asked_for_shorter() {
    for (message, room) in [
        (
            "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again",
            Some(10_000),
        ),
        (
            "'max_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 100 input tokens (32000 > 8192 - 100).",
            Some(8092),
        ),
        (
            "This model's maximum context length is 40960 tokens. However, you requested 42000 tokens (10000 in the messages, 32000 in the completion).",
            Some(30_960),
        ),
        ("prompt is too long: 208310 tokens > 200000 maximum", None),
        (
            "maximum context length is 8192, 8000 in the messages, 32000 in the completion",
            None,
        ),
        ("context limit: 32000", None),
    ] {
        let failure = refusal(ErrorCode::ContextOverflow, message);
        let next = Dialect::default().after(&failure, &rich());
        let limit = next.as_ref().map(|next| next.output_limit(32_000));
        assert_eq!(limit, room, "{message}");
        // It is no lesson for the next request.
        let kept = next.map(|next| serde_json::to_value(next).unwrap());
        assert_eq!(kept, room.map(|_| json!({})), "{message}");
    }
}
