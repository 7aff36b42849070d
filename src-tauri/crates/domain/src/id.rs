//! Identifiers: UUIDv7, so that they sort by the time they were made.
//!
//! An id from outside is parsed into its type before anything is done with it; a path or a
//! statement is never made from an unparsed string.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::Timestamp;

/// A string that should have been an id is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an id")]
pub struct IdError(String);

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
        #[serde(transparent)]
        pub struct $name(#[ts(type = "string")] Uuid);

        impl $name {
            /// An id made at `at`, told apart from others of that millisecond by `random`.
            #[must_use]
            pub fn from_parts(at: Timestamp, random: [u8; 10]) -> Self {
                let millis = u64::try_from(at.as_millis()).unwrap_or(0);
                Self(uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
            }

            /// The id kept as these bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }

            /// The id as bytes, the form in which the store keeps it. They sort as the text does.
            #[must_use]
            pub const fn to_bytes(self) -> [u8; 16] {
                self.0.into_bytes()
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                Uuid::try_parse(text).map(Self).map_err(|_| IdError(text.chars().take(60).collect()))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.hyphenated().fmt(formatter)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.hyphenated().fmt(formatter)
            }
        }
    };
}

id! {
    /// One conversation.
    SessionId
}
id! {
    /// One user input up to its final answer.
    TurnId
}
id! {
    /// One thing inside a turn: a text, a reasoning, a tool call.
    ItemId
}

id! {
    /// One file that the user sent along with a message.
    AttachmentId
}
id! {
    /// One question of a running turn to the user.
    QuestionId
}
id! {
    /// One shortening of a session's context.
    CompactionId
}
id! {
    /// One change of a file that a tool made.
    FileChangeId
}
id! {
    /// One thing in the trace of a turn.
    SpanId
}

#[cfg(test)]
mod tests {
    use super::SessionId;
    use crate::Timestamp;

    #[test]
    fn a_later_id_sorts_after_an_earlier_one() {
        let early = SessionId::from_parts(Timestamp::from_millis(1_000), [255; 10]);
        let late = SessionId::from_parts(Timestamp::from_millis(1_001), [0; 10]);
        assert!(early < late);
        assert!(early.to_string() < late.to_string());
    }

    #[test]
    fn an_id_survives_being_written_and_read() {
        let id = SessionId::from_parts(Timestamp::from_millis(1_764_550_000_000), [7; 10]);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(SessionId::from_bytes(id.to_bytes()), id);
    }

    #[test]
    fn a_path_is_not_an_id() {
        assert!("../../etc/passwd".parse::<SessionId>().is_err());
    }
}
