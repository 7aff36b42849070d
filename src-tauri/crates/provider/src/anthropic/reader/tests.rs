use serde_json::{Value, json};
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, ToolCall, Usage};

use super::Reader;
use crate::answer::{Ending, Out, Reader as _};
use crate::echo::Maker;
use crate::printed_calls::Offer;
use crate::sse::Event;
use crate::tool_calls::Ids;

fn fresh() -> Reader {
    Reader::new(Maker::model("h", "m"), Ids::default(), Offer::default())
}

type Outcome = (Vec<ModelEvent>, Option<ErrorCode>);

fn read(events: &[Value]) -> Outcome {
    let mut reader = fresh();
    let mut out = Out::new();
    let mut end = Ok(());
    for value in events {
        let name = value
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let data = &value.to_string();
        end = reader.event(&Event { name, data }, &mut out);
        if end.is_err() || reader.ending() == Ending::Over {
            break;
        }
    }
    let end = end.and_then(|()| reader.end(&mut out));
    (out.into(), end.err().map(|failure| failure.code))
}

fn start() -> Value {
    json!({"type": "message_start", "message": {"id": "m", "content": [], "usage": {
        "input_tokens": 10, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 2, "output_tokens": 1,
    }}})
}

fn block(index: u64, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn words(text: &str) -> Value {
    delta(0, &json!({"type": "text_delta", "text": text}))
}

fn stop(reason: &str) -> Vec<Value> {
    vec![
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]
}

fn used() -> ModelEvent {
    ModelEvent::Usage(Usage {
        input_tokens: 17,
        cached_tokens: 5,
        cache_written_tokens: 2,
        output_tokens: 9,
        cost: None,
    })
}

/// What goes back, as it is sealed.
fn echo(outline: &Value) -> ModelEvent {
    ModelEvent::Echo(json!({"host": "h", "model": "m", "kept": outline}))
}

fn call(id: &str, arguments: Value) -> ModelEvent {
    ModelEvent::ToolCall(ToolCall {
        id: id.to_owned(),
        name: "now".to_owned(),
        arguments,
        echo: None,
        recovered: false,
    })
}

#[test]
fn words_and_thoughts_come_in_order_and_then_the_end() {
    let mut events = vec![
        start(),
        block(0, &json!({"type": "thinking", "thinking": ""})),
        delta(0, &json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(0, &json!({"type": "signature_delta", "signature": "QUJD"})),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "ping"}),
        block(1, &json!({"type": "text", "text": ""})),
        words("早"),
        json!({"type": "something_new"}),
        words("安"),
    ];
    events.extend(stop("end_turn"));
    let expected = vec![
        ModelEvent::Reasoning("hm".to_owned()),
        ModelEvent::Text("早".to_owned()),
        ModelEvent::Text("安".to_owned()),
        used(),
        echo(&json!([
            {"kept": {"type": "thinking", "thinking": "hm", "signature": "QUJD"}},
            {"words": {"bytes": 6}},
        ])),
        ModelEvent::Finished(FinishReason::Stop),
    ];
    assert_eq!(read(&events), (expected, None));
}

#[test]
fn calls_are_given_whole_at_the_end() {
    let piece = |index, text: &str| {
        delta(
            index,
            &json!({"type": "input_json_delta", "partial_json": text}),
        )
    };
    let mut events = vec![
        start(),
        block(
            0,
            &json!({"type": "tool_use", "id": "t1", "name": "now", "input": {}}),
        ),
        piece(0, ""),
        block(
            1,
            &json!({"type": "tool_use", "id": "t2", "name": "now", "input": {}}),
        ),
        piece(1, "{\"zone\":"),
        piece(1, "\"UTC\"}"),
        block(
            2,
            &json!({"type": "tool_use", "id": "t3", "name": "now", "input": {"zone": "CET"}}),
        ),
    ];
    events.extend(stop("tool_use"));
    let expected = vec![
        used(),
        call("t1", json!({})),
        call("t2", json!({"zone": "UTC"})),
        call("t3", json!({"zone": "CET"})),
        ModelEvent::Finished(FinishReason::ToolCalls),
    ];
    assert_eq!(read(&events), (expected, None));
}

#[test]
fn a_stream_without_an_end_was_cut_and_gives_no_call() {
    let events = [
        start(),
        block(
            0,
            &json!({"type": "tool_use", "id": "t1", "name": "now", "input": {}}),
        ),
        delta(
            0,
            &json!({"type": "input_json_delta", "partial_json": "{}"}),
        ),
    ];
    let (events, code) = read(&events);
    assert_eq!(code, Some(ErrorCode::StreamCut));
    assert!(
        !events
            .iter()
            .any(|event| matches!(event, ModelEvent::ToolCall(_)))
    );
    assert_eq!(read(&[]), (Vec::new(), Some(ErrorCode::StreamCut)));
}

#[test]
fn each_reason_is_known() {
    let cases = [
        ("end_turn", FinishReason::Stop),
        ("stop_sequence", FinishReason::Stop),
        ("pause_turn", FinishReason::Stop),
        ("max_tokens", FinishReason::Length),
        ("refusal", FinishReason::ContentFilter),
        ("tool_use", FinishReason::Stop),
    ];
    for (reason, finish) in cases {
        let mut events = vec![start(), words("a")];
        events.extend(stop(reason));
        let (events, code) = read(&events);
        assert_eq!(
            (events.last(), code),
            (Some(&ModelEvent::Finished(finish)), None),
            "{reason}"
        );
    }
    let mut events = vec![start()];
    events.extend(stop("model_context_window_exceeded"));
    assert_eq!(read(&events).1, Some(ErrorCode::ContextOverflow));
}

#[test]
fn a_relay_may_leave_out_the_last_event() {
    let mut events = vec![start(), words("a")];
    events.extend(stop("end_turn").into_iter().take(1));
    assert_eq!(read(&events).1, None);
}

#[test]
fn an_error_ends_the_stream_after_what_came() {
    let error =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let (events, code) = read(&[start(), words("a"), error]);
    assert_eq!(events, [ModelEvent::Text("a".to_owned())]);
    assert_eq!(code, Some(ErrorCode::Overloaded));

    let mut reader = fresh();
    let bare = Event {
        name: "error",
        data: "",
    };
    assert!(reader.event(&bare, &mut Out::new()).is_err());
    let nonsense = Event {
        name: "",
        data: "who",
    };
    assert!(reader.event(&nonsense, &mut Out::new()).is_err());
}

#[test]
fn an_answer_that_comes_whole_is_an_answer() {
    let answer = json!({
        "type": "message", "stop_reason": "tool_use",
        "content": [{"type": "text", "text": "ok"}, {"type": "tool_use", "id": "t1", "name": "now", "input": {}}],
        "usage": {"input_tokens": 1, "output_tokens": 2},
    });
    let mut reader = fresh();
    let mut out = Out::new();
    reader.whole(&answer, &mut out).expect("it is an answer");
    reader.end(&mut out).expect("it is complete");
    let usage = Usage {
        input_tokens: 1,
        cached_tokens: 0,
        output_tokens: 2,
        ..Usage::default()
    };
    let expected = [
        ModelEvent::Text("ok".to_owned()),
        ModelEvent::Usage(usage),
        call("t1", json!({})),
        ModelEvent::Finished(FinishReason::ToolCalls),
    ];
    assert_eq!(Vec::from(out), expected);
    assert!(
        fresh()
            .whole(&json!({"hello": 1}), &mut Out::new())
            .is_err()
    );
}

#[test]
fn only_thoughts_that_prove_their_maker_go_back() {
    let redacted = json!({"type": "redacted_thinking", "data": "c2VhbA=="});
    let mut events = vec![
        start(),
        block(0, &json!({"type": "thinking", "thinking": "unsigned"})),
        block(1, &redacted),
        block(
            2,
            &json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        delta(2, &json!({"type": "signature_delta", "signature": "QUJD"})),
        block(3, &json!({"type": "text", "text": "a"})),
        block(
            4,
            &json!({"type": "tool_use", "id": "t1", "name": "now", "input": {}}),
        ),
    ];
    events.extend(stop("tool_use"));
    let (events, _) = read(&events);
    let expected = echo(&json!([
        {"kept": redacted},
        {"kept": {"type": "thinking", "thinking": "", "signature": "QUJD"}},
        {"words": {"bytes": 1}},
        "call",
    ]));
    let at = events.iter().position(|event| *event == expected);
    assert_eq!(at, Some(events.len() - 3), "{events:?}");
}

#[test]
fn an_answer_that_was_cut_or_unsigned_has_nothing_to_go_back() {
    let thought = |signature: &str| {
        vec![
            start(),
            block(
                0,
                &json!({"type": "thinking", "thinking": "hm", "signature": signature}),
            ),
            block(1, &json!({"type": "text", "text": "a"})),
        ]
    };
    let has_echo = |events: &[Value]| {
        let (events, _) = read(events);
        events
            .iter()
            .any(|event| matches!(event, ModelEvent::Echo(_)))
    };
    assert!(!has_echo(&thought("QUJD")));
    assert!(!has_echo(&[thought(""), stop("end_turn")].concat()));
    assert!(has_echo(&[thought("QUJD"), stop("end_turn")].concat()));
}

#[test]
fn arguments_are_not_read_twice() {
    let opening = json!({"type": "tool_use", "id": "t1", "name": "now", "input": {"zone": "CET"}});
    let piece = |text: &str| {
        delta(
            0,
            &json!({"type": "input_json_delta", "partial_json": text}),
        )
    };
    let cases = [
        (vec![block(0, &opening)], "CET"),
        (vec![block(0, &opening), piece("")], "CET"),
        (vec![block(0, &opening), block(0, &opening)], "CET"),
        (
            vec![block(0, &opening), piece("{\"zone\":"), piece("\"UTC\"}")],
            "UTC",
        ),
    ];
    for (blocks, zone) in cases {
        let events = [vec![start()], blocks, stop("tool_use")].concat();
        let (events, _) = read(&events);
        let calls: Vec<_> = events
            .into_iter()
            .filter(|event| matches!(event, ModelEvent::ToolCall(_)))
            .collect();
        assert_eq!(calls, [call("t1", json!({"zone": zone}))], "{zone}");
    }
}

#[test]
fn relays_that_tell_less_are_understood() {
    let bare = json!({"type": "message_start", "message": {"id": "m"}});
    let zero = json!({"type": "message_start", "message": {"usage": {"input_tokens": 0}}});
    let end = |usage: &Value| json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage});
    let all = end(&json!({"input_tokens": 7, "output_tokens": 9}));
    let said = words("a");
    for (events, input) in [
        (vec![bare, said.clone(), all.clone()], 7),
        (vec![zero, said.clone(), all], 7),
        (
            vec![
                start(),
                said.clone(),
                end(&json!({"input_tokens": 0, "output_tokens": 9})),
            ],
            17,
        ),
        (vec![said, end(&json!({"output_tokens": 9}))], 0),
    ] {
        let (events, code) = read(&events);
        assert_eq!(code, None);
        assert_eq!(events.first(), Some(&ModelEvent::Text("a".to_owned())));
        let Some(ModelEvent::Usage(usage)) = events.get(1) else {
            panic!("{events:?}");
        };
        assert_eq!((usage.input_tokens, usage.output_tokens), (input, 9));
        assert_eq!(
            events.last(),
            Some(&ModelEvent::Finished(FinishReason::Stop))
        );
    }
}
