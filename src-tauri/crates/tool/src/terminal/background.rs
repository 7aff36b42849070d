//! Commands in the background: what they put out, and how they are ended.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use talaria_domain::{Effect, SessionId};
use tokio::io::AsyncWriteExt;
use tokio::sync::Mutex as AsyncMutex;
use tokio_util::sync::CancellationToken;

use super::output::{Collected, end_of};
use super::running::{Input, Running};

/// So many run at once in one session.
const MOST: usize = 8;
/// So many that have ended are remembered in one session.
const REMEMBERED: usize = 16;
/// How long a command may leave what is typed unread.
const PATIENCE: Duration = Duration::from_secs(5);
/// Remembered of what was typed into a command, in characters.
const TYPED: usize = 4_000;

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
    /// What its start was judged by.
    effect: Effect,
    input: Option<Arc<AsyncMutex<Input>>>,
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
    /// The end of what was typed into it.
    typed: String,
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
    /// Whether it can be typed into.
    pub has_terminal: bool,
    /// What was typed into it so far, the last of it.
    pub typed: String,
    /// What its start was judged by.
    pub effect: Effect,
}

/// What takes the letters, and remembers them.
type Keyboard = (Arc<AsyncMutex<Input>>, Arc<Mutex<State>>);

/// Why nothing could be typed into a command.
#[derive(Debug, thiserror::Error)]
pub(super) enum TypeError {
    #[error("there is no such command that runs in a terminal")]
    NoTerminal,
    #[error("the command does not read what is typed")]
    NotRead,
    #[error("{0}")]
    Io(#[from] std::io::Error),
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
        effect: Effect,
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
            effect,
            input: running
                .input()
                .map(|input| Arc::new(AsyncMutex::new(input))),
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

    /// Types into a command that has a terminal.
    pub(super) async fn type_into(
        &self,
        session: SessionId,
        id: u32,
        text: &str,
    ) -> Result<(), TypeError> {
        let (input, state) = self.keyboard(session, id).ok_or(TypeError::NoTerminal)?;
        {
            let mut state = locked(&state);
            state.typed = end_of(&format!("{}{text}", state.typed), TYPED);
        }
        let typing = async { input.lock().await.write_all(text.as_bytes()).await };
        match tokio::time::timeout(PATIENCE, typing).await {
            Ok(typed) => Ok(typed?),
            Err(_) => Err(TypeError::NotRead),
        }
    }

    fn keyboard(&self, session: SessionId, id: u32) -> Option<Keyboard> {
        let sessions = self.lock();
        let process = sessions.get(&session)?.processes.get(&id)?;
        let input = process.input.clone().filter(|_| process.is_running())?;
        Some((input, Arc::clone(&process.state)))
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
            has_terminal: self.input.is_some(),
            typed: state.typed.clone(),
            effect: self.effect.clone(),
        }
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
