//! One call, as far as it is known.

use serde_json::Value;

use super::item::word;
use crate::tool_calls::Fragment;

/// A call of an answer. Its arguments come in pieces, whole, or both; what is whole counts.
#[derive(Debug, Default)]
pub(super) struct Call {
    id: Option<String>,
    name: String,
    /// What its item opened with: nothing, as a rule.
    opening: Option<Value>,
    streamed: String,
    whole: Option<Value>,
}

impl Call {
    /// Its item begins.
    pub(super) fn open(&mut self, item: &Value) {
        self.identify(item);
        self.opening = arguments_of(item);
    }

    /// Takes a piece of the arguments.
    pub(super) fn push(&mut self, piece: &Value) {
        match piece {
            Value::Null => {}
            Value::String(text) => self.streamed.push_str(text),
            other => self.streamed.push_str(&other.to_string()),
        }
    }

    /// Takes the arguments as a whole, and what names the call.
    pub(super) fn close(&mut self, value: &Value) {
        self.identify(value);
        if let Some(whole) = arguments_of(value) {
            self.whole = Some(whole);
        }
    }

    /// Whether its tool is known.
    pub(super) fn is_named(&self) -> bool {
        !self.name.is_empty()
    }

    /// Whether it can't be the call of that id.
    pub(super) fn conflicts(&self, id: Option<&str>) -> bool {
        matches!((self.id.as_deref(), id), (Some(own), Some(other)) if own != other)
    }

    /// Whether it is the call of that id.
    pub(super) fn is(&self, id: Option<&str>) -> bool {
        id.is_some() && self.id.as_deref() == id
    }

    /// The call in one piece, for the assembly that all protocols share. `item` is the id of its
    /// item, for a server that gives the call none.
    pub(super) fn fragment(&self, index: u64, item: Option<&str>) -> Fragment {
        let streamed = (!self.streamed.is_empty()).then(|| Value::String(self.streamed.clone()));
        Fragment {
            index: Some(index),
            id: self.id.clone().or_else(|| item.map(str::to_owned)),
            name: Some(self.name.clone()).filter(|name| !name.is_empty()),
            arguments: self
                .whole
                .clone()
                .or(streamed)
                .or_else(|| self.opening.clone()),
            echo: None,
        }
    }

    fn identify(&mut self, value: &Value) {
        if self.id.is_none() {
            self.id = word(value, "call_id").map(str::to_owned);
        }
        if self.name.is_empty() {
            word(value, "name")
                .unwrap_or_default()
                .clone_into(&mut self.name);
        }
    }
}

fn arguments_of(value: &Value) -> Option<Value> {
    match value.get("arguments")? {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        other => Some(other.clone()),
    }
}
