//! How a stream of text is told apart: when it is given, where reasoning ends, at what cost.

use proptest::prelude::*;

use super::super::{End, FORMS};
use super::{Found, finder, read, read_in_every_way, told};
use crate::answer::Out;

#[test]
fn text_streams_as_it_comes() {
    let steps: &[&[(&str, &str)]] = &[
        &[
            ("Hello", "Hello"),
            (" ", ""),
            ("you", " you"),
            (".\n", "."),
            ("<", ""),
            ("b>", "\n<b>"),
        ],
        // A mark, until it opens nothing.
        &[
            ("<tool", ""),
            ("_call>", ""),
            (" ", ""),
            ("is", "<tool_call> is"),
            (" it", " it"),
        ],
        &[("`<tool", "`<tool"), ("_call>`", "_call>`")],
        // JSON, until a key or a name can't be a call's.
        &[
            ("{", ""),
            ("\"cit", ""),
            ("y\"", "{\"city\""),
            (": 1", ": 1"),
        ],
        &[
            ("{\"name\": \"f", ""),
            ("red", "{\"name\": \"fred"),
            ("\"}", "\"}"),
        ],
        &[("[", ""), ("1", "[1"), (", 2]", ", 2]")],
        &[("[fi", ""), ("x", "[fix")],
        &[("so {", "so {"), ("\"name\":", "\"name\":")],
        // A call is kept.
        &[("<function=now>", ""), ("</function>\n", ""), ("More", "")],
    ];
    for pieces in steps {
        let mut finder = finder();
        for (piece, expected) in *pieces {
            let mut out = Out::new();
            finder.push(piece, &mut out);
            let (_, given) = told(out);
            assert_eq!(given, *expected, "{piece:?} of {pieces:?}");
        }
    }
}

#[test]
fn an_end_of_reasoning_makes_reasoning_of_what_came() {
    let cases = [
        ("Hm, so.\n</think>\n\nYes.", "Hm, so.\n", "Yes."),
        ("Hm, so.</think>Yes.", "Hm, so.", "Yes."),
        ("Hm. </think>\nYes.", "Hm. ", "Yes."),
        ("It's \"so\n</think>\nYes", "It's \"so\n", "Yes"),
        ("嗯◁/think▷好", "嗯", "好"),
        ("Hm.[/THINK]Yes.", "Hm.", "Yes."),
        ("Hm.</think>", "Hm.", ""),
        ("</think>\n\nYes.", "", "Yes."),
        ("\n\n</think>\n\nYes.", "", "Yes."),
        ("a</think>b</think>c", "a", "b</think>c"),
        ("a `b\n</think>c", "a `b\n", "c"),
        // Somebody writes about it.
        ("The </think> tag ends it.", "", "The </think> tag ends it."),
        ("The `</think>` tag.", "", "The `</think>` tag."),
        ("\"</think>\"", "", "\"</think>\""),
        ("```\nHm\n</think>\n```", "", "```\nHm\n</think>\n```"),
        ("a </thin", "", "a </thin"),
    ];
    for (answer, reasoning, text) in cases {
        let found = read_in_every_way(answer, End::Complete);
        assert_eq!(
            (found.reasoning.as_str(), found.text.as_str()),
            (reasoning, text),
            "{answer}"
        );
    }
}

#[test]
fn a_call_in_reasoning_is_left_alone() {
    let call = r#"<tool_call>{"name":"now","arguments":{}}</tool_call>"#;
    let thought = format!("Hm.\n{call}\nOr not.\n");
    let found = read_in_every_way(&format!("{thought}</think>\n\nNo."), End::Complete);
    assert_eq!(
        found,
        Found {
            reasoning: thought,
            text: "No.".to_owned(),
            calls: Vec::new()
        }
    );
    let found = read_in_every_way(&format!("Hm.\n</think>\n{call}"), End::Complete);
    assert_eq!(
        (
            found.reasoning.as_str(),
            found.text.as_str(),
            found.calls.len()
        ),
        ("Hm.\n", "", 1)
    );
    let found = read_in_every_way(
        "Hm.\n</think>\n{\"name\":\"now\",\"arguments\":{}}",
        End::Complete,
    );
    assert_eq!(found.calls.len(), 1);
}

#[test]
fn reasoning_that_shows_elsewhere_ends_nowhere_else() {
    let mut finder = finder();
    finder.reasoning_shows();
    let mut out = Out::new();
    finder.push("</think>\n", &mut out);
    assert_eq!(out, []);
    finder.push("a</think>b", &mut out);
    assert_eq!(told(out), (String::new(), "a</think>b".to_owned()));
}

#[test]
fn the_work_grows_with_the_answer_and_not_faster() {
    let starts = [
        "<",
        "{",
        "[",
        "`",
        " ",
        "\n",
        "<tool_call>",
        "<tool_call>{",
        "[[TOOL_CALLS]",
        "<function=find>",
        "</think",
        "\"",
        "{\"name\":\"now\",\"arguments\":{\"a\":\"<tool_call>",
        "<tool_call>now</tool_call> ",
        "<tool_call>now</tool_call>\n",
    ];
    for (count, start) in starts.into_iter().enumerate() {
        // The usual suspects at full length, the others long enough to tell a square.
        let size = if count < 2 { 1 << 20 } else { 1 << 16 };
        for whole in [true, false] {
            let answer = start.repeat(size / start.len());
            let mut finder = finder();
            let mut out = Out::new();
            let pieces: Vec<&str> = if whole {
                vec![answer.as_str()]
            } else {
                let step = answer.len().div_ceil(20_000);
                answer
                    .as_bytes()
                    .chunks(step)
                    .map(|piece| std::str::from_utf8(piece).unwrap())
                    .collect()
            };
            for piece in pieces {
                finder.push(piece, &mut out);
            }
            finder.finish(End::Complete, &mut out);
            assert!(
                finder.work < 40 * size,
                "{start:?}: {} for {} events",
                finder.work,
                out.len()
            );
        }
    }
}

fn fragment() -> impl Strategy<Value = String> {
    let marks = FORMS.iter().map(|form| form.open.to_owned());
    let others = [
        "</tool_call>",
        "{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}",
        "{\"name\":\"",
        "now",
        "find",
        "(word=\"a\")",
        "()",
        "</function>",
        "<parameter=word>",
        "</parameter>",
        ">",
        "\n",
        " ",
        "`",
        "```",
        "\"",
        "[",
        "]",
        "{",
        "}",
        "</think>",
        "雨",
        "<arg_key>word</arg_key><arg_value>",
        "</arg_value>",
        "[ARGS]{}",
        "a",
    ];
    prop::sample::select(marks.chain(others.map(str::to_owned)).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_depends_on_where_an_answer_is_cut(parts in prop::collection::vec(fragment(), 0..12)) {
        let answer = parts.concat();
        for end in [End::Complete, End::Cut, End::Called] {
            let whole = read([answer.as_str()], end);
            prop_assert_eq!(&read(parts.iter().map(String::as_str), end), &whole);
            prop_assert_eq!(&read(answer.split_inclusive(|_: char| true), end), &whole);
        }
    }

    #[test]
    fn nothing_is_lost_without_a_call(parts in prop::collection::vec(fragment(), 0..12)) {
        let answer = parts.concat().replace("</think>", "");
        let found = read([answer.as_str()], End::Cut);
        prop_assert_eq!(found.text.as_str(), answer.as_str());
        let found = read([answer.as_str()], End::Complete);
        prop_assert!(!found.calls.is_empty() || found.text == answer);
    }

    #[test]
    fn no_text_upsets_it(text in ".*") {
        read([text.as_str()], End::Complete);
    }
}
