//! From what a model wrote to a tool's own type.
//!
//! The registry settles the arguments of every call: damaged JSON is read where it leaves no doubt
//! ([`repair`]), brought into the form of the tool's schema ([`fit`]) and held against it ([`check`]).
//! The tools then parse the result. What can't be mended is told back to the model, all of it at
//! once and with what to do; it is never emptied.

mod check;
mod date;
mod fit;
mod repair;
mod schema;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use talaria_domain::ToolResult;

pub(crate) use schema::without_asides;

use crate::output::failure;

/// The arguments as the object that `schema` describes; else what is wrong with them, to be said
/// behind "The arguments of …".
pub(crate) fn settled(arguments: &Value, schema: &Value) -> Result<Value, String> {
    let object = match arguments {
        Value::Object(object) => object.clone(),
        Value::Null => Map::new(),
        Value::String(text) if text.trim().is_empty() => Map::new(),
        Value::String(text) => repair::object(text).map_err(|fault| fault.to_string())?,
        Value::Array(_) => return Err("are a list, not an object".to_owned()),
        Value::Bool(_) | Value::Number(_) => {
            return Err("are a single value, not an object".to_owned());
        }
    };
    let object = fit::object(object, schema);
    match check::faults(&object, schema) {
        Some(faults) => Err(format!("do not fit: {faults}")),
        None => Ok(Value::Object(object)),
    }
}

/// The arguments as `T`, or the result that says what to mend.
pub(crate) fn parse<T: DeserializeOwned>(tool: &str, arguments: Value) -> Result<T, ToolResult> {
    serde_json::from_value(arguments)
        .map_err(|error| failure(format!("The arguments of {tool} are not right: {error}.")))
}

/// A count, also written as text; an absent or blank one is None.
pub(crate) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let value = Option::<Value>::deserialize(deserializer)?;
    let wrong = || serde::de::Error::custom("expected a whole number of 0 or more");
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => text.trim().parse().map(Some).map_err(|_| wrong()),
        Some(value) => {
            let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
            count.map(Some).ok_or_else(wrong)
        }
    }
}

/// A text that must say something; blanks around it are dropped. A number is taken as its digits.
pub(crate) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = match Value::deserialize(deserializer)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return Err(serde::de::Error::custom("expected a text")),
    };
    if text.is_empty() {
        Err(serde::de::Error::custom(
            "expected a text that is not empty",
        ))
    } else {
        Ok(text)
    }
}

/// A text that may be left out; a blank one counts as left out.
pub(crate) fn maybe_words<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{count, maybe_words, parse, settled, words};

    #[derive(Debug, PartialEq, Deserialize)]
    struct Sample {
        #[serde(deserialize_with = "words")]
        title: String,
        #[serde(default, deserialize_with = "count")]
        limit: Option<usize>,
        #[serde(default, deserialize_with = "maybe_words")]
        version: Option<String>,
    }

    #[test]
    fn plain_slips_are_mended() {
        let table = [
            (json!({"title": " a "}), "a", None, None),
            (
                json!({"title": 2026, "limit": "5", "version": " v "}),
                "2026",
                Some(5),
                Some("v"),
            ),
            (
                json!({"title": "a", "limit": null, "version": null}),
                "a",
                None,
                None,
            ),
            (
                json!({"title": "a", "limit": " ", "version": " "}),
                "a",
                None,
                None,
            ),
        ];
        for (given, title, limit, version) in table {
            let read: Sample = parse("x", given).unwrap();
            assert_eq!(
                (read.title.as_str(), read.limit, read.version.as_deref()),
                (title, limit, version)
            );
        }
    }

    #[test]
    fn other_slips_are_told() {
        let table = [
            (json!({}), "missing field `title`"),
            (json!({"title": " "}), "not empty"),
            (json!({"title": []}), "expected a text"),
            (json!({"title": "a", "limit": -1}), "whole number"),
            (json!({"title": "a", "limit": "many"}), "whole number"),
        ];
        for (given, fault) in table {
            let result = parse::<Sample>("read_note", given).unwrap_err();
            assert!(
                result.is_error && result.text.contains(fault),
                "{}",
                result.text
            );
            assert!(result.text.contains("read_note"));
        }
    }

    #[test]
    fn what_a_model_wrote_is_settled_by_the_tools_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "limit": {"type": "integer"},
                "kind": {"enum": ["note", "task"]},
            },
        });
        let table = [
            (json!({"title": " a "}), Ok(json!({"title": "a"}))),
            (Value::Null, Ok(json!({}))),
            (json!(" "), Ok(json!({}))),
            (
                json!("{'title': 'a', limit: '5',}"),
                Ok(json!({"title": "a", "limit": 5})),
            ),
            (json!({"kind": "Task"}), Ok(json!({"kind": "task"}))),
            (json!([1]), Err("are a list")),
            (json!(3), Err("are a single value")),
            (json!("nothing"), Err("hold no JSON object")),
            (json!("{\"title\": \"a"), Err("break off")),
            (
                json!({"limit": "many"}),
                Err("limit must be of type integer, not \"many\""),
            ),
            (
                json!({"kind": "song"}),
                Err("kind must be one of \"note\", \"task\""),
            ),
        ];
        for (given, expected) in table {
            match (settled(&given, &schema), expected) {
                (Ok(read), Ok(wanted)) => assert_eq!(read, wanted, "{given}"),
                (Err(told), Err(words)) => assert!(told.contains(words), "{given}: {told}"),
                (found, wanted) => panic!("{given}: {found:?}, not {wanted:?}"),
            }
        }
    }
}
