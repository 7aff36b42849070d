//! The loop of a turn: ask, act, observe, record.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use talaria_domain::{
    ErrorCode, FinishReason, ModelEvent, ModelRef, ModelRequest, Retry, ServiceFailure, SessionId,
    ToolCall, ToolChoice, ToolResult, Turn, Usage,
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::port::{Clock, Journal, JournalError, Listener, ModelService, ToolSet};
use crate::record::{Record, Stream};
use crate::{Context, RetryPolicy};

/// Text waits at most this long before it is written down and shown.
const FLUSH_EVERY: Duration = Duration::from_millis(30);
/// Text longer than this, in bytes, is written down at once.
const FLUSH_AT: usize = 4096;

/// What a user's message needs to become a turn.
#[derive(Clone, Debug)]
pub struct TurnInput {
    /// The session it belongs to.
    pub session_id: SessionId,
    /// The model to ask.
    pub model: ModelRef,
    /// What comes before it.
    pub context: Context,
    /// The user's words.
    pub text: String,
}

/// The bounds of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Answers with tool calls in one turn. With the last one the model is told to conclude.
    pub rounds: u32,
    /// How failed requests are repeated.
    pub retry: RetryPolicy,
    /// At most so many tokens an answer; none leaves it to the service.
    pub output_tokens: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 24,
            retry: RetryPolicy::default(),
            output_tokens: None,
        }
    }
}

/// Runs turns with one model, one set of tools and one journal.
#[derive(Clone)]
pub struct Agent {
    model: Arc<dyn ModelService>,
    tools: Arc<dyn ToolSet>,
    journal: Arc<dyn Journal>,
    clock: Arc<dyn Clock>,
    limits: Limits,
}

/// Why a turn left its loop early.
enum Break {
    Stopped,
    Failed(ServiceFailure),
    Unwritten(JournalError),
}

impl From<JournalError> for Break {
    fn from(error: JournalError) -> Self {
        Self::Unwritten(error)
    }
}

/// What one request came to.
struct Answer {
    calls: Vec<ToolCall>,
    finish: FinishReason,
}

impl Agent {
    /// An agent over these.
    #[must_use]
    pub fn new(
        model: Arc<dyn ModelService>,
        tools: Arc<dyn ToolSet>,
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        limits: Limits,
    ) -> Self {
        Self {
            model,
            tools,
            journal,
            clock,
            limits,
        }
    }

    /// Runs a turn to its end and tells `listener` each step. `stop` ends it early; what came is
    /// kept.
    ///
    /// # Errors
    /// When the user's message or the turn's end could not be written down. Every other failure is
    /// part of the turn.
    pub async fn run(
        &self,
        input: TurnInput,
        listener: &dyn Listener,
        stop: &CancellationToken,
    ) -> Result<Turn, JournalError> {
        let mut record =
            Record::begin(&input, self.journal.as_ref(), listener, self.clock.as_ref()).await?;
        let turn = record.turn_id();
        let span = tracing::info_span!("turn", session_id = %input.session_id, turn_id = %turn);
        let ended = async {
            tracing::info!(model = %input.model.model, "turn began");
            match self.rounds(&input, &mut record, stop).await {
                Ok(finish) => record.finish(finish).await,
                Err(Break::Stopped) => record.finish(FinishReason::Cancelled).await,
                Err(Break::Failed(failure)) => record.fail(failure).await,
                Err(Break::Unwritten(error)) => Err(error),
            }
        };
        let ended = ended.instrument(span.clone()).await;
        let _inside = span.enter();
        match &ended {
            Ok(turn) => tracing::info!(state = ?turn.state, usage = ?turn.usage, "turn ended"),
            Err(error) => {
                tracing::error!(%error, "the turn could not be written down");
                Record::lose(listener, &input, error, turn);
            }
        }
        ended
    }

    async fn rounds(
        &self,
        input: &TurnInput,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<FinishReason, Break> {
        for round in 1..=self.limits.rounds {
            let answer = self.ask(input, record, stop).await?;
            if answer.calls.is_empty() {
                return Ok(answer.finish);
            }
            let last = round == self.limits.rounds;
            for call in answer.calls {
                self.act(input.session_id, call, round, last, record, stop)
                    .await?;
            }
        }
        let conclusion = self.ask(input, record, stop).await?;
        for call in conclusion.calls {
            record.call(call, self.limits.rounds + 1).await?;
            record
                .result(not_run("the turn's limit of steps is reached"))
                .await?;
        }
        Ok(FinishReason::RoundLimit)
    }

    /// Runs one call between two lines of the record.
    async fn act(
        &self,
        session: SessionId,
        call: ToolCall,
        round: u32,
        last: bool,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<(), Break> {
        record.call(call.clone(), round).await?;
        let ran = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            result = self.tools.run(session, &call) => Some(result),
        };
        let Some(mut result) = ran else {
            record.result(not_run("the user stopped the turn")).await?;
            return Err(Break::Stopped);
        };
        if last {
            result.text.push_str(
                "\n\n[This turn has no further tool calls. Answer now with what was reached.]",
            );
        }
        tracing::info!(tool = call.name, failed = result.is_error, "tool ran");
        record.result(result).await?;
        Ok(())
    }

    /// Sends the request, and again while that can help and nothing of an answer was shown.
    async fn ask(
        &self,
        input: &TurnInput,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Answer, Break> {
        let messages = input.context.messages(record.messages());
        record.request(&messages).await?;
        let request = ModelRequest {
            model: input.model.model.clone(),
            messages,
            tools: self.tools.specs(),
            tool_choice: ToolChoice::Auto,
            max_output_tokens: self.limits.output_tokens,
        };
        for attempt in 1.. {
            let mut seen = false;
            let failure = match self.observe(request.clone(), &mut seen, record, stop).await {
                Err(Break::Failed(failure)) => failure,
                other => return other,
            };
            let [chance, ..] = self.clock.random();
            let wait = self
                .limits
                .retry
                .wait_after(attempt, &failure, chance)
                .filter(|_| !seen);
            let Some(wait) = wait else {
                return Err(Break::Failed(failure));
            };
            tracing::warn!(code = %failure.code, attempt, "request failed, trying again");
            record.retrying(attempt + 1, wait, &failure);
            tokio::select! {
                biased;
                () = stop.cancelled() => return Err(Break::Stopped),
                () = tokio::time::sleep(wait) => {}
            }
        }
        Err(Break::Stopped)
    }

    /// Reads one streamed answer into the record. `seen` tells whether any of it was shown.
    async fn observe(
        &self,
        request: ModelRequest,
        seen: &mut bool,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Answer, Break> {
        let mut stream = self.model.ask(request);
        let mut calls = Vec::new();
        let mut usage = Usage::default();
        let mut flush = tokio::time::interval(FLUSH_EVERY);
        flush.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let finish = loop {
            let event = tokio::select! {
                biased;
                () = stop.cancelled() => return Err(Break::Stopped),
                _ = flush.tick(), if record.unwritten() > 0 => {
                    record.flush().await?;
                    continue;
                }
                event = stream.next() => event,
            };
            match event {
                Some(Ok(ModelEvent::Text(piece))) => {
                    *seen = true;
                    record.text(Stream::Answer, &piece).await?;
                }
                Some(Ok(ModelEvent::Reasoning(piece))) => {
                    *seen = true;
                    record.text(Stream::Reasoning, &piece).await?;
                }
                Some(Ok(ModelEvent::ToolCall(call))) => calls.push(call),
                Some(Ok(ModelEvent::Usage(now))) => usage = now,
                Some(Ok(ModelEvent::Finished(finish))) => break finish,
                Some(Err(failure)) => return Err(Break::Failed(failure)),
                None => return Err(Break::Failed(cut())),
            }
            if record.unwritten() >= FLUSH_AT {
                record.flush().await?;
            }
        };
        record.close_text().await?;
        record.used(usage);
        if calls.is_empty() && !*seen {
            return Err(Break::Failed(nothing(finish)));
        }
        Ok(Answer { calls, finish })
    }
}

fn not_run(why: &str) -> ToolResult {
    ToolResult {
        text: format!("not run: {why}"),
        is_error: true,
    }
}

/// A stream that ended without saying so; services' own adapters report it themselves.
fn cut() -> ServiceFailure {
    failure(
        ErrorCode::StreamCut,
        "the answer ended before it was complete",
    )
}

/// An answer without text, reasoning or calls.
fn nothing(finish: FinishReason) -> ServiceFailure {
    let told = |code, message| ServiceFailure {
        retry: Retry::Never,
        ..failure(code, message)
    };
    match finish {
        FinishReason::ContentFilter => told(
            ErrorCode::ContentPolicy,
            "the service withheld the answer for its content",
        ),
        FinishReason::Length => told(
            ErrorCode::OutputLimit,
            "the answer was cut at the output limit before any of it could be used",
        ),
        _ => failure(ErrorCode::BadResponse, "the model gave an empty answer"),
    }
}

fn failure(code: ErrorCode, message: &str) -> ServiceFailure {
    ServiceFailure {
        code,
        message: message.to_owned(),
        retry: Retry::Soon,
        limit: None,
        status: None,
    }
}
