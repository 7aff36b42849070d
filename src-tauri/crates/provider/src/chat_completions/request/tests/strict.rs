//! Any history in any dialect: the request is one that the strictest service takes.

use proptest::prelude::*;
use serde_json::{Value, json};
use talaria_domain::{Message, ToolCall};

use super::{body, request};
use crate::dialect::{Dialect, Quirk};

const QUIRKS: [Quirk; 10] = [
    Quirk::NoTools,
    Quirk::CallsInWords,
    Quirk::SingleCalls,
    Quirk::SpokenBridge,
    Quirk::SystemInUser,
    Quirk::ReasoningAlways,
    Quirk::NoReasoning,
    Quirk::ShortIds,
    Quirk::NullContent,
    Quirk::SpokenContent,
];

fn any_message() -> impl Strategy<Value = Message> {
    let id = prop_oneof![Just("1"), Just("2"), Just("3")];
    let words = prop_oneof![Just(""), Just(" "), Just("a"), Just("b")];
    let text = |words: &str| words.to_owned();
    prop_oneof![
        words
            .clone()
            .prop_map(move |words| Message::System { text: text(words) }),
        words.clone().prop_map(move |words| Message::User {
            text: text(words),
            attachments: Vec::new(),
        }),
        (words.clone(), proptest::collection::vec(id.clone(), 0..3)).prop_map(
            move |(words, ids)| Message::Assistant {
                text: text(words),
                reasoning: Some("hm".to_owned()),
                echo: None,
                calls: ids.iter().map(|id| call(id)).collect(),
            }
        ),
        (id, words).prop_map(move |(id, words)| Message::Tool {
            call_id: id.to_owned(),
            name: "now".to_owned(),
            text: text(words),
            is_error: false,
        }),
    ]
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

fn role(message: &Value) -> &str {
    message["role"].as_str().unwrap_or_default()
}

fn ids(message: &Value) -> Vec<&Value> {
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    calls.map(|call| &call["id"]).collect()
}

/// What a strict service would say.
fn faults(messages: &[Value], dialect: &Dialect) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |holds: bool, words: &str| {
        if holds {
            faults.push(words.to_owned());
        }
    };
    let talk: Vec<&Value> = messages
        .iter()
        .filter(|message| role(message) != "system")
        .collect();
    let systems = messages.len() - talk.len();
    fault(systems > 1, "two systems");
    fault(
        systems == 1 && role(&messages[0]) != "system",
        "the system is not first",
    );
    fault(systems > 0 && dialect.has(Quirk::SystemInUser), "a system");
    fault(
        talk.first().is_some_and(|first| role(first) != "user"),
        "the user does not begin",
    );
    fault(
        talk.last().is_some_and(|last| role(last) == "assistant"),
        "the model is last",
    );

    let wordless = |message: &&Value| message["content"].as_str().is_none_or(str::is_empty);
    let silent = talk
        .iter()
        .any(|message| wordless(message) && ids(message).is_empty());
    fault(silent, "an empty message");
    let in_words = dialect.has(Quirk::NoTools) || dialect.has(Quirk::CallsInWords);
    fault(
        in_words && talk.iter().any(|message| role(message) == "tool"),
        "a result",
    );

    let mut all: Vec<&Value> = talk.iter().flat_map(|message| ids(message)).collect();
    all.sort_by_key(|id| id.to_string());
    fault(all.windows(2).any(|pair| pair[0] == pair[1]), "an id twice");

    let mut waiting: Vec<&Value> = Vec::new();
    let mut before = "";
    for message in talk {
        if role(message) == "tool" {
            let due = if waiting.is_empty() {
                None
            } else {
                Some(waiting.remove(0))
            };
            fault(
                due != Some(&message["tool_call_id"]),
                "a result out of place",
            );
        } else {
            fault(!waiting.is_empty(), "a call without its result");
            fault(role(message) == before, "a role twice");
            fault(
                before == "tool" && role(message) == "user" && dialect.has(Quirk::SpokenBridge),
                "the user right behind a result",
            );
            waiting = ids(message);
            fault(
                waiting.len() > 1 && dialect.has(Quirk::SingleCalls),
                "several calls",
            );
        }
        before = role(message);
    }
    fault(!waiting.is_empty(), "a call without its result");
    faults
}

proptest! {
    #[test]
    fn whatever_the_history_a_strict_service_takes_it(
        messages in proptest::collection::vec(any_message(), 0..16),
        quirks in proptest::sample::subsequence(QUIRKS.to_vec(), 0..5),
    ) {
        let dialect = quirks.into_iter().fold(Dialect::default(), Dialect::with);
        let body = body(request(messages), "h", &dialect);
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let faults = faults(&messages, &dialect);
        prop_assert!(faults.is_empty(), "{faults:?} in {messages:#?}");
    }
}
