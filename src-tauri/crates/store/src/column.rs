//! How the domain's types lie in columns: ids as 16 bytes, enums as the words of their JSON.

use rusqlite::Row;
use serde::Serialize;
use serde::de::value::{Error as WordError, StrDeserializer};
use serde::de::{Deserialize, DeserializeOwned, IntoDeserializer};
use talaria_domain::{ModelName, ModelRef, Timestamp};

use crate::StoreError;

/// The word of an enum whose variants hold nothing.
pub(crate) fn word(value: impl Serialize) -> Result<String, StoreError> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        Ok(_) | Err(_) => Err(StoreError::Unreadable("value")),
    }
}

/// The enum of a word; `what` names the row in the error.
pub(crate) fn parse_word<T: for<'de> Deserialize<'de>>(
    what: &'static str,
    word: &str,
) -> Result<T, StoreError> {
    let deserializer: StrDeserializer<'_, WordError> = word.into_deserializer();
    T::deserialize(deserializer).map_err(|_| StoreError::Unreadable(what))
}

pub(crate) fn json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| StoreError::Unreadable("value"))
}

pub(crate) fn parse_json<T: DeserializeOwned>(
    what: &'static str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Unreadable(what))
}

pub(crate) fn timestamp(row: &Row<'_>, column: usize) -> Result<Timestamp, StoreError> {
    Ok(Timestamp::from_millis(row.get(column)?))
}

pub(crate) fn optional_timestamp(
    row: &Row<'_>,
    column: usize,
) -> Result<Option<Timestamp>, StoreError> {
    Ok(row
        .get::<_, Option<i64>>(column)?
        .map(Timestamp::from_millis))
}

/// The enum of a column's word.
pub(crate) fn word_at<T: for<'de> Deserialize<'de>>(
    what: &'static str,
    row: &Row<'_>,
    column: usize,
) -> Result<T, StoreError> {
    parse_word(what, row.get_ref(column)?.as_str().unwrap_or_default())
}

/// A model from two columns: the service at `column`, its name for the model behind it.
pub(crate) fn model(row: &Row<'_>, column: usize) -> Result<Option<ModelRef>, StoreError> {
    let text = |column| -> Result<Option<&str>, StoreError> {
        Ok(row.get_ref(column)?.as_str_or_null().unwrap_or_default())
    };
    let (Some(service), Some(model)) = (text(column)?, text(column + 1)?) else {
        return Ok(None);
    };
    let unreadable = StoreError::Unreadable("model");
    match (service.parse(), ModelName::new(model)) {
        (Ok(service), Some(model)) => Ok(Some(ModelRef { service, model })),
        _ => Err(unreadable),
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ErrorCode, FinishReason, SessionSource, TitleOrigin, TurnState};

    use super::{parse_word, word};

    #[test]
    fn an_enum_comes_back_from_its_word() {
        assert_eq!(word(TurnState::Running).unwrap(), "running");
        assert_eq!(
            parse_word::<TurnState>("turn", "interrupted").unwrap(),
            TurnState::Interrupted
        );
        assert_eq!(
            parse_word::<ErrorCode>("turn", "stream_cut").unwrap(),
            ErrorCode::StreamCut
        );
        assert_eq!(word(TitleOrigin::None).unwrap(), "none");
        assert_eq!(word(SessionSource::Cli).unwrap(), "cli");
        assert_eq!(word(FinishReason::ContentFilter).unwrap(), "content_filter");
    }

    #[test]
    fn an_unknown_word_is_an_error_that_names_the_row() {
        let error = parse_word::<TurnState>("turn", "asleep").unwrap_err();
        assert_eq!(error.to_string(), "a turn in the database can't be read");
    }

    #[test]
    fn what_is_no_word_is_refused() {
        assert!(word(3).is_err());
    }
}
