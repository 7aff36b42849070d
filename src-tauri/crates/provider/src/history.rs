//! A history as the strictest services accept it.
//!
//! One bad message makes every later request of a session fail, so whatever a crash, a stop or
//! another model left behind is mended here, before each request and for both protocols:
//! one system message first; each call answered directly after the message that made it; no
//! result without its call; no empty message; no two messages of the same role in a row; the
//! user begins.

mod adaptation;

use std::collections::{HashSet, VecDeque};

use serde_json::{Value, json};
use talaria_domain::{Attachment, Message, ServiceFailure, ToolCall};

use crate::attachment::{Age, Part, Reading};

/// What a model is told about a call whose result was never written down.
const INTERRUPTED: &str =
    "[interrupted] This call was stopped before it finished. Whether it had an effect is unknown.";

/// What stands in for the result of a tool that said nothing.
const SILENT: &str = "(no output)";

/// What opens a history whose first message is the model's, or that has none of the user's.
const OPENING: &str = "(The conversation continues.)";

/// What ends a history whose last message is the model's: many services refuse to go on with it.
const ENDING: &str = "(Go on.)";

/// One turn of the talk, in strict order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    /// What the user sent; never nothing, and no two texts in a row.
    User(Vec<Part>),
    /// The model's words, its calls and their results, one result a call in the same order.
    Model {
        text: String,
        reasoning: Option<String>,
        /// What its service wants to see again.
        echo: Option<Value>,
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
    /// Brings messages into strict order, with the files as `reading` gives them.
    pub(crate) fn settle(
        messages: Vec<Message>,
        reading: &mut Reading<'_>,
    ) -> Result<Self, ServiceFailure> {
        let mut history = Self::default();
        let mut rest: VecDeque<Message> = messages.into();
        while let Some(message) = rest.pop_front() {
            match message {
                Message::System { text } if is_blank(&text) => {}
                Message::System { text } => match &mut history.system {
                    Some(system) => join(system, &text),
                    None => history.system = Some(text),
                },
                Message::User { text, attachments } => {
                    let of_user = |message: &Message| matches!(message, Message::User { .. });
                    let age = if rest.iter().any(of_user) {
                        Age::Earlier
                    } else {
                        Age::Now
                    };
                    history.add_user(text, &attachments, age, reading)?;
                }
                Message::Assistant {
                    text,
                    reasoning,
                    echo,
                    calls,
                } => {
                    let calls = calls
                        .into_iter()
                        .map(|call| answered(call, &mut rest))
                        .collect();
                    history.add_model(text, reasoning, echo, calls);
                }
                // Its call took every result that belongs to it out of the row.
                Message::Tool { .. } => {}
            }
        }
        history.close();
        Ok(history)
    }

    fn add_user(
        &mut self,
        text: String,
        attachments: &[Attachment],
        age: Age,
        reading: &mut Reading<'_>,
    ) -> Result<(), ServiceFailure> {
        for attachment in attachments {
            let part = reading.part(attachment, age)?;
            self.add_part(part);
        }
        if !is_blank(&text) {
            self.add_part(Part::Text(text));
        }
        Ok(())
    }

    fn add_part(&mut self, part: Part) {
        match (self.turns.last_mut(), part) {
            (Some(Turn::User(parts)), Part::Text(text)) => match parts.last_mut() {
                Some(Part::Text(before)) => join(before, &text),
                _ => parts.push(Part::Text(text)),
            },
            (Some(Turn::User(parts)), part) => parts.push(part),
            (_, part) => self.turns.push(Turn::User(vec![part])),
        }
    }

    fn add_model(
        &mut self,
        text: String,
        reasoning: Option<String>,
        echo: Option<Value>,
        calls: Vec<Answered>,
    ) {
        let text = if is_blank(&text) { String::new() } else { text };
        if text.is_empty() && calls.is_empty() {
            return;
        }
        if self.turns.is_empty() {
            self.add_part(Part::Text(OPENING.to_owned()));
        }
        match self.turns.last_mut() {
            // Words after words; after calls the model may well speak again.
            Some(Turn::Model {
                text: before,
                reasoning: thought,
                echo: sealed,
                calls: earlier,
            }) if earlier.is_empty() => {
                join(before, &text);
                *earlier = calls;
                *thought = reasoning.or(thought.take());
                *sealed = echo.or(sealed.take());
            }
            _ => self.turns.push(Turn::Model {
                text,
                reasoning,
                echo,
                calls,
            }),
        }
    }

    /// Sees to it that the user speaks last, or a tool, and that no two calls share an id.
    fn close(&mut self) {
        match self.turns.last() {
            None if self.system.is_some() => self.add_part(Part::Text(OPENING.to_owned())),
            Some(Turn::Model { calls, .. }) if calls.is_empty() => {
                self.add_part(Part::Text(ENDING.to_owned()));
            }
            _ => {}
        }
        let mut ids = HashSet::new();
        for turn in &mut self.turns {
            if let Turn::Model { calls, .. } = turn {
                for answered in calls {
                    answered.call.id = unused(&answered.call.id, &ids);
                    ids.insert(answered.call.id.clone());
                }
            }
        }
    }
}

/// The id, or one made from it that is not in use; the same one in each request.
fn unused(id: &str, used: &HashSet<String>) -> String {
    let further = (2..).map(|number: u64| format!("{id}_{number}"));
    std::iter::once(id.to_owned())
        .chain(further)
        .find(|id| !used.contains(id))
        .unwrap_or_default()
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
