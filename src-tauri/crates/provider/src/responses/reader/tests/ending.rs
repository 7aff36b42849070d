//! How answers end.

use serde_json::json;
use talaria_domain::{ErrorCode, FinishReason};

use super::{called, fresh, gather, read, run, said, words};
use crate::answer::{Ending, Out, Reader as _};

#[test]
fn each_ending_is_known() {
    let incomplete = |reason: &str| {
        json!({"type": "response.incomplete", "response": {
            "status": "incomplete", "incomplete_details": {"reason": reason},
            "output": [said("a"), called("b", "{\"zone")],
        }})
    };
    let failed = |code: &str, message: &str| {
        json!({"type": "response.failed", "response": {
            "status": "failed", "error": {"code": code, "message": message},
        }})
    };
    let cases = [
        (incomplete("max_output_tokens"), Ok(FinishReason::Length)),
        (
            incomplete("content_filter"),
            Ok(FinishReason::ContentFilter),
        ),
        (incomplete("something_new"), Ok(FinishReason::Length)),
        (
            json!({"type": "response.completed", "response": {"status": "incomplete"}}),
            Ok(FinishReason::Length),
        ),
        (
            failed("server_error", "The model failed."),
            Err(ErrorCode::Overloaded),
        ),
        (
            failed("rate_limit_exceeded", "Slow down."),
            Err(ErrorCode::RateLimited),
        ),
        (
            failed("context_length_exceeded", "Too long."),
            Err(ErrorCode::ContextOverflow),
        ),
        (
            json!({"type": "response.failed", "response": null}),
            Err(ErrorCode::BadResponse),
        ),
        (
            json!({"type": "response.completed", "response": {"status": "failed",
                "error": {"code": "server_error", "message": "x"}}}),
            Err(ErrorCode::Overloaded),
        ),
        (
            json!({"type": "response.completed", "response": {"status": "cancelled"}}),
            Err(ErrorCode::StreamCut),
        ),
        (
            json!({"type": "error", "code": "insufficient_quota", "message": "No credit."}),
            Err(ErrorCode::Billing),
        ),
        (
            json!({"error": {"message": "Overloaded", "type": "overloaded_error"}}),
            Err(ErrorCode::Overloaded),
        ),
        (
            json!({"object": "error", "type": "BadRequestError", "code": 400,
                "message": "The maximum context length is 4096 tokens."}),
            Err(ErrorCode::ContextOverflow),
        ),
        (
            json!({"type": "response.in_progress"}),
            Err(ErrorCode::StreamCut),
        ),
    ];
    for (last, end) in cases {
        let answer = read(&[words(0, "a"), last.clone()]);
        assert_eq!(answer.text, "a", "{last}");
        assert!(answer.calls.is_empty(), "{last}");
        assert_eq!(
            (answer.end, answer.failure),
            (end.ok(), end.err()),
            "{last}"
        );
    }
}

#[test]
fn the_end_of_the_stream_is_not_the_end_of_the_answer() {
    // Its name stands outside the data here.
    let item = json!({"output_index": 0, "item": called("a", "{}")});
    let body = format!("event: response.output_item.added\ndata: {item}\n\ndata: [DONE]\n\n");
    let (out, failure) = run(&[body.as_bytes()]);
    assert_eq!(failure, Some(ErrorCode::StreamCut));
    assert!(out.is_empty());
}

#[test]
fn an_answer_that_comes_whole_is_an_answer() {
    let answer = json!({
        "object": "response", "status": "completed", "error": null,
        "output": [said("ok"), called("a", "{}")],
        "usage": {"input_tokens": 1, "output_tokens": 2},
    });
    let mut reader = fresh();
    let mut out = Out::new();
    reader.whole(&answer, &mut out).unwrap();
    assert_eq!(reader.ending(), Ending::Over);
    reader.end(&mut out).unwrap();
    let answer = gather(out, None);
    assert_eq!((answer.text.as_str(), answer.calls.len()), ("ok", 1));

    for wrong in [
        json!({"hello": 1}),
        json!({"output": [], "error": {"message": "no"}}),
        json!({"output": [], "status": "queued"}),
    ] {
        let mut reader = fresh();
        assert!(reader.whole(&wrong, &mut Out::new()).is_err(), "{wrong}");
    }
}
