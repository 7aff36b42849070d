//! Where a model's thoughts stand, and where they end.

use serde_json::{Value, json};

use super::{Outcome, delta, finish, read, read_offered, stopped, text};

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
