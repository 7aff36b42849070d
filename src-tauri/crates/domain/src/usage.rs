//! Tokens, as services report them, and what they cost.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An amount of money in billionths of a US dollar: fine enough for a single cheap token, and
/// exact under addition.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS,
)]
#[serde(transparent)]
#[ts(type = "number")]
pub struct Cost(pub u64);

/// Tokens of one request, or the sum over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Usage {
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// Of those, tokens the service had cached.
    pub cached_tokens: u64,
    /// Of those, tokens the service newly wrote to its cache, where that is billed.
    #[serde(default)]
    pub cache_written_tokens: u64,
    /// Tokens received, reasoning included.
    pub output_tokens: u64,
    /// What they cost; none where no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<Cost>,
}

impl Usage {
    /// The sum of both. Its cost is known only if every part's is; what used nothing costs
    /// nothing.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            cache_written_tokens: self
                .cache_written_tokens
                .saturating_add(other.cache_written_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cost: match (self.cost, other.cost) {
                (Some(Cost(one)), Some(Cost(two))) => Some(Cost(one.saturating_add(two))),
                (None, known) if self.is_empty() => known,
                (known, None) if other.is_empty() => known,
                _ => None,
            },
        }
    }

    /// Whether no token was used.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.input_tokens == 0 && self.output_tokens == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Cost, Usage};

    fn used(input_tokens: u64, cost: Option<u64>) -> Usage {
        Usage {
            input_tokens,
            cost: cost.map(Cost),
            ..Usage::default()
        }
    }

    #[test]
    fn a_sum_has_a_cost_only_if_all_its_parts_have_one() {
        for (one, two, sum) in [
            (used(1, Some(5)), used(2, Some(7)), Some(12)),
            (used(1, Some(5)), used(2, None), None),
            (used(1, None), used(2, Some(5)), None),
            (Usage::default(), used(2, Some(5)), Some(5)),
            (used(2, Some(5)), Usage::default(), Some(5)),
            (Usage::default(), Usage::default(), None),
        ] {
            assert_eq!(one.plus(two).cost, sum.map(Cost), "{one:?} + {two:?}");
        }
    }
}
