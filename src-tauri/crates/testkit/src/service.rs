//! A model service on loopback that follows a script.
//!
//! It speaks OpenAI's chat completions as a stream, one round of the script a request, and keeps
//! what it was asked. Threads rather than a runtime: it serves blocking and async tests alike.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::http::{self, Request};
use crate::round::{Round, Step, closing_events, events};
use crate::strict;

/// A client that sends or takes nothing for so long is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The one model it lists.
const MODEL: &str = "scripted";

/// A chat request as it arrived.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The `Authorization` header.
    pub authorization: Option<String>,
    /// The body.
    pub body: Value,
    /// When it was there in whole.
    pub at: Instant,
}

/// The running service. It ends when dropped.
#[derive(Debug)]
pub struct ScriptedService {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug, Default)]
struct State {
    rounds: Mutex<VecDeque<Round>>,
    requests: Mutex<Vec<Recorded>>,
    ended: AtomicBool,
}

impl ScriptedService {
    /// Listens on a free port of the loopback address and answers each chat request with the next
    /// round. A request beyond the script is answered with status 500 and a message that says so.
    ///
    /// # Errors
    /// When no port can be opened.
    pub fn start(rounds: impl IntoIterator<Item = Round>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            rounds: Mutex::new(rounds.into_iter().collect()),
            ..State::default()
        });
        let served = Arc::clone(&state);
        thread::Builder::new()
            .name("scripted-service".to_owned())
            .spawn(move || accept(&listener, &served))?;
        Ok(Self { address, state })
    }

    /// The address a provider is given.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The model it lists.
    #[must_use]
    pub fn model(&self) -> &'static str {
        MODEL
    }

    /// The chat requests so far, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.state.requests).clone()
    }

    /// The requests since the last time they were taken, oldest first. They are then forgotten.
    #[must_use]
    pub fn take_requests(&self) -> Vec<Recorded> {
        std::mem::take(&mut *lock(&self.state.requests))
    }

    /// What the strictest service would have refused about the requests so far.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        lock(&self.state.requests)
            .iter()
            .flat_map(|request| strict::faults(&request.body))
            .collect()
    }

    /// Adds a round to the end of the script.
    pub fn push(&self, round: Round) {
        lock(&self.state.rounds).push_back(round);
    }
}

impl Drop for ScriptedService {
    fn drop(&mut self) {
        self.state.ended.store(true, Ordering::Release);
        // Wakes `accept`, which then sees the mark. A failure means that it has ended already.
        let _ = TcpStream::connect(self.address);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming() {
        if state.ended.load(Ordering::Acquire) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let state = Arc::clone(state);
        thread::spawn(move || {
            // A client that went away is part of what tests do: nothing to report.
            let _ = serve(stream, &state);
        });
    }
}

fn serve(mut stream: TcpStream, state: &State) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let Some(request) = http::read(&stream)? else {
        return Ok(());
    };
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/v1/models") => {
            let models = json!({"object": "list", "data": [
                {"id": MODEL, "object": "model", "context_window": 32_768}
            ]});
            http::write_json(&mut stream, 200, &models)
        }
        ("POST", "/v1/chat/completions") => answer(&mut stream, state, request),
        _ => http::write_json(
            &mut stream,
            404,
            &json!({"error": {"message": "no such page"}}),
        ),
    }
}

fn answer(stream: &mut TcpStream, state: &State, request: Request) -> io::Result<()> {
    // Before it is read, which is no work of who sent it.
    let at = Instant::now();
    let body = serde_json::from_slice(&request.body)?;
    lock(&state.requests).push(Recorded {
        authorization: request.authorization,
        body,
        at,
    });
    let round = lock(&state.rounds).pop_front();
    let missing = || Round::error(500, "script", "the script has no more rounds");
    match round.unwrap_or_else(missing) {
        Round::Answer(steps) => play(stream, &steps),
        Round::Error { status, body } => http::write_json(stream, status, &body),
    }
}

fn play(stream: &mut impl Write, steps: &[Step]) -> io::Result<()> {
    http::open_stream(stream)?;
    let mut calls = 0;
    for step in steps {
        match step {
            Step::Wait(pause) => thread::sleep(*pause),
            Step::Cut => return stream.flush(),
            Step::Text(_) | Step::Reasoning(_) | Step::Call { .. } => {
                for event in events(step, calls) {
                    http::write_event(stream, &event.to_string())?;
                }
            }
        }
        calls += usize::from(matches!(step, Step::Call { .. }));
    }
    for event in closing_events(calls) {
        http::write_event(stream, &event.to_string())?;
    }
    http::write_event(stream, "[DONE]")?;
    http::close_stream(stream)
}
