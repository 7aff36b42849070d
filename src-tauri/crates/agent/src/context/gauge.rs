//! What a session's items take, counted once, and how far such counts were off.
//!
//! A session's core keeps one for each model it asks, so that a long session is not counted anew
//! for every request. Clones share it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use talaria_domain::ItemId;

/// A request that takes fewer tokens says nothing about the rest.
const TELLING: u64 = 500;
/// In thousandths: what a count is believed to be off at most.
const CREDIBLE: std::ops::RangeInclusive<u64> = 500..=3_000;

/// Counts of one session for one model.
#[derive(Clone, Debug, Default)]
pub struct Gauge {
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    /// By item and the bytes of what is sent of it.
    counts: HashMap<(ItemId, usize), u64>,
    /// Of texts that are no items, by their hash.
    texts: HashMap<u64, u64>,
    /// What the service counted for every thousand of ours.
    scale: u64,
}

impl Default for State {
    fn default() -> Self {
        Self {
            counts: HashMap::new(),
            texts: HashMap::new(),
            scale: 1_000,
        }
    }
}

impl Gauge {
    /// The count that is known, or the one that `count` makes.
    pub(super) fn of(&self, item: ItemId, bytes: usize, count: impl FnOnce() -> u64) -> u64 {
        let known = self.lock().counts.get(&(item, bytes)).copied();
        known.unwrap_or_else(|| {
            let counted = count();
            self.lock().counts.insert((item, bytes), counted);
            counted
        })
    }

    /// The same for a text that is no item's.
    pub(super) fn of_text(&self, text: &str, count: impl FnOnce(&str) -> u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        let known = self.lock().texts.get(&hash).copied();
        known.unwrap_or_else(|| {
            let counted = count(text);
            self.lock().texts.insert(hash, counted);
            counted
        })
    }

    /// A count as the service would make it.
    pub(crate) fn scaled(&self, counted: u64) -> u64 {
        counted.saturating_mul(self.lock().scale) / 1_000
    }

    /// Takes note of what the service counted for a request, where we said so much.
    pub(crate) fn compare(&self, said: u64, actual: u64) {
        if said < TELLING || actual == 0 {
            return;
        }
        let scale = actual.saturating_mul(self.lock().scale) / said;
        // A count that is far below ours tells of something else: a cut request, or a cached one.
        // One that is far above is believed as far as it is credible, lest requests do not fit.
        if scale >= *CREDIBLE.start() {
            self.lock().scale = scale.min(*CREDIBLE.end());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ItemId, Timestamp};

    use super::Gauge;

    #[test]
    fn an_item_is_counted_once_for_each_form_it_is_sent_in() {
        let gauge = Gauge::default();
        let id = ItemId::from_parts(Timestamp::from_millis(1), [0; 10]);
        assert_eq!(gauge.of(id, 10, || 3), 3);
        assert_eq!(gauge.of(id, 10, || panic!("counted twice")), 3);
        assert_eq!(gauge.of(id, 5, || 2), 2);
    }

    #[test]
    fn the_services_count_corrects_ours_within_reason() {
        for (counted, actual, thousand) in [
            (1_000, 1_500, 1_500),
            (1_000, 800, 800),
            (1_000, 0, 1_000),
            (1_000, 100, 1_000),
            (1_000, 9_000, 3_000),
            (100, 200, 1_000),
        ] {
            let gauge = Gauge::default();
            gauge.compare(counted, actual);
            assert_eq!(gauge.scaled(1_000), thousand, "{counted} {actual}");
        }
    }
}
