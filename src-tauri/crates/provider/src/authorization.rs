//! Signing in to a service in the browser, instead of pasting a key.

use serde::{Deserialize, Serialize};
use talaria_domain::ErrorCode;
use ts_rs::TS;

/// Where an attempt to sign in stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum AuthorizationState {
    /// The browser has not come back yet.
    Waiting,
    /// The service gave a key; it is in the secret store.
    Done,
    /// It did not work.
    Failed {
        /// The kind of failure.
        code: ErrorCode,
        /// What was said.
        message: String,
    },
}
