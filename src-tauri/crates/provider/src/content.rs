//! The content of one answer, told apart: its text, reasoning between tags, calls printed as text.
//!
//! The readers of the protocols push what a service calls content through here, in the order in
//! which it came. Reasoning is taken out first and never searched for calls.

use talaria_domain::{FinishReason, ModelEvent, ToolCall, ToolSpec};

use crate::answer::Out;
use crate::printed_calls::{End, Finder, Piece, Printed};
use crate::think::{Part, Splitter};
use crate::tool_calls::Ids;

/// Tells the content of one answer apart.
#[derive(Debug)]
pub(crate) struct Content {
    splitter: Splitter,
    finder: Finder,
}

impl Content {
    /// For the answer to a request that offered `tools`.
    pub(crate) fn new(tools: &[ToolSpec]) -> Self {
        Self {
            splitter: Splitter::default(),
            finder: Finder::new(tools),
        }
    }

    /// Takes more of the content.
    pub(crate) fn push(&mut self, piece: &str, out: &mut Out) {
        for part in self.splitter.push(piece) {
            self.part(part, out);
        }
    }

    /// The service told the reasoning apart itself.
    pub(crate) fn reasoning_shows(&mut self) {
        self.finder.reasoning_shows();
    }

    fn finish(&mut self, end: End, out: &mut Out) -> Vec<Printed> {
        if let Some(part) = self.splitter.finish() {
            self.part(part, out);
        }
        let (pieces, calls) = self.finder.finish(end);
        give(pieces, out);
        calls
    }

    /// The answer is complete: gives what was held back. The calls are those of the service or,
    /// if it gave none, those that were printed.
    pub(crate) fn close(
        &mut self,
        finish: Option<FinishReason>,
        mut calls: Vec<ToolCall>,
        ids: &mut Ids,
        out: &mut Out,
    ) -> Vec<ToolCall> {
        let end = match finish {
            Some(FinishReason::Length | FinishReason::ContentFilter) => End::Cut,
            _ if calls.is_empty() => End::Complete,
            _ => End::Called,
        };
        calls.extend(self.finish(end, out).into_iter().map(|call| ToolCall {
            id: ids.take(call.id),
            name: call.name,
            arguments: call.arguments,
            echo: None,
            recovered: true,
        }));
        calls
    }

    /// The answer broke off: gives what was held back.
    pub(crate) fn flush(&mut self, out: &mut Out) {
        self.finish(End::Cut, out);
    }

    fn part(&mut self, part: Part, out: &mut Out) {
        match part {
            Part::Text(text) => give(self.finder.push(&text), out),
            Part::Reasoning(text) => {
                self.finder.reasoning_shows();
                out.push_back(ModelEvent::Reasoning(text));
            }
        }
    }
}

fn give(pieces: Vec<Piece>, out: &mut Out) {
    out.extend(pieces.into_iter().map(|piece| match piece {
        Piece::Text(text) => ModelEvent::Text(text),
        Piece::WasReasoning => ModelEvent::WasReasoning,
    }));
}
