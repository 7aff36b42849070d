//! A history as the strictest services accept it.
//!
//! One bad message makes every later request of a session fail, so whatever a crash, a stop or
//! another model left behind is mended here, before each request and for both protocols:
//! one system message first; each call answered directly after the message that made it; no
//! result without its call; no empty message; no two messages of the same role in a row; the
//! user begins.

use std::collections::VecDeque;

use serde_json::{Value, json};
use talaria_domain::{Message, ToolCall};

/// What a model is told about a call whose result was never written down.
const INTERRUPTED: &str =
    "[interrupted] This call was stopped before it finished. Whether it had an effect is unknown.";

/// What stands in for the result of a tool that said nothing.
const SILENT: &str = "(no output)";

/// What opens a history whose first message is the model's.
const OPENING: &str = "(The conversation continues.)";

/// One turn of the talk, in strict order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    /// The user's words; never blank.
    User(String),
    /// The model's words, its calls and their results, one result a call in the same order.
    Model {
        text: String,
        reasoning: Option<String>,
        calls: Vec<Answered>,
    },
}

/// A call with its result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answered {
    pub(crate) call: ToolCall,
    pub(crate) result: String,
    pub(crate) is_error: bool,
}

/// A history in strict order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History {
    /// The system message, if there is any.
    pub(crate) system: Option<String>,
    /// The rest.
    pub(crate) turns: Vec<Turn>,
}

impl History {
    /// Brings messages into strict order.
    pub(crate) fn settle(messages: Vec<Message>) -> Self {
        let mut history = Self::default();
        let mut rest: VecDeque<Message> = messages.into();
        while let Some(message) = rest.pop_front() {
            match message {
                Message::System { text } if is_blank(&text) => {}
                Message::System { text } => match &mut history.system {
                    Some(system) => join(system, &text),
                    None => history.system = Some(text),
                },
                Message::User { text, .. } => history.add_user(text),
                Message::Assistant {
                    text,
                    reasoning,
                    calls,
                    ..
                } => {
                    let calls = calls
                        .into_iter()
                        .map(|call| answered(call, &mut rest))
                        .collect();
                    history.add_model(text, reasoning, calls);
                }
                // Its call took every result that belongs to it out of the row.
                Message::Tool { .. } => {}
            }
        }
        history
    }

    fn add_user(&mut self, text: String) {
        if is_blank(&text) {
            return;
        }
        match self.turns.last_mut() {
            Some(Turn::User(before)) => join(before, &text),
            _ => self.turns.push(Turn::User(text)),
        }
    }

    fn add_model(&mut self, text: String, reasoning: Option<String>, calls: Vec<Answered>) {
        let text = if is_blank(&text) { String::new() } else { text };
        if text.is_empty() && calls.is_empty() {
            return;
        }
        match self.turns.last_mut() {
            // Words after words; after calls the model may well speak again.
            Some(Turn::Model {
                text: before,
                reasoning: thought,
                calls: earlier,
            }) if earlier.is_empty() => {
                join(before, &text);
                *earlier = calls;
                if reasoning.is_some() {
                    *thought = reasoning;
                }
            }
            Some(_) => self.turns.push(Turn::Model {
                text,
                reasoning,
                calls,
            }),
            None => {
                self.turns.push(Turn::User(OPENING.to_owned()));
                self.turns.push(Turn::Model {
                    text,
                    reasoning,
                    calls,
                });
            }
        }
    }
}

/// Takes the result of `call` out of what follows. Only results before the model's next message
/// can be meant: services use ids again.
fn answered(call: ToolCall, rest: &mut VecDeque<Message>) -> Answered {
    let at = rest
        .iter()
        .take_while(|message| !matches!(message, Message::Assistant { .. }))
        .position(
            |message| matches!(message, Message::Tool { call_id, .. } if *call_id == call.id),
        );
    match at.and_then(|at| rest.remove(at)) {
        Some(Message::Tool { text, is_error, .. }) => {
            let result = if is_blank(&text) {
                SILENT.to_owned()
            } else {
                text
            };
            Answered {
                call,
                result,
                is_error,
            }
        }
        _ => Answered {
            call,
            result: INTERRUPTED.to_owned(),
            is_error: true,
        },
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn join(before: &mut String, text: &str) {
    if !before.is_empty() && !text.is_empty() {
        before.push_str("\n\n");
    }
    before.push_str(text);
}

/// A tool's name as every service takes it: a model may have made up any.
pub(crate) fn tool_name(name: &str) -> String {
    let safe =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let name: String = name
        .chars()
        .take(64)
        .map(|found| if safe(found) { found } else { '_' })
        .collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}

/// Arguments as the object every service wants. Text that could not be read is shown to the
/// model inside one, so that it sees what it wrote.
pub(crate) fn arguments(call: &ToolCall) -> Value {
    match &call.arguments {
        object @ Value::Object(_) => object.clone(),
        Value::Null => json!({}),
        other => json!({ "unreadable": other }),
    }
}

#[cfg(test)]
mod tests;
