//! What one event of a stream carries, before its protocol reads it.

use serde_json::Value;
use talaria_domain::{ErrorCode, Retry, ServiceFailure};

use crate::failure;
use crate::sse::Event;

/// How much of what can't be read is shown.
const SHOWN: usize = 200;

/// The payload of an event.
#[derive(Debug, PartialEq)]
pub(crate) enum Payload {
    /// A JSON value.
    Json(Value),
    /// The mark that nothing follows.
    Done,
    /// Nothing, or a comment that a relay wrapped up as data.
    Nothing,
}

/// Reads an event. One that is named an error is one, whatever it holds.
pub(crate) fn read(event: &Event<'_>) -> Result<Payload, ServiceFailure> {
    let data = event.data.trim();
    let value = json(data);
    if event.name == "error" {
        let said = value.unwrap_or_else(|| Value::String(data.to_owned()));
        return Err(failure::from_stream(&said));
    }
    match value {
        Some(value) if lists_an_error(&value) => Err(failure::from_stream(&value)),
        Some(value) => Ok(Payload::Json(value)),
        None if data == "[DONE]" => Ok(Payload::Done),
        None if data.is_empty() || data.starts_with(':') => Ok(Payload::Nothing),
        None => {
            let start: String = data.chars().take(SHOWN).collect();
            let message = format!("The stream holds something that is not JSON: {start}");
            Err(failure::new(ErrorCode::BadResponse, &message, Retry::Soon))
        }
    }
}

/// Whether a value is a list around an error, as Google sends it.
pub(crate) fn lists_an_error(value: &Value) -> bool {
    let mut items = value.as_array().into_iter().flatten();
    items.any(|item| item.get("error").is_some_and(Value::is_object))
}

/// A JSON value, also one with the two slips that the libraries of some services make.
fn json(data: &str) -> Option<Value> {
    let strict = serde_json::from_str(data).ok();
    strict.or_else(|| {
        let is_json = data.starts_with(['{', '[']);
        is_json.then(|| serde_json::from_str(&mended(data)).ok())?
    })
}

/// Writes `null` for the numbers that JSON does not have, and the replacement character for half
/// a character, which comes of cutting text in a language that counts by halves.
fn mended(data: &str) -> String {
    const NUMBERS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];
    let mut out = String::with_capacity(data.len());
    let (mut rest, mut inside) = (data, false);
    while let Some(next) = rest.chars().next() {
        let number = NUMBERS
            .iter()
            .find_map(|number| rest.strip_prefix(number))
            .filter(|_| !inside);
        let (written, behind) = if let Some(behind) = number {
            ("null", behind)
        } else if inside && next == '\\' {
            escape(rest)
        } else {
            rest.split_at(next.len_utf8())
        };
        inside ^= next == '"' && number.is_none();
        out.push_str(written);
        rest = behind;
    }
    out
}

/// The escape that a text begins with, mended, and what follows it.
fn escape(text: &str) -> (&str, &str) {
    let whole = |length: usize| text.split_at_checked(length).unwrap_or((text, ""));
    match unit(text) {
        Some(0xD800..=0xDBFF) => match text.get(6..).and_then(unit) {
            Some(0xDC00..=0xDFFF) => whole(12),
            _ => ("\\ufffd", whole(6).1),
        },
        Some(0xDC00..=0xDFFF) => ("\\ufffd", whole(6).1),
        Some(_) => whole(6),
        None => whole(2),
    }
}

/// The number of an escape such as `\u00e9`.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use talaria_domain::ErrorCode;

    use super::{Payload, read};
    use crate::sse::Event;

    #[test]
    fn each_kind_of_data_is_told_apart() {
        for (data, payload) in [
            (r#" {"a":1} "#, Payload::Json(json!({"a": 1}))),
            ("[DONE]", Payload::Done),
            ("", Payload::Nothing),
            (": processing", Payload::Nothing),
        ] {
            assert_eq!(
                read(&Event { name: "", data }).ok(),
                Some(payload),
                "{data}"
            );
        }
    }

    #[test]
    fn the_slips_of_libraries_are_mended() {
        for (data, value) in [
            (
                r#"{"a":NaN,"b":[-Infinity]}"#,
                json!({"a": null, "b": [null]}),
            ),
            (
                r#"{"a":"NaN","b":Infinity}"#,
                json!({"a": "NaN", "b": null}),
            ),
            (r#"{"a":"x\ud83d"}"#, json!({"a": "x\u{fffd}"})),
            (
                r#"{"a":"\ude00y","b":"\ud83d\ude00"}"#,
                json!({"a": "\u{fffd}y", "b": "😀"}),
            ),
            (r#"{"a":"\"\\","b":NaN}"#, json!({"a": "\"\\", "b": null})),
        ] {
            assert_eq!(
                read(&Event { name: "", data }).ok(),
                Some(Payload::Json(value)),
                "{data}"
            );
        }
    }

    #[test]
    fn what_is_not_json_or_named_an_error_fails() {
        for (name, data, code) in [
            ("", "who is there", ErrorCode::BadResponse),
            ("error", "", ErrorCode::BadResponse),
            ("error", "The server is overloaded.", ErrorCode::Overloaded),
            (
                "error",
                r#"{"error":{"code":"insufficient_quota"}}"#,
                ErrorCode::Billing,
            ),
            (
                "",
                r#"[{"error":{"code":503,"message":"later"}}]"#,
                ErrorCode::Overloaded,
            ),
        ] {
            let failure = read(&Event { name, data }).expect_err("it fails");
            assert_eq!(failure.code, code, "{data}");
        }
    }
}
