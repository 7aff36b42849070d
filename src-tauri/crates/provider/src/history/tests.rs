use proptest::prelude::*;
use serde_json::json;
use talaria_domain::{Message, ToolCall};

use super::{Answered, History, INTERRUPTED, OPENING, SILENT, Turn, arguments, tool_name};

fn call(id: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "now".to_owned(),
        arguments: json!({}),
        echo: None,
        recovered: false,
    }
}

fn system(text: &str) -> Message {
    Message::System {
        text: text.to_owned(),
    }
}

fn user(text: &str) -> Message {
    Message::User {
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

fn model(text: &str, calls: &[&str]) -> Message {
    let calls = calls.iter().map(|id| call(id)).collect();
    Message::Assistant {
        text: text.to_owned(),
        reasoning: None,
        echo: None,
        calls,
    }
}

fn result(id: &str, text: &str) -> Message {
    Message::Tool {
        call_id: id.to_owned(),
        name: "now".to_owned(),
        text: text.to_owned(),
        is_error: false,
    }
}

fn said(text: &str) -> Turn {
    Turn::User(text.to_owned())
}

fn spoke(text: &str, calls: &[(&str, &str)]) -> Turn {
    let calls = calls
        .iter()
        .map(|(id, result)| Answered {
            call: call(id),
            result: (*result).to_owned(),
            is_error: *result == INTERRUPTED,
        })
        .collect();
    Turn::Model {
        text: text.to_owned(),
        reasoning: None,
        calls,
    }
}

#[test]
fn each_kind_of_disorder_is_mended() {
    let cases = [
        (
            "in order",
            vec![user("a"), model("b", &[]), user("c")],
            vec![said("a"), spoke("b", &[]), said("c")],
        ),
        (
            "two of the user's",
            vec![user("a"), user("b")],
            vec![said("a\n\nb")],
        ),
        (
            "two of the model's",
            vec![
                user("a"),
                model("b", &[]),
                model("c", &["1"]),
                result("1", "r"),
            ],
            vec![said("a"), spoke("b\n\nc", &[("1", "r")])],
        ),
        (
            "blank messages",
            vec![user("a"), model(" \n", &[]), user(" "), user("b")],
            vec![said("a\n\nb")],
        ),
        (
            "blank words beside a call",
            vec![user("a"), model("\n", &["1"]), result("1", "r")],
            vec![said("a"), spoke("", &[("1", "r")])],
        ),
        (
            "the model begins",
            vec![model("b", &[]), user("a")],
            vec![said(OPENING), spoke("b", &[]), said("a")],
        ),
        (
            "an unanswered call",
            vec![
                user("a"),
                model("", &["1", "2"]),
                result("2", "r"),
                user("c"),
            ],
            vec![
                said("a"),
                spoke("", &[("1", INTERRUPTED), ("2", "r")]),
                said("c"),
            ],
        ),
        (
            "an unanswered call at the end",
            vec![user("a"), model("", &["1"])],
            vec![said("a"), spoke("", &[("1", INTERRUPTED)])],
        ),
        (
            "results in another order",
            vec![
                user("a"),
                model("", &["1", "2"]),
                result("2", "s"),
                result("1", "r"),
            ],
            vec![said("a"), spoke("", &[("1", "r"), ("2", "s")])],
        ),
        (
            "a result behind the user's words",
            vec![user("a"), model("", &["1"]), user("b"), result("1", "r")],
            vec![said("a"), spoke("", &[("1", "r")]), said("b")],
        ),
        (
            "a result without a call",
            vec![user("a"), result("9", "r"), model("b", &[])],
            vec![said("a"), spoke("b", &[])],
        ),
        (
            "a result twice",
            vec![
                user("a"),
                model("", &["1"]),
                result("1", "r"),
                result("1", "r"),
            ],
            vec![said("a"), spoke("", &[("1", "r")])],
        ),
        (
            "ids used again",
            vec![
                user("a"),
                model("", &["1"]),
                result("1", "r"),
                model("", &["1"]),
                result("1", "s"),
            ],
            vec![
                said("a"),
                spoke("", &[("1", "r")]),
                spoke("", &[("1", "s")]),
            ],
        ),
        (
            "a silent tool",
            vec![user("a"), model("", &["1"]), result("1", " ")],
            vec![said("a"), spoke("", &[("1", SILENT)])],
        ),
        ("nothing", vec![], vec![]),
    ];
    for (what, messages, turns) in cases {
        assert_eq!(History::settle(messages).turns, turns, "{what}");
    }
}

#[test]
fn all_system_messages_become_one() {
    let history = History::settle(vec![system("a"), user("u"), system("b"), system(" ")]);
    assert_eq!(history.system.as_deref(), Some("a\n\nb"));
    assert_eq!(history.turns, [said("u")]);
    assert_eq!(History::settle(vec![system(" "), user("u")]).system, None);
}

#[test]
fn a_made_up_tool_name_becomes_one_that_services_take() {
    for (name, safe) in [
        ("save_note", "save_note"),
        ("1st.tool with/space", "1st_tool_with_space"),
        ("工具", "__"),
        ("", "unnamed"),
    ] {
        assert_eq!(tool_name(name), safe);
    }
    assert_eq!(tool_name(&"x".repeat(90)).len(), 64);
}

#[test]
fn arguments_are_always_an_object() {
    let with = |arguments| ToolCall {
        arguments,
        ..call("1")
    };
    assert_eq!(arguments(&with(json!({"a": 1}))), json!({"a": 1}));
    assert_eq!(arguments(&with(json!(null))), json!({}));
    assert_eq!(
        arguments(&with(json!("{oops"))),
        json!({"unreadable": "{oops"})
    );
}

fn any_message() -> impl Strategy<Value = Message> {
    let id = prop_oneof![Just("1"), Just("2"), Just("3")];
    let words = prop_oneof![Just(""), Just(" "), Just("a"), Just("b")];
    prop_oneof![
        words.clone().prop_map(system),
        words.clone().prop_map(user),
        (
            words.clone(),
            proptest::sample::subsequence(vec!["1", "2", "3"], 0..3)
        )
            .prop_map(|(text, ids)| model(text, &ids)),
        (id, words).prop_map(|(id, text)| result(id, text)),
    ]
}

proptest! {
    #[test]
    fn whatever_the_history_the_outcome_is_in_strict_order(
        messages in proptest::collection::vec(any_message(), 0..20)
    ) {
        let history = History::settle(messages);
        let model_begins = matches!(history.turns.first(), Some(Turn::Model { .. }));
        prop_assert!(!model_begins);
        for pair in history.turns.windows(2) {
            match pair {
                [Turn::User(_), Turn::User(_)] => prop_assert!(false, "two users in a row"),
                [Turn::Model { calls, .. }, Turn::Model { .. }] => prop_assert!(!calls.is_empty()),
                _ => {}
            }
        }
        for turn in &history.turns {
            match turn {
                Turn::User(text) => prop_assert!(!text.trim().is_empty()),
                Turn::Model { text, calls, .. } => {
                    prop_assert!(!text.trim().is_empty() || !calls.is_empty());
                    prop_assert!(calls.iter().all(|answered| !answered.result.trim().is_empty()));
                }
            }
        }
    }
}
