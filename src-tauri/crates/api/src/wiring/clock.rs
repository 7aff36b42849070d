//! The system's time and chance.

use std::time::{SystemTime, UNIX_EPOCH};

use talaria_agent::port::Clock;
use talaria_domain::Timestamp;

/// The real clock.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn random(&self) -> [u8; 10] {
        rand::random()
    }
}
