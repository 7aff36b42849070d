//! When a failed request is sent again, and after how long.

use std::time::Duration;

use talaria_domain::{Retry, ServiceFailure};

/// How often and how patiently a request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait before the second attempt; it doubles with each further one.
    pub first_wait: Duration,
    /// No wait is longer. A service that asks for more is not asked again.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_wait: Duration::from_millis(800),
            longest_wait: Duration::from_secs(60),
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
        if attempt >= self.attempts {
            return None;
        }
        match failure.retry {
            Retry::Never => None,
            Retry::After(asked) => (asked <= self.longest_wait).then_some(asked),
            Retry::Soon => {
                let doubled = self.first_wait.saturating_mul(1 << (attempt - 1).min(16));
                let whole = doubled.min(self.longest_wait);
                Some(whole / 2 + whole.mul_f64(f64::from(chance) / 510.0))
            }
        }
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
        let ten = Duration::from_secs(10);
        assert_eq!(
            policy.wait_after(1, &failure(Retry::After(ten)), 9),
            Some(ten)
        );
        assert_eq!(
            policy.wait_after(1, &failure(Retry::After(Duration::from_secs(3_600))), 9),
            None
        );
    }

    #[test]
    fn what_can_not_work_is_not_tried_again() {
        assert_eq!(
            RetryPolicy::default().wait_after(1, &failure(Retry::Never), 9),
            None
        );
    }
}
