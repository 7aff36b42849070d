//! The stream of one answer: from the request, over the bytes, to the events a caller sees.
//!
//! It owns the connection, so dropping it closes the connection. It keeps the two time limits, and
//! sees to it that every stream ends in exactly one way: `Finished`, or one failure. How the body
//! is framed is the business of [`Framing`], what the events mean that of the protocol's
//! [`Reader`].

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt};
use memchr::memchr;
use serde::de::IgnoredAny;
use serde_json::Value;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry, ServiceFailure, ToolCall};

use crate::framing::Framing;
use crate::sse::Event;
use crate::{Limits, failure, payload};

/// How much of an answer that can't be read is shown, in characters.
const SHOWN: usize = 200;

/// How long to wait, after the answer is complete, for what some services send behind it.
const AFTERMATH: Duration = Duration::from_secs(2);

/// How long to wait for the end of a body that has nothing more to say.
const REUSE: Duration = Duration::from_millis(10);

/// What a protocol makes of the events of a stream.
pub(crate) trait Reader: Send {
    /// Takes one event. A failure ends the stream.
    fn event(&mut self, event: &Event<'_>, out: &mut Out) -> Result<(), ServiceFailure>;

    /// Takes an answer that came whole, although a stream was asked for.
    fn whole(&mut self, value: &Value, out: &mut Out) -> Result<(), ServiceFailure>;

    /// The stream is over: gives the calls and the terminal event, or says that it was cut.
    fn end(&mut self, out: &mut Out) -> Result<(), ServiceFailure>;

    /// The stream failed: gives what was held back, so that nothing that came is lost.
    fn flush(&mut self, _out: &mut Out) {}

    /// Whether a part of the answer itself has come.
    fn has_begun(&self) -> bool;

    /// How much of the answer's end has come.
    fn ending(&self) -> Ending;
}

/// How much of the end of an answer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Nothing yet.
    Open,
    /// The answer is complete; tokens used may follow.
    Complete,
    /// Nothing follows.
    Over,
}

/// The events found, in order.
pub(crate) type Out = VecDeque<ModelEvent>;

/// Gives the terminal event of an answer that is complete, with its calls before it.
///
/// Calls decide whether the model waits for results, not the reason given: services mix these up.
/// An answer that was cut short gives no calls: its last one may be cut, and why it was made is
/// unknown.
pub(crate) fn conclude(given: Option<FinishReason>, calls: Vec<ToolCall>, out: &mut Out) {
    let reason = match given {
        Some(reason @ (FinishReason::Length | FinishReason::ContentFilter)) => reason,
        _ if calls.is_empty() => FinishReason::Stop,
        _ => {
            out.extend(calls.into_iter().map(ModelEvent::ToolCall));
            FinishReason::ToolCalls
        }
    };
    out.push_back(ModelEvent::Finished(reason));
}

/// The body of an answer, as it comes off the network.
pub(crate) type Body = BoxStream<'static, reqwest::Result<Bytes>>;

/// Reads the answer that a response's body holds.
pub(crate) fn read(
    body: Body,
    reader: Box<dyn Reader>,
    limits: Limits,
) -> impl Stream<Item = Result<ModelEvent, ServiceFailure>> + Send {
    let answer = Answer {
        body,
        framing: Framing::default(),
        intake: Intake {
            reader,
            out: Out::new(),
            words: None,
        },
        limits,
        outcome: None,
        over: false,
    };
    stream::unfold(answer, |mut answer| async {
        let item = answer.next().await?;
        Some((item, answer))
    })
}

struct Answer {
    body: Body,
    framing: Framing,
    intake: Intake,
    limits: Limits,
    /// How the stream ended, to be told after all events.
    outcome: Option<ServiceFailure>,
    over: bool,
}

impl Answer {
    async fn next(&mut self) -> Option<Result<ModelEvent, ServiceFailure>> {
        loop {
            if let Some(event) = self.intake.out.pop_front() {
                return Some(Ok(event));
            }
            if let Some(failure) = self.outcome.take() {
                return Some(Err(failure));
            }
            if self.over {
                return None;
            }
            if let Err(failure) = self.advance().await {
                self.intake.reader.flush(&mut self.intake.out);
                self.outcome = Some(failure);
                self.over = true;
            }
            if self.over {
                self.close_connection().await;
            }
        }
    }

    /// Closes it now, not when the caller has taken the last event. A connection whose answer
    /// has been read to its very end is used again, so that end is given a moment to come.
    async fn close_connection(&mut self) {
        let mut body = std::mem::replace(&mut self.body, stream::empty().boxed());
        if self.outcome.is_none() {
            let end = async { while body.next().await.is_some_and(|piece| piece.is_ok()) {} };
            // It takes a new connection otherwise, which is no loss worth waiting for.
            let _ = tokio::time::timeout(REUSE, end).await;
        }
    }

    /// Reads the next piece off the network.
    async fn advance(&mut self) -> Result<(), ServiceFailure> {
        let reader = &self.intake.reader;
        let limit = match reader.ending() {
            Ending::Over => return self.end(),
            Ending::Complete => AFTERMATH.min(self.limits.idle),
            Ending::Open if reader.has_begun() => self.limits.idle,
            Ending::Open => self.limits.first_byte,
        };
        let complete = reader.ending() == Ending::Complete;
        match tokio::time::timeout(limit, self.body.next()).await {
            Ok(Some(Ok(bytes))) => self.take(&bytes),
            Ok(None) => self.close(),
            // A complete answer is not lost because its connection ended badly.
            _ if complete => self.end(),
            Ok(Some(Err(error))) => Err(failure::from_transport(&error)),
            Err(_) => {
                let message = format!("Nothing came for {} seconds.", limit.as_secs_f32());
                Err(failure::new(ErrorCode::Timeout, &message, Retry::Soon))
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), ServiceFailure> {
        let intake = &mut self.intake;
        let flow = self.framing.take(bytes, &mut |event| intake.take(event))?;
        if flow.is_break() { self.end() } else { Ok(()) }
    }

    /// The body is over.
    fn close(&mut self) -> Result<(), ServiceFailure> {
        let intake = &mut self.intake;
        let framing = std::mem::take(&mut self.framing);
        match framing.close(&mut |event| intake.take(event))? {
            Some(body) => self.read_whole(&body),
            None => self.end(),
        }
    }

    fn read_whole(&mut self, body: &[u8]) -> Result<(), ServiceFailure> {
        let body = body.trim_ascii();
        let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
        match serde_json::from_slice::<Value>(body) {
            Ok(value) if payload::lists_an_error(&value) => Err(failure::from_stream(&value)),
            Ok(value) => {
                self.intake.reader.whole(&value, &mut self.intake.out)?;
                self.end()
            }
            Err(error) if error.is_eof() => Err(failure::stream_cut()),
            Err(_) => Err(unreadable(body)),
        }
    }

    fn end(&mut self) -> Result<(), ServiceFailure> {
        self.over = true;
        self.intake.end()
    }
}

/// What takes the events of a stream: the protocol's reader, and what it made of them.
struct Intake {
    reader: Box<dyn Reader>,
    out: Out,
    /// What came as data and is none. It is an error's text if nothing better comes.
    words: Option<String>,
}

impl Intake {
    fn take(&mut self, event: &Event<'_>) -> Result<ControlFlow<()>, ServiceFailure> {
        let data = event.data.trim();
        if event.name == "error"
            || (data.starts_with('{') && memchr(b'\n', data.as_bytes()).is_none())
        {
            return self.give(event);
        }
        let is_json = |data: &str| serde_json::from_str::<IgnoredAny>(data).is_ok();
        if data.is_empty() || data == "[DONE]" || is_json(data) {
            return self.give(event);
        }
        // A relay that forgets blank lines makes one event of several.
        if data.contains('\n') {
            for data in data.lines() {
                if self.take(&Event { data, ..*event })?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        if data.starts_with(['{', '[', '"', '<']) {
            return self.give(event);
        }
        if !data.starts_with(':') {
            self.words = Some(data.to_owned());
        }
        Ok(ControlFlow::Continue(()))
    }

    fn give(&mut self, event: &Event<'_>) -> Result<ControlFlow<()>, ServiceFailure> {
        let complete = self.reader.ending() != Ending::Open;
        match self.reader.event(event, &mut self.out) {
            // A complete answer is not lost because of what follows it.
            Err(failure) if complete && failure.code == ErrorCode::BadResponse => {}
            given => given?,
        }
        Ok(match self.reader.ending() {
            Ending::Over => ControlFlow::Break(()),
            Ending::Open | Ending::Complete => ControlFlow::Continue(()),
        })
    }

    fn end(&mut self) -> Result<(), ServiceFailure> {
        self.reader.end(&mut self.out).map_err(|failure| {
            let nothing = matches!(failure.code, ErrorCode::StreamCut | ErrorCode::BadResponse);
            match self
                .words
                .take()
                .filter(|_| nothing && !self.reader.has_begun())
            {
                Some(words) => failure::from_stream(&Value::String(words)),
                None => failure,
            }
        })
    }
}

/// Judges an answer that is neither stream nor JSON: a web page, or an error in plain words.
fn unreadable(body: &[u8]) -> ServiceFailure {
    let ok = reqwest::StatusCode::OK;
    let headers = reqwest::header::HeaderMap::new();
    let judged = failure::from_answer(ok, &headers, body, SystemTime::UNIX_EPOCH);
    if judged.code != ErrorCode::BadResponse || body.starts_with(b"<") {
        return judged;
    }
    let start: String = String::from_utf8_lossy(body).chars().take(SHOWN).collect();
    failure::bad_response(&format!("The answer is neither stream nor JSON: {start}"))
}
