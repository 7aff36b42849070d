//! What a user can do about a failure, by its code and the step it stopped.

use talaria_domain::{ErrorCode, ServiceFailure};

use super::{ProofStep, Remedy};

/// The remedy for `failure` at `step`; `near` says that the service is on this computer.
pub(super) fn remedy(failure: &ServiceFailure, step: ProofStep, near: bool) -> Remedy {
    match failure.code {
        ErrorCode::Auth => Remedy::CheckKey,
        ErrorCode::Billing => Remedy::AddCredit,
        ErrorCode::RateLimited | ErrorCode::Overloaded | ErrorCode::StreamCut => {
            Remedy::WaitAndRetry
        }
        ErrorCode::ModelNotFound => Remedy::ChooseModel,
        ErrorCode::Tls => Remedy::CheckCertificate,
        ErrorCode::BadResponse => Remedy::CheckAddress,
        ErrorCode::Network if is_about_proxy(failure) => Remedy::CheckProxy,
        ErrorCode::Network if near => Remedy::StartLocalService,
        ErrorCode::Network => Remedy::CheckNetwork,
        ErrorCode::Timeout if step != ProofStep::Reach => Remedy::WaitAndRetry,
        ErrorCode::Timeout if near => Remedy::StartLocalService,
        ErrorCode::Timeout => Remedy::CheckNetwork,
        ErrorCode::InvalidInput => Remedy::CheckAddress,
        ErrorCode::ContextOverflow
        | ErrorCode::OutputLimit
        | ErrorCode::ContentPolicy
        | ErrorCode::BadRequest
        | ErrorCode::Cancelled
        | ErrorCode::Storage
        | ErrorCode::Keyring
        | ErrorCode::NotFound
        | ErrorCode::Conflict
        | ErrorCode::Denied
        | ErrorCode::UnsafeContent
        | ErrorCode::Internal => Remedy::ReadMessage,
    }
}

/// Whether a failed request with a tool says that this model, or this server, takes no tools.
/// The request without one worked a moment ago, so a refusal is about the tool.
pub(super) fn refuses_tools(failure: &ServiceFailure) -> bool {
    match failure.code {
        ErrorCode::BadRequest | ErrorCode::ModelNotFound | ErrorCode::BadResponse => true,
        // llama.cpp without a tool template, and older gateways, say it behind a 500.
        ErrorCode::Overloaded | ErrorCode::Internal => {
            failure.message.to_lowercase().contains("tool")
        }
        _ => false,
    }
}

fn is_about_proxy(failure: &ServiceFailure) -> bool {
    failure.status == Some(407) || failure.message.to_lowercase().contains("proxy")
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ErrorCode, Retry, ServiceFailure};

    use super::super::{ProofStep, Remedy};
    use super::{refuses_tools, remedy};

    fn failure(code: ErrorCode, status: Option<u16>, message: &str) -> ServiceFailure {
        let message = message.to_owned();
        ServiceFailure {
            code,
            message,
            retry: Retry::Never,
            limit: None,
            status,
        }
    }

    #[test]
    fn each_failure_has_the_remedy_of_its_step_and_place() {
        use ErrorCode as Code;
        use ProofStep::{Answer, Key, Reach};
        for (code, status, message, step, near, expected) in [
            (
                Code::Network,
                None,
                "name can't be resolved",
                Reach,
                false,
                Remedy::CheckNetwork,
            ),
            (
                Code::Network,
                None,
                "connection refused",
                Reach,
                true,
                Remedy::StartLocalService,
            ),
            (
                Code::Network,
                None,
                "The proxy did not connect",
                Reach,
                false,
                Remedy::CheckProxy,
            ),
            (
                Code::Network,
                Some(407),
                "",
                Reach,
                false,
                Remedy::CheckProxy,
            ),
            (Code::Timeout, None, "", Reach, false, Remedy::CheckNetwork),
            (
                Code::Timeout,
                None,
                "",
                Reach,
                true,
                Remedy::StartLocalService,
            ),
            (Code::Timeout, None, "", Answer, true, Remedy::WaitAndRetry),
            (
                Code::Tls,
                None,
                "expired",
                Reach,
                false,
                Remedy::CheckCertificate,
            ),
            (Code::Auth, Some(401), "", Key, false, Remedy::CheckKey),
            (Code::Auth, Some(403), "", Answer, false, Remedy::CheckKey),
            (
                Code::Billing,
                Some(402),
                "",
                Answer,
                false,
                Remedy::AddCredit,
            ),
            (
                Code::RateLimited,
                Some(429),
                "",
                Answer,
                false,
                Remedy::WaitAndRetry,
            ),
            (
                Code::Overloaded,
                Some(529),
                "",
                Answer,
                false,
                Remedy::WaitAndRetry,
            ),
            (
                Code::ModelNotFound,
                Some(404),
                "",
                Answer,
                false,
                Remedy::ChooseModel,
            ),
            (
                Code::BadResponse,
                Some(200),
                "a web page",
                Answer,
                false,
                Remedy::CheckAddress,
            ),
            (
                Code::BadResponse,
                Some(404),
                "",
                Answer,
                true,
                Remedy::CheckAddress,
            ),
            (
                Code::ContentPolicy,
                Some(400),
                "",
                Answer,
                false,
                Remedy::ReadMessage,
            ),
        ] {
            let given = remedy(&failure(code, status, message), step, near);
            assert_eq!(given, expected, "{code} {status:?} {message} at {step:?}");
        }
    }

    #[test]
    fn a_refusal_of_tools_is_told_from_other_trouble() {
        for (code, message, expected) in [
            (ErrorCode::BadRequest, "model does not support tools", true),
            (
                ErrorCode::ModelNotFound,
                "no endpoints found that support tool use",
                true,
            ),
            (
                ErrorCode::Overloaded,
                "tools param requires a chat template",
                true,
            ),
            (ErrorCode::Overloaded, "the server is busy", false),
            (ErrorCode::RateLimited, "too many requests", false),
            (ErrorCode::Network, "connection reset", false),
        ] {
            assert_eq!(
                refuses_tools(&failure(code, None, message)),
                expected,
                "{message}"
            );
        }
    }
}
