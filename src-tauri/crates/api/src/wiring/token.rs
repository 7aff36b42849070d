//! Tokens as a turn's model counts them, where its tokenizer is published.

use talaria_agent::Estimate;
use talaria_agent::port::TokenCounter;
use talaria_domain::ModelName;
use talaria_provider::Tokenizer;

/// The model's tokenizer, else the estimate.
pub(crate) struct ModelTokens(Option<Tokenizer>);

impl ModelTokens {
    pub(crate) fn of(model: &ModelName) -> Self {
        Self(Tokenizer::of(model.as_str()))
    }
}

impl TokenCounter for ModelTokens {
    fn count(&self, text: &str) -> u64 {
        self.0
            .and_then(|tokenizer| tokenizer.count(text))
            .unwrap_or_else(|| Estimate.count(text))
    }
}

#[cfg(test)]
mod tests {
    use talaria_agent::port::TokenCounter;
    use talaria_agent::{Estimate, estimated_tokens};
    use talaria_domain::ModelName;

    use super::ModelTokens;

    #[test]
    fn a_known_tokenizer_counts_and_else_the_estimate_does() {
        let text = "internationalization of everything";
        let of = |name| ModelTokens::of(&ModelName::new(name).expect("a name")).count(text);
        assert_eq!(of("nobodys-model"), estimated_tokens(text));
        assert_eq!(of("gpt-5.4-mini"), 4);
        assert_ne!(of("gpt-5.4-mini"), Estimate.count(text));
    }
}
