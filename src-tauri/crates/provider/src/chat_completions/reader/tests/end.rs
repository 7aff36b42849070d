//! How a stream ends: well, cut, or by an error behind a good status.

use serde_json::json;
use talaria_domain::{ErrorCode, FinishReason};

use super::super::Reader;
use super::{delta, failed, finish, read, read_bytes, stopped, text};
use crate::answer::{Ending, Out, Reader as _};
use crate::printed_calls::Offer;
use crate::tool_calls::Ids;

#[test]
fn the_done_mark_ends_a_stream_without_a_reason() {
    let stream = format!(
        ": hi\n\ndata: : hi\n\ndata: {}\n\ndata: [DONE]\n\ndata: nonsense\n\n",
        text("ok")
    );
    assert_eq!(read_bytes(&stream), stopped("ok"));
}

#[test]
fn a_stream_without_an_end_was_cut_and_keeps_its_text() {
    assert_eq!(
        read(&[text("half a sen")]),
        failed("half a sen", ErrorCode::StreamCut)
    );
    assert_eq!(
        read_bytes(": waiting\n\n"),
        failed("", ErrorCode::StreamCut)
    );
    assert_eq!(read_bytes(""), failed("", ErrorCode::StreamCut));
    // A held-back piece is given too.
    assert_eq!(
        read(&[text("a"), text("ab")]),
        failed("aab", ErrorCode::StreamCut)
    );
    assert_eq!(
        read_bytes("data: [DONE]\n\n"),
        failed("", ErrorCode::BadResponse)
    );
}

#[test]
fn each_reason_is_known() {
    let cases = [
        ("stop", Ok(FinishReason::Stop)),
        ("eos", Ok(FinishReason::Stop)),
        ("length", Ok(FinishReason::Length)),
        ("MAX_TOKENS", Ok(FinishReason::Length)),
        ("content_filter", Ok(FinishReason::ContentFilter)),
        ("sensitive", Ok(FinishReason::ContentFilter)),
        (
            "model_context_window_exceeded",
            Err(ErrorCode::ContextOverflow),
        ),
        ("insufficient_system_resource", Err(ErrorCode::Overloaded)),
        ("error", Err(ErrorCode::BadResponse)),
    ];
    for (reason, end) in cases {
        assert_eq!(
            read(&[text("a"), finish(reason)]).end,
            Some(end),
            "{reason}"
        );
    }
}

#[test]
fn an_error_behind_a_good_status_ends_the_stream() {
    let cases = [
        (
            json!({"error": {"message": "quota exceeded"}}),
            ErrorCode::RateLimited,
        ),
        (json!({"error": "it broke"}), ErrorCode::BadResponse),
        (
            json!({"object": "error", "message": "no", "code": 400}),
            ErrorCode::BadRequest,
        ),
        (
            json!({"error": {"code": 502, "message": "x"}, "choices": [{"delta": {"content": ""}, "finish_reason": "error"}]}),
            ErrorCode::Overloaded,
        ),
        (
            json!({"choices": null, "base_resp": {"status_code": 1008, "status_msg": "insufficient balance"}}),
            ErrorCode::Billing,
        ),
        (
            json!({"code": 50505, "message": "Model service overloaded.", "data": null}),
            ErrorCode::Overloaded,
        ),
        (
            json!({"error_code": 18, "error_msg": "Rate limit reached"}),
            ErrorCode::RateLimited,
        ),
    ];
    for (chunk, code) in cases {
        let stream = format!(
            "data: {}\n\ndata: {chunk}\n\ndata: [DONE]\n\n",
            text("part")
        );
        assert_eq!(read_bytes(&stream), failed("part", code), "{chunk}");
    }
    assert_eq!(
        read_bytes("event: error\nid: 3\n\n"),
        failed("", ErrorCode::BadResponse)
    );
    assert_eq!(
        read_bytes("event: error\ndata: overloaded\n\n"),
        failed("", ErrorCode::Overloaded)
    );
    assert_eq!(
        read_bytes("data: who\n\n"),
        failed("", ErrorCode::BadResponse)
    );
}

#[test]
fn it_knows_how_far_it_is() {
    let mut reader = Reader::new("h", Ids::default(), Offer::default());
    let mut out = Out::new();
    let mut push = |reader: &mut Reader, data: &str| {
        let event = crate::sse::Event { name: "", data };
        reader.event(&event, &mut out).expect("the event is good");
    };
    push(
        &mut reader,
        &delta(&json!({"role": "assistant", "content": ""})).to_string(),
    );
    assert!(!reader.has_begun());
    push(&mut reader, &text("a").to_string());
    assert!(reader.has_begun());
    assert_eq!(reader.ending(), Ending::Open);
    push(&mut reader, &finish("stop").to_string());
    assert_eq!(reader.ending(), Ending::Complete);
    push(&mut reader, "[DONE]");
    assert_eq!(reader.ending(), Ending::Over);
}
