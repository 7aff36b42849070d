mod ending;
mod kept;
mod less;

use serde_json::{Value, json};
use talaria_domain::{Cost, ErrorCode, FinishReason, ModelEvent, ToolCall, Usage};

use super::Reader;
use crate::answer::{Ending, Out, Reader as _};
use crate::echo::Maker;
use crate::printed_calls::Offer;
use crate::sse::{Event, Parser};
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
fn a_thought_of_which_nothing_is_told_may_take_its_time() {
    let thought = |id: &str| json!({"type": "reasoning", "id": id, "summary": []});
    let summary = json!({"type": "response.reasoning_summary_text.delta", "item_id": "rs",
        "output_index": 0, "delta": "hm"});
    let mut reader = fresh();
    let mut out = Out::new();
    for (event, has_begun) in [
        (added(0, &thought("rs")), false),
        (summary, true),
        (words(1, "a"), true),
        (added(2, &thought("rt")), false),
        (added(3, &called("a", "")), true),
    ] {
        let data = event.to_string();
        let event = Event {
            name: "",
            data: &data,
        };
        reader.event(&event, &mut out).unwrap();
        assert_eq!(reader.has_begun(), has_begun, "{data}");
    }
}
