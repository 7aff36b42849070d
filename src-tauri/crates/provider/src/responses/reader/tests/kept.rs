//! What goes back to the service with the next request.

use serde_json::{Value, json};
use talaria_domain::ErrorCode;

use super::{called, closed, completed, read, said, sealed};

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
