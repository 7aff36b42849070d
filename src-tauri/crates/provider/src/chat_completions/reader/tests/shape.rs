//! The shapes that pieces and whole answers come in.

use serde_json::{Value, json};
use talaria_domain::{ErrorCode, FinishReason, Retry, Usage};

use super::super::Reader;
use super::{Outcome, delta, failed, finish, outcome, read, stopped, text};
use crate::answer::{Out, Reader as _};
use crate::printed_calls::Offer;
use crate::tool_calls::Ids;

#[test]
fn a_complete_stream_gives_its_text_and_one_end() {
    let shapes = [
        (
            "as documented",
            vec![
                delta(&json!({"role": "assistant", "content": ""})),
                text("早"),
                text("安"),
                finish("stop"),
            ],
        ),
        (
            "the reason beside the last text",
            vec![
                text("早"),
                json!({"choices": [{"delta": {"content": "安"}, "finish_reason": "stop"}]}),
            ],
        ),
        (
            "an empty reason in between",
            vec![
                json!({"choices": [{"delta": {"content": "早"}, "finish_reason": ""}]}),
                text("安"),
                finish("stop"),
            ],
        ),
        (
            "the reason in camel case",
            vec![
                text("早"),
                json!({"choices": [{"delta": {"content": "安"}, "finish_reason": null, "finishReason": "stop"}]}),
            ],
        ),
        (
            "chunks without choices",
            vec![
                json!({"id": "", "choices": [], "prompt_filter_results": []}),
                text("早安"),
                finish("stop"),
            ],
        ),
        (
            "odd indices and empty errors",
            vec![
                json!({"choices": [{"index": 7, "delta": {"content": "早"}, "message": {"content": "早"}}], "error": null, "usage": null}),
                json!({"choices": [{"index": 8, "delta": {"content": "安"}, "finish_reason": "stop"}], "error": {}}),
            ],
        ),
        (
            "the whole message repeated at the end",
            vec![
                text("早"),
                text("安"),
                json!({"choices": [{"message": {"content": "早安"}, "finish_reason": "stop"}]}),
            ],
        ),
        (
            "only a whole message",
            vec![
                json!({"choices": [{"delta": null, "message": {"content": "早安"}, "finish_reason": "stop"}]}),
            ],
        ),
        (
            "content in parts",
            vec![
                delta(&json!({"content": [{"type": "text", "text": "早安"}]})),
                finish("stop"),
            ],
        ),
        (
            "a refusal",
            vec![
                delta(&json!({"content": null, "refusal": "早安"})),
                finish("stop"),
            ],
        ),
        (
            "everything so far each time",
            vec![text("早"), text("早安"), text("早安"), finish("stop")],
        ),
    ];
    for (what, chunks) in shapes {
        let expected = match what {
            // Two pieces alone are no proof of repetition.
            "everything so far each time" => stopped("早早安早安"),
            _ => stopped("早安"),
        };
        assert_eq!(read(&chunks), expected, "{what}");
    }
}

#[test]
fn tokens_used_are_read_wherever_they_stand() {
    let usage = json!({"prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}});
    let expected = Usage {
        input_tokens: 12,
        cached_tokens: 4,
        output_tokens: 3,
        ..Usage::default()
    };
    let places = [
        json!({"choices": [], "usage": usage}),
        json!({"choices": [{"delta": {}, "finish_reason": "stop", "usage": usage}]}),
        json!({"choices": [], "x_groq": {"usage": usage}}),
    ];
    for place in places {
        assert_eq!(
            read(&[text("a"), finish("stop"), place.clone()]).usage,
            Some(expected),
            "{place}"
        );
    }
    let deepseek = json!({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 3, "prompt_cache_hit_tokens": 4}});
    assert_eq!(
        read(&[text("a"), finish("stop"), deepseek]).usage,
        Some(expected)
    );
}

#[test]
fn repeating_streams_are_recognised() {
    let chunks = [
        text("Good"),
        text("Good morn"),
        text("Good morning"),
        finish("stop"),
    ];
    assert_eq!(read(&chunks), stopped("Good morning"));
}

#[test]
fn an_answer_that_comes_whole_is_an_answer() {
    let whole = |value: &Value| {
        let mut reader = Reader::new("h", Ids::default(), Offer::default());
        let mut out = Out::new();
        let end = reader
            .whole(value, &mut out)
            .and_then(|()| reader.end(&mut out));
        outcome(out, end)
    };
    let answer = json!({"object": "chat.completion", "choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2}});
    let usage = Some(Usage {
        input_tokens: 1,
        cached_tokens: 0,
        output_tokens: 2,
        ..Usage::default()
    });
    assert_eq!(
        whole(&answer),
        Outcome {
            usage,
            ..stopped("ok")
        }
    );
    let unfinished = json!({"choices": [{"message": {"content": "ok"}}]});
    assert_eq!(whole(&unfinished), stopped("ok"));
    assert_eq!(
        whole(&json!({"id": null, "choices": null})),
        failed("", ErrorCode::BadResponse)
    );
    assert_eq!(
        whole(&json!({"error": {"type": "overloaded_error"}})),
        failed("", ErrorCode::Overloaded)
    );
}

#[test]
fn no_answer_is_worth_another_try() {
    let mut reader = Reader::new("h", Ids::default(), Offer::default());
    let failure = reader
        .whole(&json!({"choices": null}), &mut Out::new())
        .unwrap_err();
    assert_eq!(failure.retry, Retry::Soon);
}

#[test]
fn an_empty_delta_beside_a_message_is_no_reason_to_lose_it() {
    let whole = |delta: Value, message: Value| json!({"choices": [{"delta": delta, "message": message, "finish_reason": "stop"}]});
    let message = json!({"role": "assistant", "content": "all of it"});
    for delta in [
        json!({}),
        json!({"role": "assistant", "content": ""}),
        Value::Null,
    ] {
        let found = read(&[whole(delta.clone(), message.clone())]);
        assert_eq!(found.text, "all of it", "{delta}");
        let found = read(&[text("all of"), text(" it"), whole(delta, message.clone())]);
        assert_eq!(found.text, "all of it");
    }
    let call = json!({"role": "assistant", "content": "I look.", "tool_calls": [
        {"function": {"name": "find", "arguments": "{}"}},
        {"function": {"name": "find", "arguments": "{}"}},
    ]});
    let found = read(&[text("I look."), whole(json!({}), call)]);
    assert_eq!((found.text.as_str(), found.calls.len()), ("I look.", 2));
}

#[test]
fn older_and_other_servers_pieces_are_read() {
    let old = json!({"choices": [{"index": 0, "text": "old", "finish_reason": null}]});
    assert_eq!(read(&[old, finish("stop")]).text, "old");
    let found = read(&[
        json!({"message": {"content": "早", "thinking": "hm"}, "done": false}),
        json!({"message": {"content": "", "tool_calls": [{"function": {"name": "now", "arguments": {}}}]}, "done": false}),
        json!({"done": true, "done_reason": "stop", "prompt_eval_count": 3, "eval_count": 1}),
    ]);
    assert_eq!(
        (found.text.as_str(), found.reasoning.as_str()),
        ("早", "hm")
    );
    assert_eq!(found.calls, [("now".to_owned(), json!({}))]);
    assert_eq!(found.usage.map(|usage| usage.input_tokens), Some(3));
    assert_eq!(found.end, Some(Ok(FinishReason::ToolCalls)));
}
