//! What the model sees this time: the frozen system prompt, earlier turns, the running turn.

use talaria_domain::{Attachment, Message};

use crate::estimated_tokens;
use crate::history::forget_reasoning;

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

    /// The same for a model that took over: it is not sent what only the one before may see again.
    pub(crate) fn messages_for_another_model(&self, running: Vec<Message>) -> Vec<Message> {
        let mut messages = self.messages(Vec::new());
        forget_reasoning(&mut messages);
        messages.extend(running);
        messages
    }
}

/// The tokens that messages take.
pub(crate) fn tokens_of(turn: &[Message]) -> u64 {
    turn.iter()
        .map(|message| match message {
            Message::System { text } | Message::Tool { text, .. } => estimated_tokens(text),
            Message::User { text, attachments } => {
                let files: u64 = attachments.iter().map(tokens_of_attachment).sum();
                estimated_tokens(text) + files
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

/// A picture takes about as much as services charge for one of the size that is sent; of a file
/// its text is sent.
fn tokens_of_attachment(attachment: &Attachment) -> u64 {
    const IMAGE: u64 = 1_500;
    if attachment.is_image() {
        IMAGE
    } else {
        attachment.size.div_ceil(4)
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::Message;

    use super::Context;

    fn user(text: &str) -> Message {
        Message::User {
            text: text.into(),
            attachments: Vec::new(),
        }
    }

    fn turn(text: &str) -> Vec<Message> {
        vec![
            user(text),
            Message::Assistant {
                text: "字".repeat(100),
                reasoning: None,
                echo: None,
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
        assert_eq!(kept, [&user("two"), &user("three")]);
    }

    #[test]
    fn a_context_that_fits_stays_whole() {
        let context = Context::new("rules".into(), vec![turn("one")]);
        assert_eq!(context.clone().within(10_000), context);
    }
}
