//! One answer of a model: the request, its repetition while that can help, and other models in its
//! place when the chosen one is out.
//!
//! A request is repeated, or put to another model, only as long as nothing of an answer was shown:
//! what the user has seen is never taken back.

use std::time::Duration;

use futures_util::StreamExt;
use talaria_domain::{
    ErrorCode, FinishReason, ModelEvent, ModelRef, ModelRequest, Notice, Retry, ServiceFailure,
    ToolCall, ToolChoice, Usage,
};
use tokio_util::sync::CancellationToken;

use crate::compaction::Need;
use crate::context::Context;
use crate::record::{Record, Stream};
use crate::turn::{Agent, Break, TurnInput};

/// Text waits at most this long before it is written down and shown.
const FLUSH_EVERY: Duration = Duration::from_millis(30);
/// Text longer than this, in bytes, is written down at once.
const FLUSH_AT: usize = 4096;

/// A request of fewer tokens fits every window, so nothing was cut from it.
const SURELY_WHOLE: u64 = 2_048;
/// No model is served with a smaller window: a smaller count leaves out what was cached.
const SMALLEST_WINDOW: u64 = 1_024;

/// What one request came to.
pub(crate) struct Answer {
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) finish: FinishReason,
}

impl Agent {
    /// Asks the turn's model, and the next one each time that it is out.
    pub(crate) async fn ask(
        &self,
        input: &TurnInput,
        context: &mut Context,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Answer, Break> {
        loop {
            let failure = match self.ask_model(context, record, stop).await {
                Err(Break::Failed(failure)) => failure,
                other => return other,
            };
            let next = successor(input, record.model())
                .filter(|_| is_outage(failure.code) && !record.answer_begun());
            let Some(next) = next else {
                return Err(Break::Failed(failure));
            };
            tracing::warn!(code = %failure.code, to = %next.model, "the model is out, another answers");
            context.hand_over(self.model.budget(&next));
            record.switch(next, &failure).await?;
        }
    }

    /// Sends what fits, and once more with less if it did not fit after all.
    async fn ask_model(
        &self,
        context: &mut Context,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Answer, Break> {
        self.make_room(Need::Full, context, record, stop).await?;
        loop {
            let (request, said) = self.request(context, record).await?;
            let failure = match self.send(request, said, context, record, stop).await {
                Err(Break::Failed(failure)) => failure,
                other => return other,
            };
            let is_too_long = failure.code == ErrorCode::ContextOverflow;
            if !is_too_long || context.was_overflown || record.answer_begun() {
                return Err(Break::Failed(failure));
            }
            context.was_overflown = true;
            context.budget.learn(failure.limit.unwrap_or(said / 2));
            if !self
                .make_room(Need::Overflown, context, record, stop)
                .await?
            {
                return Err(Break::Failed(failure));
            }
        }
    }

    /// The next request, and the tokens it takes. It is kept before it is sent.
    async fn request(
        &self,
        context: &Context,
        record: &mut Record<'_>,
    ) -> Result<(ModelRequest, u64), Break> {
        let tools = self.tools.specs();
        let messages = context.messages(record.items());
        let report = context.measure(record.items(), &tools);
        record.request(&messages, &report).await?;
        let request = ModelRequest {
            model: record.model().model.clone(),
            messages,
            tools,
            tool_choice: ToolChoice::Auto,
            max_output_tokens: self.limits.output_tokens,
        };
        Ok((request, report.tokens()))
    }

    /// Sends a request, and again while that can help.
    async fn send(
        &self,
        request: ModelRequest,
        said: u64,
        context: &Context,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Answer, Break> {
        for attempt in 1.. {
            let failure = match self
                .observe(request.clone(), said, context, record, stop)
                .await
            {
                Err(Break::Failed(failure)) => failure,
                other => return other,
            };
            let [chance, ..] = self.clock.random();
            let wait = self
                .limits
                .retry
                .wait_after(attempt, &failure, chance)
                .filter(|_| !record.answer_begun());
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

    /// Reads one streamed answer into the record, and what it took, however it ends.
    async fn observe(
        &self,
        request: ModelRequest,
        said: u64,
        context: &Context,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Answer, Break> {
        let service = record.model().service.clone();
        let sent = self.model.cuts_silently(&service).then_some(said);
        let mut usage = Usage::default();
        let answer = self.read(request, &mut usage, record, stop).await;
        record.used(usage);
        if let Err(Break::Failed(failure)) = &answer
            && let (ErrorCode::ContextOverflow, Some(limit)) = (failure.code, failure.limit)
        {
            self.model.learn_window(record.model(), limit);
        }
        let answer = answer?;
        record.close_text().await?;
        if let Some(sent) = sent.filter(|sent| is_cut(*sent, usage))
            && !record.told_of_cut()
        {
            let read = usage.input_tokens;
            tracing::warn!(sent, read, "the service cut what it was sent");
            self.model.learn_window(record.model(), read);
            record.notice(Notice::InputCut { sent, read }).await?;
        } else if context.is_gauged {
            context.budget.gauge.compare(said, usage.input_tokens);
        }
        if answer.calls.is_empty() && !record.answer_begun() {
            return Err(Break::Failed(nothing(answer.finish)));
        }
        Ok(answer)
    }

    async fn read(
        &self,
        request: ModelRequest,
        usage: &mut Usage,
        record: &mut Record<'_>,
        stop: &CancellationToken,
    ) -> Result<Answer, Break> {
        let mut stream = self.model.ask(&record.model().service, request);
        let mut calls = Vec::new();
        let mut flush = tokio::time::interval(FLUSH_EVERY);
        flush.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
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
                Some(Ok(ModelEvent::Text(piece))) => record.text(Stream::Answer, &piece).await?,
                Some(Ok(ModelEvent::Reasoning(piece))) => {
                    record.text(Stream::Reasoning, &piece).await?;
                }
                Some(Ok(ModelEvent::WasReasoning)) => record.was_reasoning().await?,
                Some(Ok(ModelEvent::Echo(value))) => record.echo(value).await?,
                Some(Ok(ModelEvent::Notice(notice))) => record.notice(notice).await?,
                Some(Ok(ModelEvent::ToolCall(call))) => calls.push(call),
                Some(Ok(ModelEvent::Usage(now))) => *usage = now,
                Some(Ok(ModelEvent::Finished(finish))) => return Ok(Answer { calls, finish }),
                Some(Err(failure)) => return Err(Break::Failed(failure)),
                None => return Err(Break::Failed(cut())),
            }
            if record.unwritten() >= FLUSH_AT {
                record.flush().await?;
            }
        }
    }
}

/// The model to ask after this one.
fn successor(input: &TurnInput, model: &ModelRef) -> Option<ModelRef> {
    let mut chain = std::iter::once(&input.model).chain(&input.fallbacks);
    chain.find(|known| *known == model)?;
    chain.find(|next| *next != model).cloned()
}

/// Whether another service may well answer what this one could not: it is full or gone. A key, a
/// bill or the request itself is for the user to mend.
fn is_outage(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Overloaded | ErrorCode::RateLimited | ErrorCode::Network | ErrorCode::Timeout
    )
}

/// Whether a service read so much less than it was sent that no tokenizer explains it.
fn is_cut(sent: u64, usage: Usage) -> bool {
    sent > SURELY_WHOLE && (SMALLEST_WINDOW..sent / 2).contains(&usage.input_tokens)
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
