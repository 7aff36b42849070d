use proptest::prelude::*;
use serde_json::{Value, json};

use super::{CREDIT, Learnt};

const WORDS: &str = "/choices/0/delta/content";
const IDLE: [&str; 3] = ["/id", "/created", "/obfuscation"];

/// What was learnt from one piece.
fn learnt(piece: &str) -> Learnt {
    let mut learnt = Learnt::default();
    let value = serde_json::from_str(piece).expect("the piece is JSON");
    learnt.learn(piece, &value, WORDS, &IDLE);
    learnt
}

fn words(learnt: &mut Learnt, piece: &str) -> Option<String> {
    learnt.words(piece).map(std::borrow::Cow::into_owned)
}

#[test]
fn a_piece_with_other_words_fits() {
    let mut shape = learnt(r#"{"id":"a","created":17,"choices":[{"delta":{"content":"Good"}}]}"#);
    for (content, expected) in [
        (" day", " day"),
        ("", ""),
        ("你好 🌍", "你好 🌍"),
        (r#"a \"word\"\n"#, "a \"word\"\n"),
        (r"\\", "\\"),
        (r"\u4f60\ud83c\udf0d", "你🌍"),
    ] {
        let piece = format!(
            r#"{{"id":"b2","created":18,"choices":[{{"delta":{{"content":"{content}"}}}}]}}"#
        );
        assert_eq!(
            words(&mut shape, &piece).as_deref(),
            Some(expected),
            "{piece}"
        );
    }
}

#[test]
fn a_piece_that_differs_elsewhere_does_not_fit() {
    let mut shape = learnt(r#"{"created":17,"choices":[{"delta":{"content":"Good"}}]}"#);
    for piece in [
        "",
        "{",
        "[DONE]",
        r#"{"created":17,"choices":[{"delta":{"content":"Good"}}]"#,
        r#"{"created":17,"choices":[{"delta":{"content":"Good"}}]}}"#,
        r#"{"created":17,"choices":[{"delta":{"content":null}}]}"#,
        r#"{"created":17,"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
        r#"{"created":17,"choices":[{"delta":{"content":"a","content":"b"}}]}"#,
        r#"{"created":"17","choices":[{"delta":{"content":"a"}}]}"#,
        r#"{"created":017,"choices":[{"delta":{"content":"a"}}]}"#,
        r#"{"created":,"choices":[{"delta":{"content":"a"}}]}"#,
        r#"{"created":1.5,"choices":[{"delta":{"content":"a"}}]}"#,
        r#"{"created":17,"choices":[{"delta":{"content":"\d"}}]}"#,
        r#"{"created":17,"choices":[{"delta":{"content":"\ud83c"}}]}"#,
        "{\"created\":17,\"choices\":[{\"delta\":{\"content\":\"a\nb\"}}]}",
        r#"{"created":17,"choices":[{"delta":{"content":"a\"}}]}"#,
    ] {
        assert_eq!(words(&mut shape, piece), None, "{piece}");
    }
}

#[test]
fn the_words_are_told_from_what_only_looks_like_them() {
    for piece in [
        r#"{"message":{"content":"hi"},"choices":[{"delta":{"content":"hi"}}]}"#,
        r#"{"choices":[{"delta":{"content":"hi"}}],"message":{"content":"hi"}}"#,
        r#"{"note":"\"content\":\"hi\"","choices":[{"delta":{"content":"hi"}}]}"#,
        r#"{"choices":[{"delta":{"content":"first","content":"hi"}}]}"#,
        r#"{ "choices" : [ { "delta" : { "content" : "hi" } } ] }"#,
    ] {
        let mut shape = learnt(piece);
        assert_eq!(words(&mut shape, piece).as_deref(), Some("hi"), "{piece}");
    }
}

#[test]
fn a_stream_without_a_shape_is_soon_left_alone() {
    let mut learnt = Learnt::default();
    for count in 0..CREDIT {
        let value = json!({"seed": count, "choices": [{"delta": {"content": "a"}}]});
        let piece = value.to_string();
        assert_eq!(learnt.words(&piece), None, "{piece}");
        learnt.learn(&piece, &value, WORDS, &IDLE);
    }
    assert_eq!(learnt.credit, 0);
}

proptest! {
    #[test]
    fn whatever_fits_means_what_json_says(
        first in ".*", piece in r#"\{"id":"[a-z"\\]{0,3}","choices":\[\{"delta":\{"content":".{0,12}"\}\}\]\}"#,
    ) {
        let value = json!({"id": "x", "choices": [{"delta": {"content": first}}]});
        let mut shape = Learnt::default();
        shape.learn(r#"{"id":"x","choices":[{"delta":{"content":"y"}}]}"#, &json!({"id": "x", "choices": [{"delta": {"content": "y"}}]}), WORDS, &IDLE);
        let text = value.to_string();
        for piece in [piece.as_str(), text.as_str()] {
            let parsed = serde_json::from_str::<Value>(piece).ok();
            let content = parsed.as_ref().and_then(|value| value.pointer(WORDS)?.as_str());
            if let Some(found) = words(&mut shape, piece) {
                prop_assert_eq!(Some(found.as_str()), content);
            }
        }
    }
}
