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
    let value = serde_json::from_str::<Value>(data).ok();
    if event.name == "error" {
        let said = value.unwrap_or_else(|| Value::String(data.to_owned()));
        return Err(failure::from_stream(&said));
    }
    match value {
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
        ] {
            let failure = read(&Event { name, data }).expect_err("it fails");
            assert_eq!(failure.code, code, "{data}");
        }
    }
}
