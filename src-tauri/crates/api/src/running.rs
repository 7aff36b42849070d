//! The turns that run in this process, the sessions that are shortened by hand, and how both are
//! stopped.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use talaria_domain::{SessionId, TurnId};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// How long the end of the program waits for turns to write down that they were stopped.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The running turns.
#[derive(Default)]
pub(crate) struct Running {
    turns: Mutex<HashMap<TurnId, CancellationToken>>,
    shortenings: Mutex<HashMap<SessionId, CancellationToken>>,
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

    /// Takes note that a session is shortened until the guard is dropped. None: it already is.
    pub(crate) fn shorten(&self, session: SessionId) -> Option<Shortening<'_>> {
        let mut shortenings = self.shortenings();
        if shortenings.contains_key(&session) {
            return None;
        }
        let stop = CancellationToken::new();
        shortenings.insert(session, stop.clone());
        Some(Shortening {
            running: self,
            session,
            stop,
        })
    }

    /// Asks the shortening of a session to stop. False: there is none.
    pub(crate) fn stop_shortening(&self, session: SessionId) -> bool {
        let found = self.shortenings().get(&session).cloned();
        found.is_some_and(|stop| {
            stop.cancel();
            true
        })
    }

    fn shortenings(&self) -> MutexGuard<'_, HashMap<SessionId, CancellationToken>> {
        let shortenings = self.shortenings.lock();
        shortenings.unwrap_or_else(PoisonError::into_inner)
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

/// A session that is being shortened by hand.
pub(crate) struct Shortening<'a> {
    running: &'a Running,
    session: SessionId,
    /// Cancelled when the user wants it to end.
    pub(crate) stop: CancellationToken,
}

impl Drop for Shortening<'_> {
    fn drop(&mut self) {
        self.running.shortenings().remove(&self.session);
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

    #[test]
    fn a_session_is_shortened_once_at_a_time_and_can_be_stopped() {
        let (running, session) = (
            Running::default(),
            talaria_domain::SessionId::from_parts(Timestamp::from_millis(1), [2; 10]),
        );
        assert!(!running.stop_shortening(session));
        let shortening = running.shorten(session).expect("none is going on");
        assert!(running.shorten(session).is_none());
        assert!(running.stop_shortening(session) && shortening.stop.is_cancelled());
        drop(shortening);
        assert!(running.shorten(session).is_some());
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
