//! The content of one answer, told apart: its text, reasoning between tags, calls printed as text.
//!
//! The readers of the protocols push what a service calls content through here, in the order in
//! which it came. Reasoning is taken out first and never searched for calls.

use talaria_domain::{ModelEvent, ToolSpec};

use crate::answer::Out;
use crate::printed_calls::{End, Finder, Piece, Printed};
use crate::think::{Part, Splitter};

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

    /// The answer is over: gives what was held back, and the calls that were printed.
    pub(crate) fn finish(&mut self, end: End, out: &mut Out) -> Vec<Printed> {
        if let Some(part) = self.splitter.finish() {
            self.part(part, out);
        }
        let (pieces, calls) = self.finder.finish(end);
        give(pieces, out);
        calls
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
