//! The loop of a turn: ask, act, observe, record.

use std::sync::Arc;
use std::time::Duration;

use talaria_domain::{Attachment, FinishReason, ModelRef, Notice, ServiceFailure, SessionId, Turn};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::act::{CLOSED, Round, Stuck, not_run};
use crate::port::{Authority, Clock, Journal, JournalError, Listener, ModelService, ToolSet};
use crate::progress::Progress;
use crate::record::Record;
use crate::{Context, RetryPolicy};

/// What a user's message needs to become a turn.
#[derive(Clone, Debug)]
pub struct TurnInput {
    /// The session it belongs to.
    pub session_id: SessionId,
    /// The model to ask.
    pub model: ModelRef,
    /// The models to ask in its place, in order, while it is overloaded or can't be reached.
    pub fallbacks: Vec<ModelRef>,
    /// What comes before it.
    pub context: Context,
    /// The user's words.
    pub text: String,
    /// The files that came with them.
    pub attachments: Vec<Attachment>,
    /// Where instructions stood that the context has read as data, if anywhere.
    pub taint: Option<String>,
    /// What the user is told before anything is asked.
    pub notices: Vec<Notice>,
}

/// The bounds of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Answers with tool calls in one turn. With the last one the model is told to conclude.
    pub rounds: u32,
    /// Tool calls in one turn. Whatever is called beyond is not run, and the model is told to conclude.
    pub calls: usize,
    /// Tool calls in one answer. The rest is told to come again.
    pub calls_at_once: usize,
    /// How failed requests are repeated.
    pub retry: RetryPolicy,
    /// How long a question waits for its answer.
    pub answer_within: Duration,
    /// At most so many tokens an answer; none leaves it to the service.
    pub output_tokens: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 24,
            calls: 256,
            calls_at_once: 32,
            retry: RetryPolicy::default(),
            answer_within: Duration::from_secs(600),
            output_tokens: None,
        }
    }
}

/// Runs turns with one model, one set of tools and one journal.
#[derive(Clone)]
pub struct Agent {
    pub(crate) model: Arc<dyn ModelService>,
    pub(crate) tools: Arc<dyn ToolSet>,
    pub(crate) authority: Arc<dyn Authority>,
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: Limits,
}

/// Why a turn left its loop early.
pub(crate) enum Break {
    Stopped,
    Failed(ServiceFailure),
    Unwritten(JournalError),
}

impl From<JournalError> for Break {
    fn from(error: JournalError) -> Self {
        Self::Unwritten(error)
    }
}

impl Agent {
    /// An agent over these.
    #[must_use]
    pub fn new(
        model: Arc<dyn ModelService>,
        tools: Arc<dyn ToolSet>,
        authority: Arc<dyn Authority>,
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        limits: Limits,
    ) -> Self {
        Self {
            model,
            tools,
            authority,
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

    /// Asks, acts on the answer, and asks again, until there is nothing left to do.
    async fn rounds<'turn>(
        &'turn self,
        input: &TurnInput,
        record: &mut Record<'turn>,
        stop: &'turn CancellationToken,
    ) -> Result<FinishReason, Break> {
        for notice in &input.notices {
            record.notice(notice.clone()).await?;
        }
        let mut context = input.context.clone();
        let mut progress = Progress::default();
        let mut finish = FinishReason::RoundLimit;
        let mut calls_left = self.limits.calls;
        for number in 1..=self.limits.rounds {
            let answer = self.ask(input, &mut context, record, stop).await?;
            if answer.calls.is_empty() {
                return Ok(answer.finish);
            }
            let round = Round {
                number,
                is_last: number == self.limits.rounds || answer.calls.len() >= calls_left,
                most_calls: calls_left.min(self.limits.calls_at_once),
            };
            calls_left = calls_left.saturating_sub(answer.calls.len());
            let stuck = self
                .act(answer.calls, round, record, &mut progress, stop)
                .await?;
            if let Some(Stuck { tool, times }) = stuck {
                record.notice(Notice::NoProgress { tool, times }).await?;
                finish = FinishReason::NoProgress;
                break;
            }
            if round.is_last {
                break;
            }
        }
        let conclusion = self.ask(input, &mut context, record, stop).await?;
        for call in conclusion.calls {
            record
                .not_done(call, self.limits.rounds + 1, not_run(CLOSED))
                .await?;
        }
        if record.answer().is_empty() {
            record.notice(Notice::NotConcluded).await?;
        }
        Ok(finish)
    }
}
