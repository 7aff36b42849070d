//! The one error that crosses to a front end.

use serde::{Deserialize, Serialize};
use talaria_domain::{ErrorCode, IdError, Language, Retry, ServiceFailure};
use talaria_note::NoteError;
use talaria_secret::SecretError;
use talaria_store::{SettingsError, StoreError};
use ts_rs::TS;

use crate::hint::hint;

/// A failure as the window and the command line get it.
///
/// The window chooses its words by `code`; `message` is the technical detail behind a click, and
/// `hint` what the command line prints under it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What happened, without secrets.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// After how long asking again may work, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub retry_after_ms: Option<u64>,
    /// For an overflow: the window in tokens, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit: Option<u64>,
}

impl ApiError {
    /// A failure of a kind, with what happened.
    pub(crate) fn new(code: ErrorCode, message: impl std::fmt::Display) -> Self {
        Self {
            code,
            message: message.to_string(),
            hint: hint(code, Language::English).to_owned(),
            retry_after_ms: None,
            limit: None,
        }
    }

    /// A fault of Talaria's own; the log gets all of it.
    pub(crate) fn internal(error: &dyn std::error::Error) -> Self {
        tracing::error!(%error, "internal fault");
        Self::new(ErrorCode::Internal, error)
    }

    /// Input that the caller must mend.
    pub(crate) fn invalid(message: impl std::fmt::Display) -> Self {
        Self::new(ErrorCode::InvalidInput, message)
    }

    /// The same failure with its hint in another language.
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Self {
        self.hint = hint(self.code, language).to_owned();
        self
    }
}

/// Failures that a front end meets itself.
impl ApiError {
    /// The program could not start.
    pub fn startup(error: &impl std::fmt::Display) -> Self {
        Self::new(ErrorCode::Internal, error)
    }

    /// A file or the standard input could not be read.
    pub fn unreadable(error: &std::io::Error) -> Self {
        Self::new(ErrorCode::Storage, error)
    }

    /// A text that should be an id is not one.
    #[must_use]
    pub fn not_an_id(error: IdError) -> Self {
        Self::invalid(error)
    }

    /// A file is not an exported session.
    #[must_use]
    pub fn not_an_export(error: &serde_json::Error) -> Self {
        Self::invalid(format_args!("this is not an exported session: {error}"))
    }

    /// There is no note of that title or path.
    #[must_use]
    pub fn no_such_note(title: &str) -> Self {
        Self::new(
            ErrorCode::NotFound,
            format_args!("there is no note \"{title}\""),
        )
    }

    /// A turn or a proof failed, as its event says.
    #[must_use]
    pub fn of_event(code: ErrorCode, message: &str) -> Self {
        Self::new(code, message)
    }

    /// No model is set up.
    #[must_use]
    pub fn no_model() -> Self {
        Self::invalid(
            "no model is set up: run `talaria provider add`, or set TALARIA_BASE_URL and \
             TALARIA_MODEL (and TALARIA_API_KEY for a service that needs one)",
        )
    }
}

impl From<ServiceFailure> for ApiError {
    fn from(failure: ServiceFailure) -> Self {
        Self {
            retry_after_ms: match failure.retry {
                Retry::After(wait) => u64::try_from(wait.as_millis()).ok(),
                Retry::Soon | Retry::Never => None,
            },
            limit: failure.limit,
            ..Self::new(failure.code, failure.message)
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::new(error.code(), error)
    }
}

impl From<SettingsError> for ApiError {
    fn from(error: SettingsError) -> Self {
        let code = match &error {
            SettingsError::SecretInAddress => ErrorCode::InvalidInput,
            SettingsError::File(_) | SettingsError::NotEditable(_) => ErrorCode::Storage,
        };
        Self::new(code, error)
    }
}

impl From<NoteError> for ApiError {
    fn from(error: NoteError) -> Self {
        Self::new(error.code(), error)
    }
}

impl From<SecretError> for ApiError {
    fn from(error: SecretError) -> Self {
        Self::new(error.code(), error)
    }
}
