use serde_json::{Value, json};
use talaria_domain::{Cost, ErrorCode, FinishReason, ModelEvent, ToolCall, Usage};

use super::Reader;
use crate::answer::{Ending, Out, Reader as _};
use crate::echo::Maker;
use crate::printed_calls::Offer;
use crate::sse::Parser;
use crate::tool_calls::Ids;

fn fresh() -> Reader {
    Reader::new(Maker::model("h", "m"), Ids::default(), Offer::default())
}

/// The text, the reasoning, the calls, how it ended.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    text: String,
    reasoning: String,
    calls: Vec<(String, String, Value)>,
    usage: Option<Usage>,
    echo: Option<Value>,
    end: Option<FinishReason>,
    failure: Option<ErrorCode>,
}

fn gather(events: Out, failure: Option<ErrorCode>) -> Answer {
    let mut answer = Answer {
        failure,
        ..Answer::default()
    };
    for event in events {
        match event {
            ModelEvent::Echo(echo) => answer.echo = Some(echo),
            ModelEvent::Notice(_) => {}
            ModelEvent::Text(text) => answer.text.push_str(&text),
            ModelEvent::Reasoning(text) => answer.reasoning.push_str(&text),
            ModelEvent::WasReasoning => answer.reasoning = std::mem::take(&mut answer.text),
            ModelEvent::ToolCall(ToolCall {
                id,
                name,
                arguments,
                ..
            }) => answer.calls.push((id, name, arguments)),
            ModelEvent::Usage(usage) => answer.usage = Some(usage),
            ModelEvent::Finished(finish) => answer.end = Some(finish),
        }
    }
    answer
}

/// Reads a body that comes in these pieces.
fn run(pieces: &[&[u8]]) -> (Out, Option<ErrorCode>) {
    let mut reader = fresh();
    let mut out = Out::new();
    let mut parser = Parser::default();
    for piece in pieces {
        let mut rest = *piece;
        while let Some(event) = parser.next(&mut rest).unwrap() {
            if let Err(failure) = reader.event(&event, &mut out) {
                reader.flush(&mut out);
                return (out, Some(failure.code));
            }
            if reader.ending() == Ending::Over {
                break;
            }
        }
    }
    let end = reader.end(&mut out);
    (out, end.err().map(|failure| failure.code))
}

fn stream(events: &[Value]) -> Vec<u8> {
    let event = |value: &Value| {
        let kind = value["type"].as_str().unwrap_or_default();
        format!("event: {kind}\ndata: {value}\n\n").into_bytes()
    };
    events.iter().flat_map(event).collect()
}

fn read(events: &[Value]) -> Answer {
    let (out, failure) = run(&[&stream(events)]);
    gather(out, failure)
}

fn words(index: u64, text: &str) -> Value {
    json!({
        "type": "response.output_text.delta", "item_id": format!("msg_{index}"),
        "output_index": index, "content_index": 0, "delta": text,
    })
}

fn said(text: &str) -> Value {
    json!({"type": "message", "id": "msg_0", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn called(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "now",
        "arguments": arguments, "status": "completed"})
}

fn added(index: u64, item: &Value) -> Value {
    json!({"type": "response.output_item.added", "output_index": index, "item": item})
}

fn closed(index: u64, item: &Value) -> Value {
    json!({"type": "response.output_item.done", "output_index": index, "item": item})
}

fn arguments(index: u64, id: &str, piece: &str) -> Value {
    json!({
        "type": "response.function_call_arguments.delta", "item_id": format!("fc_{id}"),
        "output_index": index, "delta": piece,
    })
}

fn completed(output: &Value) -> Value {
    json!({"type": "response.completed", "response": {
        "status": "completed", "output": output, "error": null,
        "usage": {
            "input_tokens": 20,
            "input_tokens_details": {"cached_tokens": 8, "cache_write_tokens": 3},
            "output_tokens": 9, "output_tokens_details": {"reasoning_tokens": 4},
            "cost": 0.000_025,
        },
    }})
}

fn call(id: &str, arguments: Value) -> (String, String, Value) {
    (id.to_owned(), "now".to_owned(), arguments)
}

fn sealed(outline: &Value) -> Value {
    json!({"host": "h", "model": "m", "kept": outline})
}

/// An answer with everything, as the service itself tells it.
fn full() -> Vec<Value> {
    let thought = json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "c2VhbA==",
        "summary": [{"type": "summary_text", "text": "First"}, {"type": "summary_text", "text": "then"}]});
    let summary = |index: u64, text: &str| {
        json!({"type": "response.reasoning_summary_text.delta", "item_id": "rs_1",
            "output_index": 0, "summary_index": index, "delta": text})
    };
    let message = json!({"type": "message", "id": "msg_1", "role": "assistant",
        "content": [{"type": "output_text", "text": "早安!"}]});
    vec![
        json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}),
        json!({"type": "response.in_progress", "response": {"status": "in_progress"}}),
        added(
            0,
            &json!({"type": "reasoning", "id": "rs_1", "summary": []}),
        ),
        summary(0, "Fir"),
        summary(0, "st"),
        summary(1, "then"),
        closed(0, &thought),
        added(1, &json!({"type": "message", "id": "msg_1", "content": []})),
        json!({"type": "response.content_part.added", "item_id": "msg_1", "output_index": 1,
            "content_index": 0, "part": {"type": "output_text", "text": ""}}),
        words(1, "早"),
        words(1, "安!"),
        json!({"type": "response.output_text.done", "item_id": "msg_1", "output_index": 1,
            "content_index": 0, "text": "早安!"}),
        closed(1, &message),
        added(2, &called("a", "")),
        arguments(2, "a", "{\"zone\":"),
        arguments(2, "a", "\"UTC\"}"),
        json!({"type": "response.function_call_arguments.done", "item_id": "fc_a",
            "output_index": 2, "arguments": "{\"zone\":\"UTC\"}"}),
        closed(2, &called("a", "{\"zone\":\"UTC\"}")),
        completed(&json!([
            thought,
            message,
            called("a", "{\"zone\":\"UTC\"}")
        ])),
    ]
}

fn full_answer() -> Answer {
    Answer {
        text: "早安!".to_owned(),
        reasoning: "First\n\nthen".to_owned(),
        calls: vec![call("a", json!({"zone": "UTC"}))],
        usage: Some(Usage {
            input_tokens: 20,
            cached_tokens: 8,
            cache_written_tokens: 3,
            output_tokens: 9,
            cost: Some(Cost(25_000)),
        }),
        echo: Some(sealed(&json!([
            {"kept": {"type": "reasoning", "encrypted_content": "c2VhbA==", "summary": [
                {"type": "summary_text", "text": "First"},
                {"type": "summary_text", "text": "then"},
            ]}},
            {"words": {"bytes": 7}},
            "call",
        ]))),
        end: Some(FinishReason::ToolCalls),
        failure: None,
    }
}

#[test]
fn an_answer_told_in_full_is_given_once() {
    assert_eq!(read(&full()), full_answer());
}

#[test]
fn each_event_but_the_pieces_and_the_last_may_be_missing_or_come_twice() {
    let all = full();
    let last = all.len() - 1;
    for at in 0..last {
        let kind = all[at]["type"].as_str().unwrap_or_default();
        if kind.ends_with(".delta") {
            continue;
        }
        let mut missing = all.clone();
        missing.remove(at);
        assert_eq!(read(&missing), full_answer(), "without {}", all[at]);
        let mut twice = all.clone();
        twice.insert(at, all[at].clone());
        assert_eq!(read(&twice), full_answer(), "twice {}", all[at]);
    }
    assert_eq!(read(&all[last..]), full_answer());
}

#[test]
fn the_same_bytes_cut_anywhere_give_the_same_events() {
    let bytes = stream(&full());
    let whole = run(&[&bytes]);
    assert_eq!(gather(whole.0.clone(), whole.1), full_answer());
    for cut in 1..bytes.len() {
        let (first, second) = bytes.split_at(cut);
        assert_eq!(run(&[first, second]), whole, "cut at {cut}");
        // And a stream that ends there was cut, and gives no call.
        if cut < bytes.len() - 1 {
            let (out, failure) = run(&[first]);
            let answer = gather(out, failure);
            assert_eq!(answer.failure, Some(ErrorCode::StreamCut), "ends at {cut}");
            assert!(answer.calls.is_empty(), "ends at {cut}");
        }
    }
}

#[test]
fn plain_pieces_go_where_the_ones_before_them_went() {
    let piece = |index: u64, number: u64, text: &str| {
        json!({"type": "response.output_text.delta", "item_id": format!("m{index}"),
            "output_index": index, "content_index": 0, "delta": text,
            "sequence_number": number, "obfuscation": "x".repeat(usize::try_from(number).unwrap())})
    };
    let answer = read(&[
        piece(0, 1, "One"),
        piece(0, 2, ", two"),
        piece(0, 30, ", \"three\""),
        piece(1, 31, "Four"),
        piece(1, 32, ", five"),
        piece(0, 33, "!"),
        completed(&Value::Null),
    ]);
    assert_eq!(answer.text, "One, two, \"three\"\n\nFour, five!");
}

#[test]
fn servers_that_tell_less_are_understood() {
    let zone = json!({"zone": "UTC"});
    let text = "{\"zone\":\"UTC\"}";
    let bare = json!({"type": "response.completed", "response": {}});
    let cases: Vec<(&str, Vec<Value>)> = vec![
        (
            "no index, no item id",
            vec![
                json!({"type": "response.output_item.added", "item": called("a", "")}),
                json!({"type": "response.function_call_arguments.delta", "delta": text}),
                bare.clone(),
            ],
        ),
        (
            "an item id made up for each event",
            vec![
                added(1, &called("a", "")),
                arguments(1, "other", "{\"zone\":"),
                arguments(1, "another", "\"UTC\"}"),
                closed(
                    1,
                    &json!({"type": "function_call", "id": "fc_third", "call_id": "a",
                        "name": "now", "arguments": text}),
                ),
                bare.clone(),
            ],
        ),
        (
            "the end of the item only",
            vec![closed(0, &called("a", text)), bare.clone()],
        ),
        (
            "the last event only",
            vec![completed(&json!([called("a", text)]))],
        ),
        (
            "arguments with the opening only",
            vec![added(0, &called("a", text)), bare.clone()],
        ),
        (
            "arguments as an object",
            vec![
                closed(
                    0,
                    &json!({"type": "function_call", "call_id": "a", "name": "now", "arguments": zone}),
                ),
                bare.clone(),
            ],
        ),
        (
            "the call named by its item's id",
            vec![
                closed(
                    0,
                    &json!({"type": "function_call", "id": "a", "name": "now", "arguments": text}),
                ),
                bare,
            ],
        ),
        (
            "another id in the last event",
            vec![
                closed(0, &called("a", text)),
                completed(&json!([called("b", text)])),
            ],
        ),
    ];
    for (case, events) in cases {
        let answer = read(&events);
        assert_eq!(answer.calls, [call("a", zone.clone())], "{case}");
        assert_eq!(answer.end, Some(FinishReason::ToolCalls), "{case}");
    }
}

#[test]
fn two_calls_at_one_index_stay_two() {
    let answer = read(&[
        added(0, &called("a", "")),
        arguments(0, "a", "{\"zone\":\"UTC\"}"),
        added(0, &called("b", "")),
        arguments(0, "b", "{\"zone\":\"CET\"}"),
        closed(0, &called("a", "{\"zone\":\"UTC\"}")),
        closed(0, &called("b", "{\"zone\":\"CET\"}")),
        completed(&json!([])),
    ]);
    let expected = [
        call("a", json!({"zone": "UTC"})),
        call("b", json!({"zone": "CET"})),
    ];
    assert_eq!(answer.calls, expected);
}

#[test]
fn parallel_calls_may_be_told_in_turns() {
    let answer = read(&[
        added(0, &called("a", "")),
        added(1, &called("b", "")),
        arguments(1, "b", "{\"zone\":"),
        arguments(0, "a", "{}"),
        arguments(1, "b", "\"CET\"}"),
        completed(&Value::Null),
    ]);
    let expected = [call("a", json!({})), call("b", json!({"zone": "CET"}))];
    assert_eq!(answer.calls, expected);
}

#[test]
fn texts_come_from_wherever_they_are() {
    let refusal = json!({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]});
    let done = json!({"type": "response.output_text.done", "text": "Good day"});
    let unnamed = json!({"role": "assistant", "content": "Good day"});
    let cases = [
        (vec![done.clone()], "Good day"),
        (vec![words(0, "Good"), done.clone()], "Good day"),
        (vec![words(0, "Good"), done.clone(), done], "Good day"),
        (vec![closed(0, &said("Good day"))], "Good day"),
        (vec![closed(0, &unnamed)], "Good day"),
        (vec![words(0, "One"), words(1, "Two")], "One\n\nTwo"),
        (
            vec![json!({"type": "response.refusal.delta", "delta": "No."})],
            "No.",
        ),
        (
            vec![json!({"type": "response.refusal.done", "refusal": "No."})],
            "No.",
        ),
        (vec![closed(0, &refusal)], "No."),
        (
            vec![
                words(0, "a"),
                words(0, "ab"),
                words(0, "abc"),
                words(0, "abcd"),
            ],
            "abcd",
        ),
        (
            vec![words(0, "<think>hm</think>"), words(0, "Good day")],
            "Good day",
        ),
    ];
    for (mut events, text) in cases {
        events.push(completed(&Value::Null));
        let answer = read(&events);
        assert_eq!(answer.text, text, "{events:?}");
        assert_eq!(answer.end, Some(FinishReason::Stop), "{events:?}");
    }
}

#[test]
fn of_a_thought_and_its_summary_only_one_is_told() {
    let thought = |piece: &str| json!({"type": "response.reasoning_text.delta", "item_id": "rs", "delta": piece});
    let whole = json!({"type": "reasoning", "id": "rs",
        "content": [{"type": "reasoning_text", "text": "step by step"}],
        "summary": [{"type": "summary_text", "text": "steps"}]});
    for mut events in [
        vec![thought("step by"), thought(" step"), closed(0, &whole)],
        vec![closed(0, &whole)],
    ] {
        events.push(completed(&Value::Null));
        assert_eq!(read(&events).reasoning, "step by step", "{events:?}");
    }
}

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

#[test]
fn what_goes_back_keeps_its_place() {
    let thought = |seal: &str| json!({"type": "reasoning", "id": seal, "status": null, "encrypted_content": seal, "summary": []});
    let kept = |seal: &str| json!({"kept": {"type": "reasoning", "encrypted_content": seal, "summary": []}});
    let message = |text: &str, phase: &str| json!({"type": "message", "phase": phase, "content": [{"type": "output_text", "text": text}]});
    let output = json!([
        thought("one"),
        message("Wait.", "commentary"),
        thought("two"),
        called("a", "{}"),
        message("Done.", "final_answer"),
    ]);
    let expected = sealed(&json!([
        kept("one"),
        {"words": {"bytes": 5, "mark": "commentary"}},
        kept("two"),
        "call",
        {"words": {"bytes": 7, "mark": "final_answer"}},
    ]));
    let items = output.as_array().unwrap();
    let mut streamed: Vec<Value> = (0..)
        .zip(items)
        .map(|(index, item)| closed(index, item))
        .collect();
    streamed.push(completed(&json!([])));
    for events in [vec![completed(&output)], streamed] {
        let answer = read(&events);
        assert_eq!(answer.text, "Wait.\n\nDone.");
        assert_eq!(answer.echo, Some(expected.clone()), "{events:?}");
    }
}

#[test]
fn a_thought_goes_back_if_it_is_sealed_or_can_be_read() {
    let open = json!({"type": "reasoning", "id": "rs", "encrypted_content": "",
        "content": [{"type": "reasoning_text", "text": "hm"}], "summary": []});
    let bare = json!({"type": "reasoning", "id": "rs", "encrypted_content": null,
        "summary": [{"type": "summary_text", "text": "hm"}]});
    for (thought, kept) in [(&open, Some(&open)), (&bare, None)] {
        let answer = read(&[closed(0, thought), completed(&json!([thought, said("a")]))]);
        let expected = kept.map(|kept| sealed(&json!([{"kept": kept}, {"words": {"bytes": 1}}])));
        assert_eq!(answer.echo, expected, "{thought}");
    }
    let cut = read(&[closed(0, &open)]);
    assert_eq!((cut.echo, cut.failure), (None, Some(ErrorCode::StreamCut)));
}
