//! Recorded items as the messages a model is sent.
//!
//! One function serves the running turn and the turns read back from disk, so that a request made
//! after a restart begins with the very bytes of the one before it.

use std::borrow::Borrow;

use serde_json::Value;
use talaria_domain::{Item, ItemContent, Message, Notice, ToolCall, ToolResult};

use crate::suspicion::as_data;

/// What a call is answered with when its own answer never came.
const INTERRUPTED: &str = "interrupted: this call did not finish; its effect is unknown";

/// The messages of one turn's items, in order. Each call is answered directly after the message
/// that made it, and no message is empty.
#[must_use]
pub fn messages_of(items: &[Item]) -> Vec<Message> {
    messages_from(items)
}

/// The same from items wherever they are kept.
pub(crate) fn messages_from(items: impl IntoIterator<Item: Borrow<Item>>) -> Vec<Message> {
    let mut writer = Writer::default();
    for item in items {
        writer.add(&item.borrow().content);
    }
    writer.close_answer();
    writer.messages
}

/// Where the first of these items came across instructions that nobody of ours gave.
#[must_use]
pub fn suspicious_origin(items: &[Item]) -> Option<String> {
    items.iter().find_map(|item| match &item.content {
        ItemContent::ToolCall {
            result: Some(result),
            ..
        } => result
            .suspicions
            .first()
            .map(|suspicion| suspicion.origin.clone()),
        _ => None,
    })
}

/// Takes out what only the model that said it may see again: another model's reasoning is refused
/// by some services and misleads the rest.
pub(crate) fn forget_reasoning(messages: &mut [Message]) {
    for message in messages {
        if let Message::Assistant {
            reasoning, echo, ..
        } = message
        {
            *reasoning = None;
            *echo = None;
        }
    }
}

#[derive(Default)]
struct Writer {
    messages: Vec<Message>,
    answer: Answer,
}

/// One answer of the model, gathered until the next one begins.
#[derive(Default)]
struct Answer {
    text: String,
    reasoning: Option<String>,
    echo: Option<Value>,
    calls: Vec<(ToolCall, Option<ToolResult>)>,
    round: u32,
}

impl Writer {
    fn add(&mut self, content: &ItemContent) {
        match content {
            ItemContent::UserText { text, attachments } => {
                self.close_answer();
                self.messages.push(Message::User {
                    text: text.clone(),
                    attachments: attachments.clone(),
                });
            }
            ItemContent::Reasoning { text, echo } => {
                self.begin_answer_unless_open();
                if !text.is_empty() {
                    self.answer.reasoning.get_or_insert_default().push_str(text);
                }
                if echo.is_some() {
                    self.answer.echo.clone_from(echo);
                }
            }
            // What came before was another model's.
            ItemContent::Notice {
                notice: Notice::ModelSwitched { .. },
            } => {
                self.close_answer();
                forget_reasoning(&mut self.messages);
            }
            ItemContent::Notice {
                notice:
                    Notice::InputCut { .. }
                    | Notice::ContextShortened { .. }
                    | Notice::ContextFull { .. }
                    | Notice::NoProgress { .. }
                    | Notice::SummaryFailed
                    | Notice::NotConcluded
                    | Notice::ToolsLeftOut
                    | Notice::ImagesLeftOut
                    | Notice::InstructionsLeftOut { .. },
            } => {}
            ItemContent::ModelText { text } => {
                self.begin_answer_unless_open();
                self.answer.text.push_str(text);
            }
            ItemContent::ToolCall {
                call,
                result,
                round,
                ..
            } => {
                if !self.answer.calls.is_empty() && self.answer.round != *round {
                    self.close_answer();
                }
                self.answer.round = *round;
                self.answer.calls.push((call.clone(), result.clone()));
            }
        }
    }

    /// Words after a call belong to the next answer.
    fn begin_answer_unless_open(&mut self) {
        if !self.answer.calls.is_empty() {
            self.close_answer();
        }
    }

    fn close_answer(&mut self) {
        let Answer {
            text,
            reasoning,
            echo,
            calls,
            ..
        } = std::mem::take(&mut self.answer);
        if text.trim().is_empty() && calls.is_empty() {
            return;
        }
        let made = calls.iter().map(|(call, _)| call.clone()).collect();
        self.messages.push(Message::Assistant {
            text,
            reasoning,
            echo,
            calls: made,
        });
        for (call, result) in calls {
            let result = result.unwrap_or_else(|| ToolResult::failure(INTERRUPTED));
            self.messages.push(Message::Tool {
                call_id: call.id,
                name: call.name,
                text: given(&result),
                is_error: result.is_error,
            });
        }
    }
}

/// What the model is given of a result.
fn given(result: &ToolResult) -> String {
    let text = match &result.source {
        Some(source) => as_data(source, &result.text, !result.suspicions.is_empty()),
        None => result.text.clone(),
    };
    advised(text, result)
}

/// A result's text with what we say beside it: outside the marks of data, so that it is ours.
pub(crate) fn advised(text: String, result: &ToolResult) -> String {
    match &result.advice {
        Some(advice) => format!("{text}\n\n{advice}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use talaria_domain::{ItemContent, Message, Timestamp, ToolCall, ToolResult};

    use super::{Item, messages_of};

    fn item(content: ItemContent) -> Item {
        let at = Timestamp::from_millis(0);
        Item {
            id: talaria_domain::ItemId::from_parts(at, [0; 10]),
            turn_id: talaria_domain::TurnId::from_parts(at, [0; 10]),
            content,
            started_at: at,
            finished_at: Some(at),
        }
    }

    fn user(text: &str) -> Item {
        item(ItemContent::UserText {
            text: text.into(),
            attachments: Vec::new(),
        })
    }

    fn said(text: &str) -> Item {
        item(ItemContent::ModelText { text: text.into() })
    }

    fn called(id: &str, round: u32, result: Option<&str>) -> Item {
        item(ItemContent::ToolCall {
            call: ToolCall {
                id: id.into(),
                name: "list_notes".into(),
                arguments: json!({}),
                echo: None,
                recovered: false,
            },
            result: result.map(ToolResult::success),
            round,
            approval: None,
        })
    }

    /// The shape of a history: roles, with the ids of calls and answers.
    fn shape(items: &[Item]) -> String {
        let words: Vec<String> = messages_of(items)
            .iter()
            .map(|message| match message {
                Message::System { .. } => "system".into(),
                Message::User { .. } => "user".into(),
                Message::Assistant { text, calls, .. } => {
                    let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
                    format!(
                        "assistant({}{})",
                        if text.is_empty() { "" } else { "text " },
                        ids.join(",")
                    )
                }
                Message::Tool {
                    call_id, is_error, ..
                } => {
                    format!("tool({call_id}{})", if *is_error { " error" } else { "" })
                }
            })
            .collect();
        words.join(" ")
    }

    #[test]
    fn each_call_is_answered_directly_after_the_answer_that_made_it() {
        let cases: Vec<(&str, Vec<Item>, &str)> = vec![
            ("plain", vec![user("a"), said("b")], "user assistant(text )"),
            (
                "two calls of one answer",
                vec![
                    user("a"),
                    called("1", 1, Some("x")),
                    called("2", 1, Some("y")),
                    said("b"),
                ],
                "user assistant(1,2) tool(1) tool(2) assistant(text )",
            ),
            (
                "two answers without words between",
                vec![
                    user("a"),
                    called("1", 1, Some("x")),
                    called("2", 2, Some("y")),
                    said("b"),
                ],
                "user assistant(1) tool(1) assistant(2) tool(2) assistant(text )",
            ),
            (
                "words before a call belong to it",
                vec![
                    user("a"),
                    said("let me look"),
                    called("1", 1, Some("x")),
                    said("b"),
                ],
                "user assistant(text 1) tool(1) assistant(text )",
            ),
            (
                "a call that never finished",
                vec![user("a"), called("1", 1, None)],
                "user assistant(1) tool(1 error)",
            ),
            (
                "an empty answer is left out",
                vec![user("a"), said("  ")],
                "user",
            ),
        ];
        for (name, items, expected) in cases {
            assert_eq!(shape(&items), expected, "{name}");
        }
    }

    #[test]
    fn what_we_say_beside_a_result_stands_outside_its_data() {
        let mut item = called("1", 1, Some("a page"));
        if let ItemContent::ToolCall {
            result: Some(result),
            ..
        } = &mut item.content
        {
            result.source = Some("https://example.org/".into());
            result.advice = Some("[Answer now.]".into());
        }
        let messages = messages_of(&[user("a"), item]);
        let Some(Message::Tool { text, .. }) = messages.last() else {
            panic!("no result")
        };
        assert!(
            text.trim_end().ends_with("</data>\n\n[Answer now.]"),
            "{text}"
        );
    }

    #[test]
    fn reasoning_goes_back_to_its_own_model_only() {
        let thought = item(ItemContent::Reasoning {
            text: "hm".into(),
            echo: Some(json!("signed")),
        });
        let items = [user("a"), thought, called("1", 1, Some("x"))];
        let inner = |messages: Vec<Message>| match messages.into_iter().nth(1) {
            Some(Message::Assistant {
                reasoning, echo, ..
            }) => (reasoning, echo),
            other => panic!("no answer but {other:?}"),
        };
        assert_eq!(
            inner(messages_of(&items)),
            (Some("hm".into()), Some(json!("signed")))
        );
        let mut for_another = messages_of(&items);
        super::forget_reasoning(&mut for_another);
        assert_eq!(inner(for_another), (None, None));
    }

    #[test]
    fn reasoning_before_a_switch_of_models_goes_to_nobody() {
        let model = |name: &str| talaria_domain::ModelRef {
            service: "s".parse().unwrap(),
            model: talaria_domain::ModelName::new(name).unwrap(),
        };
        let thought = |text: &str| {
            item(ItemContent::Reasoning {
                text: text.into(),
                echo: None,
            })
        };
        let switched = item(ItemContent::Notice {
            notice: talaria_domain::Notice::ModelSwitched {
                from: model("a"),
                to: model("b"),
                code: talaria_domain::ErrorCode::Overloaded,
                message: String::new(),
            },
        });
        let items = [
            user("a"),
            thought("first"),
            called("1", 1, Some("x")),
            switched,
            thought("second"),
            called("2", 2, Some("y")),
        ];
        let kept: Vec<_> = messages_of(&items)
            .into_iter()
            .filter_map(|message| match message {
                Message::Assistant { reasoning, .. } => Some(reasoning),
                _ => None,
            })
            .collect();
        assert_eq!(kept, [None, Some("second".into())]);
    }

    #[test]
    fn a_longer_turn_begins_with_the_messages_of_the_shorter_one() {
        let items = vec![
            user("a"),
            said("one"),
            called("1", 1, Some("x")),
            called("2", 2, Some("y")),
            said("two"),
            called("3", 3, Some("z")),
            said("done"),
        ];
        let whole = messages_of(&items);
        for end in [1, 3, 4, 6, 7] {
            let part = messages_of(&items[..end]);
            assert_eq!(part, whole[..part.len()], "after {end} items");
        }
    }
}
