//! How much of a model's window may be filled, and with what.

use std::sync::Arc;

use super::Gauge;
use crate::Estimate;
use crate::port::TokenCounter;

/// No answer is given more room than this, in tokens.
const LONGEST_ANSWER: u64 = 16_384;
/// A result keeps at least so many tokens.
const SHORTEST_RESULT: u64 = 256;
/// The window of a context that nobody gave one.
const UNKNOWN: u64 = 32_768;

/// The window of the model that is asked, and how its tokens are counted.
#[derive(Clone)]
pub struct Budget {
    window: u64,
    counter: Arc<dyn TokenCounter>,
    pub(crate) gauge: Gauge,
}

impl Budget {
    /// A window of so many tokens. What `gauge` has counted is not counted again.
    #[must_use]
    pub fn new(window: u64, counter: Arc<dyn TokenCounter>, gauge: Gauge) -> Self {
        Self {
            window,
            counter,
            gauge,
        }
    }

    pub(crate) fn window(&self) -> u64 {
        self.window
    }

    /// The window turned out to be smaller.
    pub(crate) fn learn(&mut self, window: u64) {
        self.window = self.window.min(window);
    }

    /// Kept free for the answer.
    pub(crate) fn reserve(&self) -> u64 {
        (self.window / 4).min(LONGEST_ANSWER)
    }

    /// The most that a request may take.
    pub(crate) fn limit(&self) -> u64 {
        self.window - self.reserve()
    }

    /// The most that one result may take: a quarter of a request.
    pub(crate) fn result_cap(&self) -> u64 {
        (self.limit() / 4).max(SHORTEST_RESULT)
    }

    /// The tokens of a text that is sent with every request, counted once.
    pub(crate) fn count_once(&self, text: &str) -> u64 {
        self.gauge.of_text(text, |text| self.counter.count(text))
    }

    pub(crate) fn count(&self, text: &str) -> u64 {
        self.counter.count(text)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(UNKNOWN, Arc::new(Estimate), Gauge::default())
    }
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Budget")
            .field("window", &self.window)
            .finish_non_exhaustive()
    }
}
