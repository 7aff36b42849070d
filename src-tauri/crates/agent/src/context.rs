//! What the model sees this time: the frozen system prompt, earlier turns, the running turn.

use talaria_domain::Message;

use crate::estimated_tokens;

/// The part of a request that is settled before its turn begins.
///
/// Nothing in it changes while the turn runs, so that each request of the turn extends the one
/// before it byte for byte, and a service can serve it from its cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    system: String,
    earlier: Vec<Vec<Message>>,
}

impl Context {
    /// The context of a new turn: `earlier` holds the messages of each turn before it, oldest
    /// first.
    #[must_use]
    pub fn new(system: String, earlier: Vec<Vec<Message>>) -> Self {
        Self { system, earlier }
    }

    /// Leaves out the oldest whole turns until the rest takes at most `budget` tokens. A turn is
    /// never cut in two: its calls and their answers stay together or go together.
    #[must_use]
    pub fn within(mut self, budget: u64) -> Self {
        let mut sizes: Vec<u64> = self.earlier.iter().map(|turn| tokens_of(turn)).collect();
        let mut total: u64 = estimated_tokens(&self.system) + sizes.iter().sum::<u64>();
        let mut left_out = 0;
        for size in sizes.drain(..) {
            if total <= budget {
                break;
            }
            total = total.saturating_sub(size);
            left_out += 1;
        }
        self.earlier.drain(..left_out);
        self
    }

    /// The messages of a request, with those of the running turn at the end.
    #[must_use]
    pub fn messages(&self, running: Vec<Message>) -> Vec<Message> {
        std::iter::once(Message::System {
            text: self.system.clone(),
        })
        .chain(self.earlier.iter().flatten().cloned())
        .chain(running)
        .collect()
    }
}

fn tokens_of(turn: &[Message]) -> u64 {
    turn.iter()
        .map(|message| match message {
            Message::System { text } | Message::User { text } | Message::Tool { text, .. } => {
                estimated_tokens(text)
            }
            Message::Assistant { text, calls, .. } => {
                let called: u64 = calls
                    .iter()
                    .map(|call| {
                        estimated_tokens(&call.name) + estimated_tokens(&call.arguments.to_string())
                    })
                    .sum();
                estimated_tokens(text) + called
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use talaria_domain::Message;

    use super::Context;

    fn turn(text: &str) -> Vec<Message> {
        vec![
            Message::User { text: text.into() },
            Message::Assistant {
                text: "字".repeat(100),
                reasoning: None,
                calls: Vec::new(),
            },
        ]
    }

    #[test]
    fn the_oldest_whole_turns_leave_first() {
        let context = Context::new(String::new(), vec![turn("one"), turn("two"), turn("three")]);
        let fitted = context.within(210).messages(Vec::new());
        let kept: Vec<&Message> = fitted
            .iter()
            .filter(|message| matches!(message, Message::User { .. }))
            .collect();
        assert_eq!(
            kept,
            [
                &Message::User { text: "two".into() },
                &Message::User {
                    text: "three".into()
                }
            ]
        );
    }

    #[test]
    fn a_context_that_fits_stays_whole() {
        let context = Context::new("rules".into(), vec![turn("one")]);
        assert_eq!(context.clone().within(10_000), context);
    }
}
