//! Why an answer ended, in the words of the many services.

use talaria_domain::{ErrorCode, FinishReason, Retry, ServiceFailure};

use crate::failure;

/// Reads a finish reason. Some of them are failures; one that is unknown counts as an ordinary
/// end, since the answer is there.
pub(super) fn read(reason: &str) -> Result<FinishReason, ServiceFailure> {
    let failed = |code, retry| {
        let message = format!("The service broke off: {reason}.");
        Err(failure::new(code, &message, retry))
    };
    match reason.to_ascii_lowercase().as_str() {
        "tool_calls" | "function_call" | "tool_use" | "tool_call" => Ok(FinishReason::ToolCalls),
        "length"
        | "max_tokens"
        | "model_length"
        | "max_output_tokens"
        | "repetition_truncation" => Ok(FinishReason::Length),
        "content_filter" | "sensitive" | "safety" | "recitation" | "blocklist"
        | "prohibited_content" | "spii" | "refusal" => Ok(FinishReason::ContentFilter),
        "model_context_window_exceeded" | "context_length_exceeded" => {
            failed(ErrorCode::ContextOverflow, Retry::Never)
        }
        "insufficient_system_resource" | "overloaded" => failed(ErrorCode::Overloaded, Retry::Soon),
        "rate_limit" | "rate_limited" => failed(ErrorCode::RateLimited, Retry::Soon),
        "timeout" => failed(ErrorCode::Timeout, Retry::Soon),
        "error"
        | "network_error"
        | "abort"
        | "aborted"
        | "cancelled"
        | "malformed_function_call" => failed(ErrorCode::BadResponse, Retry::Soon),
        other => {
            tracing::debug!(reason = other, "the answer ended");
            Ok(FinishReason::Stop)
        }
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ErrorCode, FinishReason};

    use super::read;

    #[test]
    fn each_services_word_is_understood() {
        use FinishReason::{ContentFilter, Length, Stop, ToolCalls};
        for (reason, expected) in [
            ("stop", Ok(Stop)),
            ("STOP", Ok(Stop)),
            ("eos", Ok(Stop)),
            ("end_turn", Ok(Stop)),
            ("never heard of", Ok(Stop)),
            ("tool_calls", Ok(ToolCalls)),
            ("MAX_TOKENS", Ok(Length)),
            ("model_length", Ok(Length)),
            ("SAFETY", Ok(ContentFilter)),
            ("sensitive", Ok(ContentFilter)),
            (
                "model_context_window_exceeded",
                Err(ErrorCode::ContextOverflow),
            ),
            ("insufficient_system_resource", Err(ErrorCode::Overloaded)),
            ("network_error", Err(ErrorCode::BadResponse)),
            ("MALFORMED_FUNCTION_CALL", Err(ErrorCode::BadResponse)),
        ] {
            assert_eq!(
                read(reason).map_err(|failure| failure.code),
                expected,
                "{reason}"
            );
        }
    }
}
