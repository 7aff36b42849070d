//! The loop of a turn: ask, act, observe, record.

use std::sync::Arc;

use talaria_domain::{
    Attachment, FinishReason, ModelRef, ServiceFailure, SessionId, ToolCall, ToolResult, Turn,
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::port::{Clock, Journal, JournalError, Listener, ModelService, Plan, ToolSet};
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
    pub(crate) model: Arc<dyn ModelService>,
    pub(crate) tools: Arc<dyn ToolSet>,
    journal: Arc<dyn Journal>,
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
                self.act(call, round, last, record, stop).await?;
            }
        }
        let conclusion = self.ask(input, record, stop).await?;
        for call in conclusion.calls {
            let site = record.site();
            record
                .call(site.item_id, call, self.limits.rounds + 1)
                .await?;
            record
                .result(not_run("the turn's limit of steps is reached"))
                .await?;
        }
        Ok(FinishReason::RoundLimit)
    }

    /// Runs one call between two lines of the record.
    async fn act(
        &self,
        call: ToolCall,
        round: u32,
        last: bool,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<(), Break> {
        let site = record.site();
        let planned = match self.tools.plan(site, call).await {
            Plan::Ready(planned) => planned,
            Plan::Refused(call, result) => {
                record.call(site.item_id, call, round).await?;
                record.result(result).await?;
                return Ok(());
            }
        };
        let call = planned.call.clone();
        record.call(site.item_id, call.clone(), round).await?;
        let ran = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            result = self.tools.run(site, &planned, &|_| {}) => Some(result),
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
}

fn not_run(why: &str) -> ToolResult {
    ToolResult::failure(format!("not run: {why}"))
}
