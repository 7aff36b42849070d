//! What the model sees this time: the frozen system prompt, earlier turns, the running turn.

use talaria_domain::{Attachment, Message};

use crate::Estimate;
use crate::history::forget_reasoning;
use crate::port::TokenCounter;

/// A context that fits so many times over by the estimate fits by any tokenizer.
const SAFETY: u64 = 2;

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
    ///
    /// The counter is asked only if the estimate leaves a doubt, and then from the newest turn
    /// back, as far as the budget reaches: a long session is not counted in full.
    #[must_use]
    pub fn within(mut self, budget: u64, counter: &dyn TokenCounter) -> Self {
        let estimate: u64 = self
            .earlier
            .iter()
            .map(|turn| tokens_of(turn, &Estimate))
            .sum();
        let estimate = estimate.saturating_add(Estimate.count(&self.system));
        if estimate.saturating_mul(SAFETY) <= budget {
            return self;
        }
        let mut left = budget.checked_sub(counter.count(&self.system));
        let mut kept = 0;
        for turn in self.earlier.iter().rev() {
            left = left.and_then(|left| left.checked_sub(tokens_of(turn, counter)));
            if left.is_none() {
                break;
            }
            kept += 1;
        }
        let left_out = self.earlier.len() - kept;
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
pub(crate) fn tokens_of(messages: &[Message], counter: &dyn TokenCounter) -> u64 {
    messages
        .iter()
        .map(|message| match message {
            Message::System { text } | Message::Tool { text, .. } => counter.count(text),
            Message::User { text, attachments } => {
                let files: u64 = attachments.iter().map(tokens_of_attachment).sum();
                counter.count(text) + files
            }
            Message::Assistant { text, calls, .. } => {
                let called: u64 = calls
                    .iter()
                    .map(|call| {
                        counter.count(&call.name) + counter.count(&call.arguments.to_string())
                    })
                    .sum();
                counter.count(text) + called
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
    use crate::Estimate;
    use crate::port::TokenCounter;

    /// Counts a character as one token, and how often it was asked.
    #[derive(Default)]
    struct ByCharacter(std::sync::atomic::AtomicU64);

    impl ByCharacter {
        fn asked(&self) -> u64 {
            self.0.load(std::sync::atomic::Ordering::Relaxed)
        }
    }

    impl TokenCounter for ByCharacter {
        fn count(&self, text: &str) -> u64 {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            u64::try_from(text.chars().count()).expect("a count")
        }
    }

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
        let fitted = context
            .within(210, &ByCharacter::default())
            .messages(Vec::new());
        let kept: Vec<&Message> = fitted
            .iter()
            .filter(|message| matches!(message, Message::User { .. }))
            .collect();
        assert_eq!(kept, [&user("two"), &user("three")]);
    }

    #[test]
    fn a_context_that_fits_stays_whole() {
        let context = Context::new("rules".into(), vec![turn("one")]);
        assert_eq!(context.clone().within(10_000, &Estimate), context);
    }

    #[test]
    fn the_budget_is_met_to_the_token() {
        for (budget, kept) in [
            (0, 0),
            (102, 0),
            (103, 1),
            (205, 1),
            (206, 2),
            (308, 2),
            (309, 3),
        ] {
            let context = Context::new(String::new(), vec![turn("one"), turn("two"), turn("six")]);
            let fitted = context.within(budget, &ByCharacter::default());
            assert_eq!(fitted.earlier.len(), kept, "{budget}");
        }
    }

    #[test]
    fn a_system_prompt_larger_than_the_budget_leaves_no_earlier_turn() {
        let context = Context::new("rules ".repeat(100), vec![turn("one")]);
        assert!(context.within(100, &Estimate).earlier.is_empty());
    }

    #[test]
    fn the_counter_is_asked_only_in_doubt_and_as_far_as_the_budget_reaches() {
        let context = Context::new(String::new(), vec![turn("x"); 50]);
        let counter = ByCharacter::default();
        let _ = context.clone().within(100_000, &counter);
        assert_eq!(counter.asked(), 0);
        let _ = context.within(210, &counter);
        assert!(counter.asked() < 10, "{}", counter.asked());
    }
}
