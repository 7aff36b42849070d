//! How much of a model's window may be filled, and with what.

use std::sync::Arc;

use talaria_domain::LayerKind;

use super::Gauge;
use crate::Estimate;
use crate::port::TokenCounter;

/// No answer is given more room than this, in tokens.
const LONGEST_ANSWER: u64 = 16_384;
/// A result keeps at least so many tokens.
const SHORTEST_RESULT: u64 = 256;
/// The tools' schemas take at most so many tokens.
const TOOLS: u64 = 2_500;
/// And at most so much of a small window, in percent.
const SHARE_OF_TOOLS: u64 = 15;
/// What trusted folders say takes at most so much of a window, in percent.
const SHARE_OF_FILES: u64 = 10;
/// A summary is never longer, in tokens.
const LONGEST_SUMMARY: u64 = 1_500;
/// The window of a context that nobody gave one.
const UNKNOWN: u64 = 32_768;

/// The most that a layer may take in a window of so many tokens, where it has a bound of its own.
#[must_use]
pub fn cap(layer: LayerKind, window: u64) -> Option<u64> {
    match layer {
        LayerKind::Tools => Some(TOOLS.min(window * SHARE_OF_TOOLS / 100)),
        LayerKind::ContextFiles => Some(window * SHARE_OF_FILES / 100),
        LayerKind::Summary => Some(LONGEST_SUMMARY.min(window / 4)),
        LayerKind::Rules
        | LayerKind::History
        | LayerKind::EarlierSteps
        | LayerKind::Input
        | LayerKind::Steps => None,
    }
}

/// How long a summary may get where there is room for so many tokens.
pub(crate) fn summary_length(room: u64) -> u64 {
    (room / 4).min(LONGEST_SUMMARY)
}

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
