//! The turns that run in this process, and how they are stopped.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use talaria_domain::TurnId;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// How long the end of the program waits for turns to write down that they were stopped.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The running turns.
#[derive(Default)]
pub(crate) struct Running {
    turns: Mutex<HashMap<TurnId, CancellationToken>>,
    ended: Notify,
}

impl Running {
    pub(crate) fn began(&self, turn: TurnId, stop: CancellationToken) {
        self.lock().insert(turn, stop);
    }

    pub(crate) fn ended(&self, turn: TurnId) {
        self.lock().remove(&turn);
        self.ended.notify_waiters();
    }

    /// Asks a turn to stop. False: it does not run here.
    pub(crate) fn stop(&self, turn: TurnId) -> bool {
        let found = self.lock().get(&turn).cloned();
        found.is_some_and(|stop| {
            stop.cancel();
            true
        })
    }

    /// Stops every turn and waits a little for each to be written down.
    pub(crate) async fn stop_all(&self) {
        let all_ended = async {
            loop {
                let ended = self.ended.notified();
                if self.cancel_all() == 0 {
                    break;
                }
                ended.await;
            }
        };
        if tokio::time::timeout(LAST_WORDS, all_ended).await.is_err() {
            tracing::warn!("a turn did not end in time; it will be found as interrupted");
        }
    }

    fn cancel_all(&self) -> usize {
        let turns = self.lock();
        turns.values().for_each(CancellationToken::cancel);
        turns.len()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TurnId, CancellationToken>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use talaria_domain::{Timestamp, TurnId};
    use tokio_util::sync::CancellationToken;

    use super::Running;

    fn turn() -> TurnId {
        TurnId::from_parts(Timestamp::from_millis(1), [1; 10])
    }

    #[test]
    fn only_a_running_turn_can_be_stopped() {
        let (running, stop) = (Running::default(), CancellationToken::new());
        assert!(!running.stop(turn()));
        running.began(turn(), stop.clone());
        assert!(running.stop(turn()) && stop.is_cancelled());
        running.ended(turn());
        assert!(!running.stop(turn()));
    }

    #[tokio::test]
    async fn the_end_waits_until_each_turn_has_ended() {
        let (running, stop) = (Arc::new(Running::default()), CancellationToken::new());
        running.began(turn(), stop.clone());
        let ending = tokio::spawn({
            let running = running.clone();
            async move { running.stop_all().await }
        });
        stop.cancelled().await;
        assert!(!ending.is_finished());
        running.ended(turn());
        ending.await.expect("it ends");
    }
}
