//! The two optional parameters that some services refuse, and what they want instead.

use talaria_domain::{ErrorCode, ServiceFailure};

/// How a service, or one of its models, wants to be asked. Learnt from its refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dialect {
    /// It takes `stream_options`, and so tells the tokens used.
    pub(crate) usage_in_stream: bool,
    /// It wants `max_completion_tokens` in place of `max_tokens`.
    pub(crate) completion_limit: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            usage_in_stream: true,
            completion_limit: false,
        }
    }
}

impl Dialect {
    /// The name of the field for the longest answer.
    pub(crate) fn output_limit_field(self) -> &'static str {
        if self.completion_limit {
            "max_completion_tokens"
        } else {
            "max_tokens"
        }
    }

    /// What to try after a refusal; none if the refusal is about something else.
    pub(crate) fn after(self, failure: &ServiceFailure) -> Option<Self> {
        if failure.code != ErrorCode::BadRequest {
            return None;
        }
        let message = &failure.message;
        if self.usage_in_stream && message.contains("stream_options") {
            return Some(Self {
                usage_in_stream: false,
                ..self
            });
        }
        if !self.completion_limit && message.contains("max_completion_tokens") {
            return Some(Self {
                completion_limit: true,
                ..self
            });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ErrorCode, Retry, ServiceFailure};

    use super::Dialect;

    fn refusal(code: ErrorCode, message: &str) -> ServiceFailure {
        ServiceFailure {
            code,
            message: message.to_owned(),
            retry: Retry::Never,
            limit: None,
            status: Some(400),
        }
    }

    #[test]
    fn each_refusal_teaches_one_thing_once() {
        let plain = Dialect::default();
        let no_usage = refusal(ErrorCode::BadRequest, "body.stream_options: not permitted");
        let learnt = plain.after(&no_usage).expect("it is about a parameter");
        assert!(!learnt.usage_in_stream);
        assert_eq!(learnt.after(&no_usage), None);

        let rename = refusal(
            ErrorCode::BadRequest,
            "Use 'max_completion_tokens' instead.",
        );
        let both = learnt.after(&rename).expect("it is about a parameter");
        assert_eq!(
            both,
            Dialect {
                usage_in_stream: false,
                completion_limit: true
            }
        );
        assert_eq!(both.output_limit_field(), "max_completion_tokens");
    }

    #[test]
    fn other_refusals_teach_nothing() {
        let plain = Dialect::default();
        assert_eq!(
            plain.after(&refusal(ErrorCode::BadRequest, "no such field: foo")),
            None
        );
        assert_eq!(
            plain.after(&refusal(ErrorCode::Auth, "stream_options")),
            None
        );
    }
}
