//! Puts tool calls together from the fragments in which services stream them.
//!
//! Services disagree on nearly everything here: which of index and id names a call, whether
//! either is there at all, whether names and ids repeat in each fragment, whether arguments are
//! text. The rules stand at [`Assembly::find`]. Nothing is given out before the stream has said
//! that it is complete. Both protocols use it.

use std::collections::HashSet;

use rand::Rng as _;
use rand::distr::Alphanumeric;
use serde_json::Value;
use talaria_domain::{Message, ToolCall};

use crate::arguments;

/// What one event of a stream says about a tool call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fragment {
    pub(crate) index: Option<u64>,
    pub(crate) id: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) arguments: Option<Value>,
    /// What the service wants back with the call.
    pub(crate) echo: Option<Value>,
}

impl Fragment {
    /// Reads the form of chat completions; empty texts say nothing.
    pub(crate) fn from_chat(value: &Value) -> Self {
        let function = value
            .get("function")
            .filter(|function| function.is_object())
            .unwrap_or(value);
        Self {
            index: number(value.get("index")),
            id: word(value.get("id")),
            name: word(function.get("name")),
            arguments: function
                .get("arguments")
                .filter(|found| !found.is_null())
                .cloned(),
            echo: value
                .get("extra_content")
                .filter(|found| !found.is_null())
                .cloned(),
        }
    }

    /// Whether it says nothing at all, as the stubs of some services do.
    pub(crate) fn is_empty(&self) -> bool {
        let nothing = match &self.arguments {
            None => true,
            Some(Value::String(text)) => text.is_empty(),
            Some(_) => false,
        };
        nothing && self.id.is_none() && self.name.is_none()
    }
}

fn number(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn word(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: String,
    /// The arguments so far are a value that came whole, which text behind it replaces.
    from_value: bool,
    echo: Option<Value>,
}

/// The calls of one answer, as far as they have come.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    slots: Vec<Slot>,
}

impl Assembly {
    /// Whether no call has begun.
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Takes the next fragment.
    pub(crate) fn push(&mut self, fragment: Fragment) {
        self.take(fragment, Listed::First);
    }

    /// Takes the fragments that one event lists. Entries that name tools are calls of their own,
    /// even where nothing else tells them apart.
    pub(crate) fn push_list(&mut self, fragments: impl IntoIterator<Item = Fragment>) {
        let mut listed = Listed::First;
        for fragment in fragments {
            self.take(fragment, listed);
            listed = Listed::Later;
        }
    }

    fn take(&mut self, fragment: Fragment, listed: Listed) {
        if fragment.is_empty() && fragment.echo.is_none() {
            return;
        }
        let found = self.find(&fragment, listed);
        let slot = match found.and_then(|at| self.slots.get_mut(at)) {
            Some(slot) => slot,
            None => {
                self.slots.push(Slot {
                    index: fragment.index,
                    ..Slot::default()
                });
                let Some(slot) = self.slots.last_mut() else {
                    return;
                };
                slot
            }
        };
        slot.add(fragment);
    }

    /// Which call a fragment continues; none if it opens a new one.
    ///
    /// 1. An id that is known names its call, else the latest call of the same index is meant or,
    ///    without an index, the latest.
    /// 2. A fragment without a name continues it: some services make up an id for each fragment.
    /// 3. A new id that comes with a name is a new call.
    /// 4. A call that is whole is followed by a new one if the name is another, or if more
    ///    arguments come with the name. A mere repetition is none.
    /// 5. Another name is a new call too where the calls have no index, or stand in one list.
    fn find(&self, fragment: &Fragment, listed: Listed) -> Option<usize> {
        let near = |slot: &Slot| fragment.index.is_none() || slot.index == fragment.index;
        let known = fragment.id.as_ref().and_then(|id| {
            self.slots
                .iter()
                .rposition(|slot| slot.id.as_ref() == Some(id) && near(slot))
        });
        let at = known.or_else(|| self.slots.iter().rposition(near))?;
        let slot = self.slots.get(at)?;
        let Some(name) = &fragment.name else {
            return Some(at);
        };
        let other_name = !slot.name.is_empty() && *name != slot.name;
        let unnumbered = fragment.index.is_none() && known.is_none();
        let is_new = (known.is_none() && fragment.id.is_some() && slot.id.is_some())
            || (slot.is_whole() && (other_name || slot.grows_by(fragment)))
            || (other_name && (unnumbered || listed == Listed::Later))
            || (unnumbered && listed == Listed::Later);
        (!is_new).then_some(at)
    }

    /// The answer is complete: its calls, each with an id that no other call of the history has.
    pub(crate) fn finish(&mut self, ids: &mut Ids) -> Vec<ToolCall> {
        let mut slots = std::mem::take(&mut self.slots);
        slots.sort_by_key(|slot| slot.index.unwrap_or(u64::MAX));
        let mut calls = Vec::new();
        for slot in slots {
            // A call that names no tool can't be run or answered.
            if slot.name.is_empty() {
                tracing::warn!("a tool call without a name was dropped");
                continue;
            }
            let mut id = slot.id;
            for arguments in arguments::read(&slot.arguments) {
                calls.push(ToolCall {
                    id: ids.take(id.take()),
                    name: slot.name.clone(),
                    arguments,
                    echo: slot.echo.clone(),
                    recovered: false,
                });
            }
        }
        calls
    }
}

/// Where a fragment stands in the list of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listed {
    First,
    Later,
}

impl Slot {
    fn is_whole(&self) -> bool {
        arguments::is_whole(&self.arguments)
    }

    /// Whether a fragment adds arguments of its own to what may only be a placeholder.
    fn grows_by(&self, fragment: &Fragment) -> bool {
        let adds = match &fragment.arguments {
            None => false,
            Some(Value::String(text)) => !text.is_empty() && !self.is_repeated_in(text),
            Some(value) => !self.is_repeated_in(&value.to_string()),
        };
        adds && self.arguments.trim() != "{}"
    }

    /// Whether a text begins with all of the arguments so far. No object does so by itself: the
    /// service sends everything again, or sends everything so far each time.
    fn is_repeated_in(&self, text: &str) -> bool {
        self.arguments.starts_with('{') && text.starts_with(&self.arguments)
    }

    fn add(&mut self, fragment: Fragment) {
        if self.id.is_none() {
            self.id = fragment.id;
        }
        if let Some(name) = fragment.name {
            // The name may come in pieces, but a repetition is no piece.
            if name.starts_with(&self.name) {
                self.name = name;
            } else if self.arguments.is_empty() {
                self.name.push_str(&name);
            }
        }
        let (arguments, is_value) = match fragment.arguments {
            Some(Value::String(text)) => (text, false),
            Some(value) => (value.to_string(), true),
            None => (String::new(), false),
        };
        let is_replaced = self.from_value && !is_value && !arguments.is_empty();
        if is_replaced || self.is_repeated_in(&arguments) {
            self.arguments = arguments;
        } else {
            self.arguments.push_str(&arguments);
        }
        self.from_value = is_value || (self.from_value && !is_replaced);
        if fragment.echo.is_some() {
            self.echo = fragment.echo;
        }
    }
}

/// The ids in use, so that each new call gets one of its own.
#[derive(Debug, Default)]
pub(crate) struct Ids(HashSet<String>);

impl Ids {
    /// The ids of the calls in a history.
    pub(crate) fn of(messages: &[Message]) -> Self {
        let calls = messages.iter().flat_map(|message| match message {
            Message::Assistant { calls, .. } => calls.as_slice(),
            Message::System { .. } | Message::User { .. } | Message::Tool { .. } => &[],
        });
        Self(calls.map(|call| call.id.clone()).collect())
    }

    /// Gives `wanted` if it is there and free, else a new id. Its form, nine letters or digits,
    /// is the narrowest that any service demands.
    pub(crate) fn take(&mut self, wanted: Option<String>) -> String {
        if let Some(id) = wanted
            && self.0.insert(id.clone())
        {
            return id;
        }
        loop {
            let id: String = rand::rng()
                .sample_iter(Alphanumeric)
                .take(9)
                .map(char::from)
                .collect();
            if self.0.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests;
