mod adapted;

use proptest::prelude::*;
use serde_json::json;
use talaria_domain::{Attachment, AttachmentId, Message, ToolCall};

use super::{Answered, ENDING, History, INTERRUPTED, OPENING, SILENT, Turn, arguments};
use crate::attachment::{Files, Part, Reading};
use crate::dialect::{Dialect, Quirk};

fn settle(messages: Vec<Message>) -> History {
    let files = Files::new();
    let mut reading = Reading::new(&files, &Dialect::default(), true);
    History::settle(messages, &mut reading).expect("there are no files")
}

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
    Turn::User(vec![Part::Text(text.to_owned())])
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
        echo: None,
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
            vec![said("a"), spoke("b", &[]), said(ENDING)],
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
                model("", &["1", "1_2"]),
                result("1", "s"),
                result("1_2", "t"),
            ],
            vec![
                said("a"),
                spoke("", &[("1", "r")]),
                spoke("", &[("1_2", "s"), ("1_2_2", "t")]),
            ],
        ),
        (
            "an id twice in one message",
            vec![
                user("a"),
                model("", &["1", "1"]),
                result("1", "r"),
                result("1", "s"),
            ],
            vec![said("a"), spoke("", &[("1", "r"), ("1_2", "s")])],
        ),
        (
            "results lead, as where the talk was trimmed",
            vec![result("1", "r"), result("2", "s"), user("a")],
            vec![said("a")],
        ),
        (
            "calls without results in the middle",
            vec![
                user("a"),
                model("", &["1"]),
                model("b", &["2"]),
                result("2", "r"),
                user("c"),
            ],
            vec![
                said("a"),
                spoke("", &[("1", INTERRUPTED)]),
                spoke("b", &[("2", "r")]),
                said("c"),
            ],
        ),
        (
            "a result of a later message is not an earlier one's",
            vec![
                user("a"),
                model("", &["1"]),
                user("b"),
                model("", &["2"]),
                result("1", "late"),
                result("2", "r"),
            ],
            vec![
                said("a"),
                spoke("", &[("1", INTERRUPTED)]),
                said("b"),
                spoke("", &[("2", "r")]),
            ],
        ),
        (
            "the model speaks last",
            vec![user("a"), model("b", &[])],
            vec![said("a"), spoke("b", &[]), said(ENDING)],
        ),
        (
            "only a system message",
            vec![system("s")],
            vec![said(OPENING)],
        ),
        (
            "only results",
            vec![system("s"), result("1", "r")],
            vec![said(OPENING)],
        ),
        (
            "a silent tool",
            vec![user("a"), model("", &["1"]), result("1", " ")],
            vec![said("a"), spoke("", &[("1", SILENT)])],
        ),
        ("nothing", vec![], vec![]),
    ];
    for (what, messages, turns) in cases {
        assert_eq!(settle(messages).turns, turns, "{what}");
    }
}

#[test]
fn all_system_messages_become_one() {
    let history = settle(vec![system("a"), user("u"), system("b"), system(" ")]);
    assert_eq!(history.system.as_deref(), Some("a\n\nb"));
    assert_eq!(history.turns, [said("u")]);
    assert_eq!(settle(vec![system(" "), user("u")]).system, None);
}

#[test]
fn files_stand_before_the_words_they_came_with() {
    let attachment = |name: &str| Attachment {
        id: AttachmentId::from_bytes([1; 16]),
        name: name.to_owned(),
        media_type: "image/png".to_owned(),
        size: 1,
    };
    let sent = |text: &str| Message::User {
        text: text.to_owned(),
        attachments: vec![attachment("p.png")],
    };
    let image = || Part::Image {
        media_type: "image/png".to_owned(),
        data: "AA==".to_owned(),
    };
    let files = Files::from([(attachment("p.png").id, vec![0].into())]);
    let read = |dialect: &Dialect, messages| {
        History::settle(messages, &mut Reading::new(&files, dialect, true))
    };
    let text = |text: &str| Part::Text(text.to_owned());
    let plain = Dialect::default();
    for (messages, turns) in [
        (
            vec![sent("look")],
            vec![Turn::User(vec![image(), text("look")])],
        ),
        (vec![sent(" ")], vec![Turn::User(vec![image()])]),
        (
            vec![user("a"), sent("b")],
            vec![Turn::User(vec![text("a"), image(), text("b")])],
        ),
        (
            vec![sent("a"), user("b")],
            vec![Turn::User(vec![image(), text("a\n\nb")])],
        ),
    ] {
        assert_eq!(read(&plain, messages).expect("it is taken").turns, turns);
    }
    let blind = plain.with(Quirk::NoImages);
    assert!(read(&blind, vec![sent("look")]).is_err());
    let earlier = vec![sent("a"), model("b", &[]), user("c")];
    let turns = read(&blind, earlier).expect("it is told").turns;
    assert!(matches!(&turns[0], Turn::User(parts) if matches!(&parts[0], Part::Text(_))));
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
        let history = settle(messages);
        let model_ends = match history.turns.last() {
            Some(Turn::Model { calls, .. }) => calls.is_empty(),
            _ => false,
        };
        prop_assert!(!model_ends);
        let ids: Vec<_> = history
            .turns
            .iter()
            .filter_map(|turn| match turn {
                Turn::Model { calls, .. } => Some(calls),
                Turn::User(_) => None,
            })
            .flatten()
            .map(|answered| &answered.call.id)
            .collect();
        let different: std::collections::HashSet<_> = ids.iter().collect();
        prop_assert_eq!(different.len(), ids.len());
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
                Turn::User(parts) => {
                    let blank = |part: &Part| matches!(part, Part::Text(text) if text.trim().is_empty());
                    prop_assert!(!parts.is_empty() && !parts.iter().any(blank));
                }
                Turn::Model { text, calls, .. } => {
                    prop_assert!(!text.trim().is_empty() || !calls.is_empty());
                    prop_assert!(calls.iter().all(|answered| !answered.result.trim().is_empty()));
                }
            }
        }
    }
}
