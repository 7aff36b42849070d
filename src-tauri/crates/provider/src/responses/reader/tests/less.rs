//! Servers that tell an answer in fewer words than the protocol has.

use serde_json::{Value, json};
use talaria_domain::FinishReason;

use super::{added, arguments, call, called, closed, completed, read, said, words};

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
