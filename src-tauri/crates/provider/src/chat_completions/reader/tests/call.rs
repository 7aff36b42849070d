//! Tool calls in a stream, and ones that the model prints.

use serde_json::json;
use talaria_domain::{ErrorCode, FinishReason};

use super::{Outcome, delta, failed, finish, read, read_offered, stopped, text};

#[test]
fn a_call_of_a_cut_stream_is_never_given() {
    let call = delta(
        &json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "save", "arguments": "{\"a\":1}"}}]}),
    );
    assert_eq!(
        read(std::slice::from_ref(&call)),
        failed("", ErrorCode::StreamCut)
    );
    for reason in ["length", "content_filter"] {
        let cut = read(&[call.clone(), finish(reason)]);
        assert!(cut.calls.is_empty(), "{reason}");
        assert_ne!(cut.end, Some(Ok(FinishReason::ToolCalls)), "{reason}");
    }
}

#[test]
fn calls_decide_about_the_reason() {
    let call = json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "now", "arguments": "{}"}}]});
    let stub = json!({"choices": [{"delta": {"function_call": {"name": "", "arguments": ""}}, "finish_reason": "tool_calls"}]});
    let shapes = [
        vec![delta(&call), finish("tool_calls")],
        vec![delta(&call), finish("stop")],
        vec![delta(&call), stub],
        vec![json!({"choices": [{"message": call, "finish_reason": "stop"}]})],
        vec![
            delta(&json!({"function_call": {"name": "no"}})),
            delta(&json!({"function_call": {"name": "w"}})),
            delta(&json!({"function_call": {"arguments": "{}"}})),
            finish("function_call"),
        ],
    ];
    for chunks in shapes {
        let found = read(&chunks);
        assert_eq!(found.calls, [("now".to_owned(), json!({}))], "{chunks:?}");
        assert_eq!(found.end, Some(Ok(FinishReason::ToolCalls)), "{chunks:?}");
    }
    assert_eq!(read(&[text("ok"), finish("tool_calls")]), stopped("ok"));
}

#[test]
fn a_call_in_the_old_and_the_new_form_is_one_call() {
    let function = json!({"name": "find", "arguments": "{\"q\":1}"});
    let both = json!({"choices": [{"delta": {
        "function_call": function, "tool_calls": [{"index": 0, "id": "x", "function": function}],
    }}]});
    let expected = [("find".to_owned(), json!({"q": 1}))];
    assert_eq!(read(&[both, finish("tool_calls")]).calls, expected);
    let single = json!({"choices": [{"delta": {"tool_calls": {"id": "x", "function": function}}}]});
    assert_eq!(read(&[single, finish("tool_calls")]).calls, expected);
}

#[test]
fn a_printed_call_is_recovered_from_a_complete_answer() {
    let pieces = [
        "So.\n<tool",
        "_call>{\"name\":\"now\",",
        "\"arguments\":{}}</tool_call>",
    ];
    let printed = pieces.concat();
    let mut chunks = pieces.map(text).to_vec();
    let called = Outcome {
        text: "So.".to_owned(),
        calls: vec![("now".to_owned(), json!({}))],
        end: Some(Ok(FinishReason::ToolCalls)),
        ..Outcome::default()
    };
    for reason in ["stop", "tool_calls"] {
        let complete = [chunks.as_slice(), &[finish(reason)]].concat();
        assert_eq!(read_offered(&complete), called, "{reason}");
        assert_eq!(read(&complete).text, printed, "nothing was offered");
    }
    assert_eq!(
        read_offered(&chunks),
        failed(&printed, ErrorCode::StreamCut)
    );
    let broken = json!({"error": {"type": "overloaded_error"}});
    let broken = [chunks.as_slice(), &[broken]].concat();
    assert_eq!(read_offered(&broken).calls, []);
    chunks.push(finish("length"));
    let cut = read_offered(&chunks);
    assert_eq!((cut.text, cut.calls), (printed, Vec::new()));
    assert_eq!(cut.end, Some(Ok(FinishReason::Length)));
}

#[test]
fn a_call_of_the_service_wins_over_a_printed_one() {
    let native = delta(
        &json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "now", "arguments": "{\"zone\":\"UTC\"}"}}]}),
    );
    let printed = "So. <tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>";
    for (words, kept) in [
        (printed, printed),
        ("So.\n\n<｜DSML｜function_calls>", "So."),
    ] {
        let found = read_offered(&[text(words), native.clone(), finish("tool_calls")]);
        assert_eq!(found.text, kept);
        assert_eq!(found.calls, [("now".to_owned(), json!({"zone": "UTC"}))]);
    }
}
