use serde_json::{Value, json};
use talaria_domain::{
    ErrorCode, FinishReason, ModelEvent, ModelName, ModelRequest, Retry, ServiceFailure,
    ToolChoice, ToolSpec, Usage,
};

use super::Reader;
use crate::answer::{Ending, Out, Reader as _};
use crate::printed_calls::Offer;
use crate::sse::Parser;
use crate::tool_calls::Ids;

/// What a stream came to.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    text: String,
    reasoning: String,
    calls: Vec<(String, Value)>,
    usage: Option<Usage>,
    end: Option<Result<FinishReason, ErrorCode>>,
}

fn outcome(events: Out, end: Result<(), ServiceFailure>) -> Outcome {
    let mut outcome = Outcome::default();
    for event in events {
        assert_eq!(outcome.end, None, "nothing follows the terminal event");
        match event {
            ModelEvent::Text(text) => outcome.text.push_str(&text),
            ModelEvent::Reasoning(text) => outcome.reasoning.push_str(&text),
            ModelEvent::WasReasoning => outcome.reasoning = std::mem::take(&mut outcome.text),
            ModelEvent::ToolCall(call) => outcome.calls.push((call.name, call.arguments)),
            ModelEvent::Echo(_) | ModelEvent::Notice(_) => {}
            ModelEvent::Usage(usage) => outcome.usage = Some(usage),
            ModelEvent::Finished(reason) => outcome.end = Some(Ok(reason)),
        }
    }
    if let Err(failure) = end {
        assert_eq!(outcome.end, None, "a stream ends once");
        outcome.end = Some(Err(failure.code));
    }
    outcome
}

fn read_bytes(stream: &str) -> Outcome {
    read_with(stream, Reader::new("h", Ids::default(), Offer::default()))
}

fn read_with(stream: &str, mut reader: Reader) -> Outcome {
    let mut out = Out::new();
    let mut parser = Parser::default();
    let mut rest = stream.as_bytes();
    let mut end = Ok(());
    while let Some(event) = parser.next(&mut rest).expect("the stream is small") {
        end = reader.event(&event, &mut out);
        if end.is_err() || reader.ending() == Ending::Over {
            break;
        }
    }
    let end = end.and_then(|()| reader.end(&mut out));
    outcome(out, end)
}

fn stream_of(chunks: &[Value]) -> String {
    chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\n\n"))
        .collect()
}

fn read(chunks: &[Value]) -> Outcome {
    read_bytes(&stream_of(chunks))
}

/// Reads the answer to a request that offered a tool named `now`.
fn read_offered(chunks: &[Value]) -> Outcome {
    let now = ToolSpec {
        name: "now".to_owned(),
        description: String::new(),
        parameters: json!({"type": "object", "properties": {"zone": {"type": "string"}}}),
    };
    let offer = Offer::of(&ModelRequest {
        model: ModelName::new("m").unwrap(),
        messages: Vec::new(),
        tools: vec![now],
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    });
    let reader = Reader::new("h", Ids::default(), offer);
    read_with(&stream_of(chunks), reader)
}

fn delta(delta: &Value) -> Value {
    json!({"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn text(text: &str) -> Value {
    delta(&json!({"content": text}))
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn stopped(text: &str) -> Outcome {
    Outcome {
        text: text.to_owned(),
        end: Some(Ok(FinishReason::Stop)),
        ..Outcome::default()
    }
}

fn failed(text: &str, code: ErrorCode) -> Outcome {
    Outcome {
        text: text.to_owned(),
        end: Some(Err(code)),
        ..Outcome::default()
    }
}

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
fn reasoning_is_found_in_every_place() {
    let shapes = [
        vec![delta(&json!({"reasoning_content": "hm"})), text("yes")],
        vec![delta(&json!({"reasoning": "hm"})), text("yes")],
        vec![
            delta(&json!({"reasoning_content": "hm", "reasoning": "hm", "content": null})),
            text("yes"),
        ],
        vec![
            text("<th"),
            text("ink>h"),
            text("m</thi"),
            text("nk>\n\nyes"),
        ],
        vec![
            delta(&json!({"reasoning_content": "h"})),
            delta(&json!({"reasoning_content": "m", "content": ""})),
            text("yes"),
        ],
    ];
    for mut chunks in shapes {
        chunks.push(finish("stop"));
        let expected = Outcome {
            reasoning: "hm".to_owned(),
            ..stopped("yes")
        };
        assert_eq!(read(&chunks), expected, "{chunks:?}");
    }
    let unclosed = read(&[text("<think>hm"), finish("stop")]);
    assert_eq!(
        unclosed,
        Outcome {
            reasoning: "hm".to_owned(),
            ..stopped("")
        }
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
fn parts_that_think_are_reasoning() {
    let parts = |parts: Value| json!({"choices": [{"delta": {"content": parts}}]});
    let found = read(&[
        parts(json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}])),
        parts(json!([{"type": "text", "text": "so"}])),
        finish("stop"),
    ]);
    assert_eq!(
        (found.reasoning.as_str(), found.text.as_str()),
        ("hm", "so")
    );
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

#[test]
fn reasoning_that_nobody_saw_begin_ends_where_its_mark_stands() {
    let chunks = [
        text("Hm, so."),
        text("\n</th"),
        text("ink>\n\nYes."),
        finish("stop"),
    ];
    let found = read(&chunks);
    assert_eq!(found.reasoning, "Hm, so.\n");
    assert_eq!(found.text, "Yes.");
    let elsewhere = delta(&json!({"reasoning_content": "Hm."}));
    let found = read(&[elsewhere, text("a\n</think>b"), finish("stop")]);
    assert_eq!(found.reasoning, "Hm.");
    assert_eq!(found.text, "a\n</think>b");
}

#[test]
fn reasoning_is_not_searched_for_calls() {
    let call = "<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>";
    let places = [
        delta(&json!({"reasoning_content": call})),
        text(&format!("<think>{call}</think>")),
        text(&format!("{call}\n</think>\n")),
    ];
    for place in places {
        let found = read_offered(&[place, text("No."), finish("stop")]);
        assert_eq!(found.calls, []);
        assert_eq!(found.reasoning.trim_end(), call);
        assert_eq!(found.text, "No.");
    }
}
