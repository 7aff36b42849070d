//! The one error that crosses to a front end.

use serde::{Deserialize, Serialize};
use talaria_domain::ErrorCode;
use ts_rs::TS;

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
}
