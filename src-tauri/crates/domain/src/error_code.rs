//! The few, stable codes by which every failure is known outside its own crate.
//!
//! A code exists only because somebody reacts to it: the window chooses words and a remedy by it,
//! the turn loop decides on a retry by it, scripts read it from `talaria --json`.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What kind of failure happened. The words for each live in the window's error table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The key is missing, wrong or lacks a right.
    Auth,
    /// The account has no credit or no plan for this.
    Billing,
    /// Too many requests; waiting helps.
    RateLimited,
    /// The service is up but has no capacity now.
    Overloaded,
    /// The request is larger than the model's window.
    ContextOverflow,
    /// The answer hit the model's output limit.
    OutputLimit,
    /// The service refused the content.
    ContentPolicy,
    /// The service has no such model, or this account may not use it.
    ModelNotFound,
    /// The service understood and refused the request itself.
    BadRequest,
    /// The service could not be reached.
    Network,
    /// Nothing came for too long.
    Timeout,
    /// A secure connection could not be made.
    Tls,
    /// What came back is not what the protocol says.
    BadResponse,
    /// The stream ended without its terminal event.
    StreamCut,
    /// The user stopped it.
    Cancelled,
    /// The database or a file could not be read or written.
    Storage,
    /// The secret store is missing, locked or refused.
    Keyring,
    /// The caller's input is not usable.
    InvalidInput,
    /// No such session, note, model, …
    NotFound,
    /// Somebody else changed it meanwhile.
    Conflict,
    /// The user or a rule said no.
    Denied,
    /// The guard refused the content.
    UnsafeContent,
    /// A fault of Talaria's own.
    Internal,
}

impl ErrorCode {
    /// The code as it is written in JSON and in the command line's output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Billing => "billing",
            Self::RateLimited => "rate_limited",
            Self::Overloaded => "overloaded",
            Self::ContextOverflow => "context_overflow",
            Self::OutputLimit => "output_limit",
            Self::ContentPolicy => "content_policy",
            Self::ModelNotFound => "model_not_found",
            Self::BadRequest => "bad_request",
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::Tls => "tls",
            Self::BadResponse => "bad_response",
            Self::StreamCut => "stream_cut",
            Self::Cancelled => "cancelled",
            Self::Storage => "storage",
            Self::Keyring => "keyring",
            Self::InvalidInput => "invalid_input",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::Denied => "denied",
            Self::UnsafeContent => "unsafe_content",
            Self::Internal => "internal",
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn the_written_code_is_the_serialised_code() {
        for code in [
            ErrorCode::Auth,
            ErrorCode::ContextOverflow,
            ErrorCode::StreamCut,
        ] {
            let json = serde_json::to_value(code).expect("a code serialises");
            assert_eq!(json, code.as_str());
        }
    }
}
