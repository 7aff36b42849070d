//! Attributes as OTLP writes them: a key, and a value that names its own type.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The attributes of a span, an event or a resource.
#[derive(Default)]
pub(super) struct Attributes(Vec<Value>);

impl Attributes {
    pub(super) fn text(self, key: &str, text: &str) -> Self {
        self.with(key, &json!({"stringValue": text}))
    }

    pub(super) fn maybe_text(self, key: &str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text(key, text),
            None => self,
        }
    }

    /// Whole numbers are text: JSON's may lose digits.
    pub(super) fn number(self, key: &str, number: u64) -> Self {
        self.with(key, &json!({"intValue": number.to_string()}))
    }

    pub(super) fn maybe_number(self, key: &str, number: Option<u64>) -> Self {
        match number {
            Some(number) => self.number(key, number),
            None => self,
        }
    }

    pub(super) fn seconds(self, key: &str, millis: Option<u64>) -> Self {
        match millis.and_then(|millis| u32::try_from(millis).ok()) {
            Some(millis) => self.with(key, &json!({"doubleValue": f64::from(millis) / 1000.0})),
            None => self,
        }
    }

    pub(super) fn flag(self, key: &str, flag: bool) -> Self {
        self.with(key, &json!({"boolValue": flag}))
    }

    /// A word of one of our enums, several of them, or a whole value as JSON; nothing for none.
    pub(super) fn word(self, key: &str, word: &impl Serialize) -> Self {
        match serde_json::to_value(word) {
            Ok(Value::Null) | Err(_) => self,
            Ok(Value::String(word)) => self.text(key, &word),
            Ok(Value::Array(words)) if words.iter().all(Value::is_string) => {
                let values: Vec<Value> = words
                    .into_iter()
                    .map(|word| json!({"stringValue": word}))
                    .collect();
                self.with(key, &json!({"arrayValue": {"values": values}}))
            }
            Ok(other) => self.text(key, &other.to_string()),
        }
    }

    fn with(mut self, key: &str, value: &Value) -> Self {
        self.0.push(json!({"key": key, "value": value}));
        self
    }
}

impl Serialize for Attributes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use talaria_domain::FinishReason;

    use super::Attributes;

    #[test]
    fn each_value_names_its_type_and_nothing_stands_for_none() {
        let attributes = Attributes::default()
            .text("a", "x")
            .maybe_text("b", None)
            .number("c", u64::MAX)
            .seconds("d", Some(250))
            .flag("e", true)
            .word("f", &FinishReason::ToolCalls)
            .word("g", &["x", "y"])
            .word("h", &None::<FinishReason>)
            .word("i", &json!({"k": 1}));
        assert_eq!(
            serde_json::to_value(attributes).ok(),
            Some(json!([
                {"key": "a", "value": {"stringValue": "x"}},
                {"key": "c", "value": {"intValue": "18446744073709551615"}},
                {"key": "d", "value": {"doubleValue": 0.25}},
                {"key": "e", "value": {"boolValue": true}},
                {"key": "f", "value": {"stringValue": "tool_calls"}},
                {"key": "g", "value": {"arrayValue": {"values": [
                    {"stringValue": "x"}, {"stringValue": "y"},
                ]}}},
                {"key": "i", "value": {"stringValue": "{\"k\":1}"}},
            ]))
        );
    }
}
