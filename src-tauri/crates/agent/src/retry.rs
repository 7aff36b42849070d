//! When a failed request is sent again, and after how long.

use std::time::Duration;

use talaria_domain::{ErrorCode, Retry, ServiceFailure};

/// A service that asks for less, or names a moment that is past, gets at least this much of the
/// ordinary wait: a clock that goes wrong must not make a tight loop.
const LEAST: Duration = Duration::from_secs(1);

/// How often and how patiently a request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles with each further one.
    pub first_wait: Duration,
    /// No wait of our own is longer.
    pub longest_wait: Duration,
    /// A service that asks for a longer wait is not asked again: the user decides.
    pub longest_asked: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_wait: Duration::from_millis(800),
            longest_wait: Duration::from_secs(60),
            longest_asked: Duration::from_secs(300),
        }
    }
}

impl RetryPolicy {
    /// How long to wait after attempt number `attempt` (from 1) failed, or `None` to give up.
    ///
    /// `chance` in 0..=255 spreads the waits of many clients over the upper half of the interval.
    #[must_use]
    pub fn wait_after(
        &self,
        attempt: u32,
        failure: &ServiceFailure,
        chance: u8,
    ) -> Option<Duration> {
        // An answer that makes no sense may be an accident once, but not twice.
        let attempts = match failure.code {
            ErrorCode::BadResponse => self.attempts.min(2),
            _ => self.attempts,
        };
        if attempt >= attempts {
            return None;
        }
        let own = self.own_wait(attempt, chance);
        match failure.retry {
            Retry::Never => None,
            Retry::After(asked) if asked > self.longest_asked => None,
            Retry::After(asked) => Some(asked.max(own.min(LEAST))),
            Retry::Soon => Some(own),
        }
    }

    fn own_wait(&self, attempt: u32, chance: u8) -> Duration {
        let doubled = self
            .first_wait
            .saturating_mul(1 << attempt.saturating_sub(1).min(16));
        let whole = doubled.min(self.longest_wait);
        whole / 2 + whole.mul_f64(f64::from(chance) / 510.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use talaria_domain::{ErrorCode, Retry, ServiceFailure};

    use super::RetryPolicy;

    fn failure(retry: Retry) -> ServiceFailure {
        ServiceFailure {
            code: ErrorCode::Overloaded,
            message: String::new(),
            retry,
            limit: None,
            status: None,
        }
    }

    #[test]
    fn waits_double_within_their_jitter_and_end_with_the_attempts() {
        let policy = RetryPolicy {
            attempts: 4,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(3),
            longest_asked: Duration::from_secs(20),
        };
        let soon = failure(Retry::Soon);
        for (attempt, chance, millis) in [
            (1, 0, Some(500)),
            (1, 255, Some(1000)),
            (2, 255, Some(2000)),
            (3, 255, Some(3000)),
            (4, 255, None),
        ] {
            let wait = policy.wait_after(attempt, &soon, chance);
            assert_eq!(
                wait,
                millis.map(Duration::from_millis),
                "attempt {attempt}, chance {chance}"
            );
        }
    }

    #[test]
    fn the_services_own_wait_is_kept_unless_it_is_too_long() {
        let policy = RetryPolicy::default();
        let seconds = Duration::from_secs;
        for (asked, wait) in [
            (seconds(10), Some(seconds(10))),
            (seconds(86), Some(seconds(86))),
            (seconds(300), Some(seconds(300))),
            (seconds(301), None),
            // A moment that is past: not at once, but soon.
            (Duration::ZERO, Some(Duration::from_millis(800))),
            (Duration::from_millis(900), Some(Duration::from_millis(900))),
        ] {
            let failure = failure(Retry::After(asked));
            assert_eq!(policy.wait_after(1, &failure, 255), wait, "{asked:?}");
        }
        let past = failure(Retry::After(Duration::ZERO));
        assert_eq!(policy.wait_after(3, &past, 255), Some(seconds(1)));
    }

    #[test]
    fn an_answer_that_makes_no_sense_is_asked_for_once_more() {
        let failure = ServiceFailure {
            code: ErrorCode::BadResponse,
            ..failure(Retry::Soon)
        };
        let policy = RetryPolicy::default();
        assert!(policy.wait_after(1, &failure, 9).is_some());
        assert_eq!(policy.wait_after(2, &failure, 9), None);
    }

    #[test]
    fn what_can_not_work_is_not_tried_again() {
        assert_eq!(
            RetryPolicy::default().wait_after(1, &failure(Retry::Never), 9),
            None
        );
    }
}
