//! The arguments of a tool call, read from whatever text the model made of them.
//!
//! Only what can't change their meaning is mended; text that stays unreadable is handed on as it
//! is, so that the tool can tell the model and the model can try again.

use std::collections::HashMap;

use serde_json::{Map, Value};
use talaria_domain::{ModelEvent, ToolSpec};

/// Reads the text of one call. More than one object means that the service ran several calls of
/// the same tool together.
pub(crate) fn read(text: &str) -> Vec<Value> {
    let bare = without_fence(text);
    if bare.is_empty() {
        return vec![empty()];
    }
    if let Ok(value) = serde_json::from_str::<Value>(bare) {
        return vec![one(value, text)];
    }
    if let Some(objects) = several(bare) {
        return objects;
    }
    match serde_json::from_str(&mended(bare)) {
        Ok(Value::Object(object)) => vec![Value::Object(object)],
        _ => vec![Value::String(text.to_owned())],
    }
}

/// Whether the text is one whole JSON value, so that more text can't belong to it.
pub(crate) fn is_whole(text: &str) -> bool {
    // The look at the end spares reading a long text again for each of its pieces.
    text.trim_end().ends_with(['}', ']', '"', 'l'])
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// The members of tools that hold a list or an object, by the tools' own names.
#[derive(Debug, Default)]
pub(crate) struct Nested(HashMap<String, Vec<String>>);

impl Nested {
    /// Those of the tools on offer.
    pub(crate) fn of(tools: &[ToolSpec]) -> Self {
        let members = |tool: &ToolSpec| {
            let properties = tool.parameters.get("properties")?.as_object()?;
            let nested = properties.iter().filter(|(_, schema)| is_nested(schema));
            let nested: Vec<String> = nested.map(|(name, _)| name.clone()).collect();
            (!nested.is_empty()).then(|| (tool.name.clone(), nested))
        };
        Self(tools.iter().filter_map(members).collect())
    }

    /// The event with a call's members as its tool wants them: some models write a nested value
    /// as text. Text that is no such value stays.
    pub(crate) fn unwrap_in(&self, mut event: ModelEvent) -> ModelEvent {
        if let ModelEvent::ToolCall(call) = &mut event
            && let Some(names) = self.0.get(&call.name)
        {
            for name in names {
                let Some(value) = call.arguments.get_mut(name) else {
                    continue;
                };
                let inner = value
                    .as_str()
                    .and_then(|text| serde_json::from_str::<Value>(text).ok());
                if let Some(inner) = inner.filter(|inner| inner.is_object() || inner.is_array()) {
                    *value = inner;
                }
            }
        }
        event
    }
}

/// Whether a schema wants a list or an object, and no text.
fn is_nested(schema: &Value) -> bool {
    let is_one = |kind: &Value| matches!(kind.as_str(), Some("object" | "array"));
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().any(is_one) && !kinds.iter().any(|kind| *kind == "string")
        }
        Some(kind) => is_one(kind),
        None => schema.get("properties").is_some() || schema.get("items").is_some(),
    }
}

fn empty() -> Value {
    Value::Object(Map::new())
}

fn one(value: Value, text: &str) -> Value {
    match value {
        Value::Object(_) => value,
        Value::Null => empty(),
        // Encoded twice: unwrapped once, if an object comes out.
        Value::String(inner) => match serde_json::from_str(&inner) {
            Ok(Value::Object(object)) => Value::Object(object),
            _ if inner.trim().is_empty() => empty(),
            _ => Value::String(text.to_owned()),
        },
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => Value::String(text.to_owned()),
    }
}

/// Several objects one after the other; none if anything else stands between or behind them.
fn several(text: &str) -> Option<Vec<Value>> {
    let values: Vec<Value> = serde_json::Deserializer::from_str(text)
        .into_iter()
        .collect::<Result<_, _>>()
        .ok()?;
    if !values.iter().all(Value::is_object) {
        return None;
    }
    // Some services open with an empty object as a placeholder for what follows.
    let full: Vec<Value> = values
        .into_iter()
        .filter(|value| *value != empty())
        .collect();
    Some(if full.is_empty() { vec![empty()] } else { full })
}

fn without_fence(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_prefix("```").unwrap_or(text);
    let text = text.strip_suffix("```").unwrap_or(text).trim();
    match text.strip_prefix("json") {
        Some(rest) if rest.trim_start().starts_with('{') => rest.trim(),
        _ => text,
    }
}

/// Escapes raw control characters inside strings and drops a comma before a closing bracket.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escaped) = (false, false);
    for (at, character) in text.char_indices() {
        if inside {
            match character {
                control if control < ' ' => {
                    out.push_str(&format!("\\u{:04x}", u32::from(control)));
                    continue;
                }
                '"' if !escaped => inside = false,
                _ => {}
            }
            escaped = character == '\\' && !escaped;
        } else if character == '"' {
            inside = true;
        } else if character == ',' {
            let rest = text.get(at + 1..).unwrap_or_default().trim_start();
            if rest.starts_with(['}', ']']) {
                continue;
            }
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use talaria_domain::{ModelEvent, ToolCall, ToolSpec};

    use super::{Nested, is_whole, read};

    #[test]
    fn readable_arguments_become_an_object() {
        let cases: &[(&str, Value)] = &[
            (r#"{"title":"午饭"}"#, json!({"title": "午饭"})),
            ("", json!({})),
            ("  \n", json!({})),
            ("null", json!({})),
            ("{}", json!({})),
            (r#""""#, json!({})),
            (r#""{\"title\":\"x\"}""#, json!({"title": "x"})),
            ("json\n{\"a\":1}", json!({"a": 1})),
            ("```json\n{\"a\":1}\n```", json!({"a": 1})),
            ("```\n{\"a\":1}\n```", json!({"a": 1})),
            (
                "{\"text\":\"two\nlines\tand a tab\"}",
                json!({"text": "two\nlines\tand a tab"}),
            ),
            (r#"{"a":[1,2,],"b":",}",}"#, json!({"a": [1, 2], "b": ",}"})),
            (r#"{}{"a":1}"#, json!({"a": 1})),
            ("{}{}", json!({})),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), std::slice::from_ref(expected), "{text}");
        }
    }

    #[test]
    fn unreadable_arguments_stay_the_text_they_are() {
        for text in [
            "[]",
            "12",
            "true",
            "\"word\"",
            "{\"a\":",
            "{a: 'x'}",
            r#"{"a":"\d"}"#,
            "call it",
            r#"{"a":1}{"b":"#,
            r#"{"a":1} and more"#,
            "[1][2]",
            "jsonp",
        ] {
            assert_eq!(read(text), [Value::String(text.to_owned())], "{text}");
        }
    }

    #[test]
    fn objects_run_together_are_several_calls() {
        let found = read(r#"{"id":1,"t":"}{"} {"id":2}"#);
        assert_eq!(found, [json!({"id": 1, "t": "}{"}), json!({"id": 2})]);
    }

    #[test]
    fn a_nested_value_written_as_text_is_unwrapped_where_the_schema_wants_one() {
        let tools = [ToolSpec {
            name: "plan".to_owned(),
            description: String::new(),
            parameters: json!({"properties": {
                "steps": {"type": "array"},
                "where": {"type": ["object", "null"]},
                "how": {"properties": {}},
                "text": {"type": "string"},
                "any": {"type": ["array", "string"]},
            }}),
        }];
        let call = |name: &str, arguments: Value| {
            ModelEvent::ToolCall(ToolCall {
                id: "a".to_owned(),
                name: name.to_owned(),
                arguments,
                echo: None,
                recovered: false,
            })
        };
        let nested = Nested::of(&tools);
        let list = json!("[1]");
        let object = json!("{\"a\":1}");
        let given =
            json!({"steps": list, "where": object, "how": object, "text": list, "any": list});
        let fitted =
            json!({"steps": [1], "where": {"a": 1}, "how": {"a": 1}, "text": list, "any": list});
        assert_eq!(
            nested.unwrap_in(call("plan", given.clone())),
            call("plan", fitted)
        );
        for (name, stays) in [
            ("other", given),
            ("plan", json!({"steps": "one, two", "where": "12"})),
            ("plan", json!("steps")),
        ] {
            let event = call(name, stays);
            assert_eq!(nested.unwrap_in(event.clone()), event);
        }
    }

    #[test]
    fn half_a_value_is_not_whole() {
        for (text, whole) in [("{}", true), ("{\"a\":1", false), ("", false), (" ", false)] {
            assert_eq!(is_whole(text), whole, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_object_is_read_as_it_is(pairs in proptest::collection::btree_map(".*", ".*", 0..5)) {
            let object = json!(pairs);
            prop_assert_eq!(read(&object.to_string()), vec![object]);
        }

        #[test]
        fn no_text_upsets_it(text in ".*") {
            prop_assert!(!read(&text).is_empty());
        }
    }
}
