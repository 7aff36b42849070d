//! What is known of a model: its limits, what it takes, what it costs.
//!
//! `talaria-provider` finds the facts; whoever sends, shows or counts asks them. A fact that is
//! not known is `None`: nobody may read it as "no".

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is known of a model of one service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ModelFacts {
    /// Tokens it can take and give together.
    pub context_window: Option<u64>,
    /// Tokens it gives in one answer at most.
    pub max_output_tokens: Option<u64>,
    /// Whether it calls tools.
    pub tools: Option<bool>,
    /// Whether it takes images.
    pub images: Option<bool>,
    /// Whether it takes PDF files as they are.
    pub documents: Option<bool>,
    /// Whether it can think before it answers.
    pub reasoning: Option<bool>,
    /// What its tokens cost here.
    pub price: Option<Price>,
}

impl ModelFacts {
    /// These facts, and `other`'s where nothing is known here.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            context_window: self.context_window.or(other.context_window),
            max_output_tokens: self.max_output_tokens.or(other.max_output_tokens),
            tools: self.tools.or(other.tools),
            images: self.images.or(other.images),
            documents: self.documents.or(other.documents),
            reasoning: self.reasoning.or(other.reasoning),
            price: self.price.or(other.price),
        }
    }
}

/// What a request's tokens cost, by how long the request is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Price {
    /// The rates of a usual request.
    pub usual: Rates,
    /// The rates of a long one, where the service asks more for it.
    #[serde(default)]
    pub long: Option<LongRates>,
}

/// The rates of requests that send many tokens. They count for all tokens of such a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LongRates {
    /// A request that sends more tokens than this is long.
    pub above: u64,
    /// Its rates.
    pub rates: Rates,
}

/// What tokens cost, each in millionths of a US dollar per million tokens: 3 dollars per million
/// tokens are `3_000_000`. The smallest published prices are whole numbers in this unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rates {
    /// Tokens sent.
    pub input: u64,
    /// Tokens received, reasoning included.
    pub output: u64,
    /// Tokens sent that the service had cached. None: as others that are sent.
    pub cached_input: Option<u64>,
    /// Tokens sent that the service cached for later. None: as others that are sent.
    pub cache_written: Option<u64>,
}

impl Price {
    /// What a model of the user's own computer costs.
    pub const FREE: Self = Self {
        usual: Rates {
            input: 0,
            output: 0,
            cached_input: None,
            cache_written: None,
        },
        long: None,
    };
}

#[cfg(test)]
mod tests {
    use super::{ModelFacts, Price};

    #[test]
    fn a_gap_is_filled_and_a_known_fact_stays() {
        let first = ModelFacts {
            context_window: Some(8_192),
            tools: Some(false),
            ..ModelFacts::default()
        };
        let second = ModelFacts {
            context_window: Some(131_072),
            tools: Some(true),
            images: Some(true),
            price: Some(Price::FREE),
            ..ModelFacts::default()
        };
        let both = first.or(second);
        assert_eq!(both.context_window, Some(8_192));
        assert_eq!(both.tools, Some(false));
        assert_eq!(both.images, Some(true));
        assert_eq!(both.price, Some(Price::FREE));
        assert_eq!(both.reasoning, None);
    }

    #[test]
    fn facts_that_are_left_out_are_read_as_unknown() {
        let facts: ModelFacts = serde_json::from_str(r#"{"context_window": 4096}"#).unwrap();
        assert_eq!(facts.context_window, Some(4_096));
        assert_eq!(ModelFacts::default().or(facts), facts);
    }
}
