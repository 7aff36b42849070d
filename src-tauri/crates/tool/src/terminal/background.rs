//! Commands in the background: what they put out, and how they are ended.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use talaria_domain::SessionId;
use tokio_util::sync::CancellationToken;

use super::output::Collected;
use super::running::Running;

/// So many run at once in one session.
const MOST: usize = 8;
/// So many that have ended are remembered in one session.
const REMEMBERED: usize = 16;

/// The commands in the background, of all sessions. Clones share them; they end with the last.
#[derive(Clone, Default)]
pub struct Background {
    sessions: Arc<Mutex<BTreeMap<SessionId, Session>>>,
}

#[derive(Default)]
struct Session {
    last: u32,
    processes: BTreeMap<u32, Process>,
}

struct Process {
    command: String,
    began: Instant,
    state: Arc<Mutex<State>>,
    stop: CancellationToken,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

#[derive(Default)]
struct State {
    output: Collected,
    ended: Option<(Option<i32>, Instant)>,
}

/// A command in the background as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackgroundProcess {
    /// Its number within its session.
    pub id: u32,
    /// The command.
    pub command: String,
    /// Whether it still runs.
    pub is_running: bool,
    /// What it ended with; none while it runs, or if a signal ended it.
    pub exit_code: Option<i32>,
    /// How long it has run, or ran, in seconds.
    pub seconds: u64,
    /// What it put out, bounded.
    pub output: String,
}

impl Background {
    /// Whether a session may put another command into the background. The error is the most that may
    /// run at once.
    pub(super) fn has_room(&self, session: SessionId) -> Result<(), usize> {
        let sessions = self.lock();
        match sessions.get(&session) {
            Some(session) if session.running() >= MOST => Err(MOST),
            _ => Ok(()),
        }
    }

    /// Lets a command run on. The error is the most that may run at once.
    pub(super) fn take(
        &self,
        session: SessionId,
        command: &str,
        mut running: Running,
    ) -> Result<u32, usize> {
        let mut sessions = self.lock();
        let session = sessions.entry(session).or_default();
        if session.running() >= MOST {
            return Err(MOST);
        }
        session.forget_ended();
        session.last += 1;
        let id = session.last;
        let (state, stop) = (
            Arc::new(Mutex::new(State::default())),
            CancellationToken::new(),
        );
        let process = Process {
            command: command.to_owned(),
            began: Instant::now(),
            state: Arc::clone(&state),
            stop: stop.clone(),
        };
        session.processes.insert(id, process);
        tokio::spawn(async move {
            let kept = Arc::clone(&state);
            let reading = running.read(|bytes| locked(&kept).output.push(bytes));
            let ended = tokio::select! {
                ended = reading => ended.ok().and_then(|status| status.code()),
                () = stop.cancelled() => None,
            };
            if stop.is_cancelled() {
                running.end().await;
            }
            locked(&state).ended = Some((ended, Instant::now()));
        });
        Ok(id)
    }

    /// The commands of a session, oldest first.
    #[must_use]
    pub fn list(&self, session: SessionId) -> Vec<BackgroundProcess> {
        let sessions = self.lock();
        let processes = sessions.get(&session).map(|session| &session.processes);
        let processes = processes.into_iter().flatten();
        processes.map(|(id, process)| process.view(*id)).collect()
    }

    /// Asks a command to end. False: the session has none of this number.
    #[must_use]
    pub fn stop(&self, session: SessionId, id: u32) -> bool {
        let sessions = self.lock();
        let process = sessions
            .get(&session)
            .and_then(|session| session.processes.get(&id));
        process.inspect(|process| process.stop.cancel()).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SessionId, Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    fn running(&self) -> usize {
        self.processes
            .values()
            .filter(|process| process.is_running())
            .count()
    }

    fn forget_ended(&mut self) {
        while self.processes.len() >= REMEMBERED {
            let ended = self
                .processes
                .iter()
                .find(|(_, process)| !process.is_running());
            let Some(id) = ended.map(|(id, _)| *id) else {
                break;
            };
            self.processes.remove(&id);
        }
    }
}

impl Process {
    fn is_running(&self) -> bool {
        locked(&self.state).ended.is_none()
    }

    fn view(&self, id: u32) -> BackgroundProcess {
        let state = locked(&self.state);
        BackgroundProcess {
            id,
            command: self.command.clone(),
            is_running: state.ended.is_none(),
            exit_code: state.ended.and_then(|(code, _)| code),
            seconds: state
                .ended
                .map_or_else(Instant::now, |(_, at)| at)
                .duration_since(self.began)
                .as_secs(),
            output: state.output.text(),
        }
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
