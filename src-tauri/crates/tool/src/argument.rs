//! Reading a call's arguments into a tool's own type. Models often write a number as text or
//! leave blanks around a title; that is mended here, anything else is told back to the model.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use talaria_domain::ToolResult;

use crate::output::failure;

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
    use serde_json::json;

    use super::{count, maybe_words, parse, words};

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
}
