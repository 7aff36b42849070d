//! What a model streams: gathered, written down piece by piece, and then told.

use serde_json::Value;
use talaria_domain::{Item, ItemContent};

use super::Record;
use crate::TurnEvent;
use crate::port::JournalError;

/// Which kind of text a model streams.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Answer,
    Reasoning,
}

impl Record<'_> {
    /// Takes streamed text. It is told at the next [`Record::flush`].
    pub(crate) async fn text(&mut self, stream: Stream, piece: &str) -> Result<(), JournalError> {
        if self.open_stream() != Some(stream) {
            self.close_text().await?;
            let content = match stream {
                Stream::Answer => ItemContent::ModelText {
                    text: String::new(),
                },
                Stream::Reasoning => ItemContent::Reasoning {
                    text: String::new(),
                    echo: None,
                },
            };
            self.begin_item(content).await?;
        }
        self.unwritten.push_str(piece);
        Ok(())
    }

    /// Bytes of text that wait for a flush.
    pub(crate) fn unwritten(&self) -> usize {
        self.unwritten.len()
    }

    /// Writes waiting text down, then tells it.
    pub(crate) async fn flush(&mut self) -> Result<(), JournalError> {
        let piece = std::mem::take(&mut self.unwritten);
        let Some(item) = self.items.last_mut().filter(|_| !piece.is_empty()) else {
            return Ok(());
        };
        self.journal.append_text(item.id, &piece).await?;
        let item_id = item.id;
        let event = match &mut item.content {
            ItemContent::Reasoning { text, .. } => {
                text.push_str(&piece);
                TurnEvent::ReasoningDelta {
                    item_id,
                    text: piece,
                }
            }
            ItemContent::ModelText { text } => {
                text.push_str(&piece);
                TurnEvent::TextDelta {
                    item_id,
                    text: piece,
                }
            }
            ItemContent::UserText { .. }
            | ItemContent::ToolCall { .. }
            | ItemContent::Notice { .. } => return Ok(()),
        };
        self.listener.hear(event);
        Ok(())
    }

    /// Ends the text that streams, if one does.
    pub(crate) async fn close_text(&mut self) -> Result<(), JournalError> {
        self.flush().await?;
        if self.open_stream().is_none() {
            return Ok(());
        }
        self.finish_last().await
    }

    /// Keeps what the service wants to see again with this answer, beside its reasoning.
    pub(crate) async fn echo(&mut self, value: Value) -> Result<(), JournalError> {
        self.close_text().await?;
        let answer = self.items.get_mut(self.answer..).unwrap_or_default();
        let thought = answer
            .iter_mut()
            .rfind(|item| matches!(item.content, ItemContent::Reasoning { .. }));
        if let Some(item) = thought
            && let ItemContent::Reasoning { echo, .. } = &mut item.content
        {
            *echo = Some(value);
            return self.journal.finish_item(item).await;
        }
        self.begin_item(ItemContent::Reasoning {
            text: String::new(),
            echo: Some(value),
        })
        .await?;
        self.finish_last().await
    }

    /// Makes reasoning of the answer that streams, which turned out to be that.
    pub(crate) async fn was_reasoning(&mut self) -> Result<(), JournalError> {
        if self.open_stream() != Some(Stream::Answer) {
            return Ok(());
        }
        self.flush().await?;
        if let Some(Item { content, .. }) = self.items.last_mut()
            && let ItemContent::ModelText { text } = content
        {
            *content = ItemContent::Reasoning {
                text: std::mem::take(text),
                echo: None,
            };
        }
        self.finish_last().await
    }

    fn open_stream(&self) -> Option<Stream> {
        let last = self
            .items
            .last()
            .filter(|item| item.finished_at.is_none())?;
        match last.content {
            ItemContent::ModelText { .. } => Some(Stream::Answer),
            ItemContent::Reasoning { .. } => Some(Stream::Reasoning),
            ItemContent::UserText { .. }
            | ItemContent::ToolCall { .. }
            | ItemContent::Notice { .. } => None,
        }
    }
}
