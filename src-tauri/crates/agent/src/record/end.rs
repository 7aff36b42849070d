//! How a turn's record ends: with an answer, a stop or a failure, or unwritten.

use talaria_domain::{
    FinishReason, ItemContent, Retry, ServiceFailure, Turn, TurnFailure, TurnId, TurnState, Usage,
};

use super::Record;
use crate::history::advised;
use crate::port::{JournalError, Listener};
use crate::turn::TurnInput;
use crate::{FinishedCall, TurnEvent};

impl Record<'_> {
    /// Ends the turn with an answer, or with the user's stop.
    pub(crate) async fn finish(mut self, finish: FinishReason) -> Result<Turn, JournalError> {
        self.close_text().await?;
        let state = match finish {
            FinishReason::Cancelled => TurnState::Cancelled,
            _ => TurnState::Finished,
        };
        self.turn.finish = Some(finish);
        let text = self.answer();
        self.end(state).await?;
        self.listener.hear(TurnEvent::TurnFinished {
            session_id: self.turn.session_id,
            turn_id: self.turn.id,
            text,
            finish,
            usage: self.turn.usage,
            tool_calls: self.finished_calls(),
        });
        Ok(self.turn)
    }

    /// Ends the turn with a failure; what came is kept.
    pub(crate) async fn fail(mut self, failure: ServiceFailure) -> Result<Turn, JournalError> {
        self.close_text().await?;
        self.turn.failure = Some(TurnFailure {
            code: failure.code,
            message: failure.message.clone(),
        });
        self.end(TurnState::Failed).await?;
        self.listener.hear(TurnEvent::Error {
            session_id: self.turn.session_id,
            turn_id: self.turn.id,
            code: failure.code,
            message: failure.message,
            retry_after_ms: match failure.retry {
                Retry::After(wait) => u64::try_from(wait.as_millis()).ok(),
                Retry::Soon | Retry::Never => None,
            },
            limit: failure.limit,
            usage: self.turn.usage,
        });
        Ok(self.turn)
    }

    /// Tells that the turn's end could not be written down.
    pub(crate) fn lose(
        listener: &dyn Listener,
        input: &TurnInput,
        error: &JournalError,
        turn: TurnId,
    ) {
        listener.hear(TurnEvent::Error {
            session_id: input.session_id,
            turn_id: turn,
            code: talaria_domain::ErrorCode::Storage,
            message: error.to_string(),
            retry_after_ms: None,
            limit: None,
            usage: Usage::default(),
        });
    }

    async fn end(&mut self, state: TurnState) -> Result<(), JournalError> {
        self.turn.state = state;
        self.turn.finished_at = Some(self.clock.now());
        self.journal.finish_turn(&self.turn).await
    }

    /// The words of the latest answer.
    pub(crate) fn answer(&self) -> String {
        let latest = self.items.get(self.answer..).unwrap_or_default();
        latest
            .iter()
            .filter_map(|item| match &item.content {
                ItemContent::ModelText { text } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }

    fn finished_calls(&self) -> Vec<FinishedCall> {
        self.items
            .iter()
            .filter_map(|item| match &item.content {
                ItemContent::ToolCall {
                    call,
                    result: Some(result),
                    ..
                } => Some(FinishedCall {
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                    result: advised(result.text.clone(), result),
                    is_error: result.is_error,
                }),
                _ => None,
            })
            .collect()
    }
}
