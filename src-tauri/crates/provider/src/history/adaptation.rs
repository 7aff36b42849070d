//! Changes to a settled history for services that take even less than the strict order.

use crate::attachment::Part;
use crate::dialect::{Dialect, Quirk};

use super::{Answered, History, Turn, arguments, join};

/// What the model is taken to have said where it was stopped between a result and the user's next
/// words, for services that want to hear it there.
const STOPPED: &str = "(I was stopped here.)";

impl History {
    /// The history as a service with this dialect takes it.
    #[must_use]
    pub(crate) fn adapted(mut self, dialect: &Dialect) -> Self {
        if dialect.has(Quirk::NoTools) || dialect.has(Quirk::CallsInWords) {
            self = self.in_words();
        }
        if dialect.has(Quirk::SingleCalls) {
            self = self.one_by_one();
        }
        if dialect.has(Quirk::SpokenBridge) {
            self = self.bridged();
        }
        if dialect.has(Quirk::SystemInUser) {
            self.without_system();
        }
        self
    }

    /// Calls and results told in words, so that only two roles are left.
    fn in_words(self) -> Self {
        let mut told = Self {
            system: self.system,
            turns: Vec::new(),
        };
        for turn in self.turns {
            match turn {
                Turn::User(parts) => parts.into_iter().for_each(|part| told.add_part(part)),
                Turn::Model {
                    mut text,
                    reasoning,
                    echo,
                    calls,
                } => {
                    for Answered { call, .. } in &calls {
                        let used =
                            format!("(I used the tool {} with {}.)", call.name, arguments(call));
                        join(&mut text, &used);
                    }
                    // What was sealed with the calls does not fit the words.
                    let echo = echo.filter(|_| calls.is_empty());
                    told.add_model(text, reasoning, echo, Vec::new());
                    for Answered { call, result, .. } in calls {
                        let answer = format!("(The tool {} answered:)\n{result}", call.name);
                        told.add_part(Part::Text(answer));
                    }
                }
            }
        }
        told
    }

    /// One call a message.
    fn one_by_one(mut self) -> Self {
        let turns = std::mem::take(&mut self.turns);
        for turn in turns {
            match turn {
                Turn::Model {
                    mut text,
                    reasoning,
                    mut echo,
                    calls,
                } if calls.len() > 1 => {
                    for call in calls {
                        self.turns.push(Turn::Model {
                            text: std::mem::take(&mut text),
                            reasoning: reasoning.clone(),
                            echo: echo.take(),
                            calls: vec![call],
                        });
                    }
                }
                turn => self.turns.push(turn),
            }
        }
        self
    }

    /// The model speaks between a result and the user.
    fn bridged(mut self) -> Self {
        let turns = std::mem::take(&mut self.turns);
        for turn in turns {
            let after_result = match self.turns.last() {
                Some(Turn::Model { calls, .. }) => !calls.is_empty(),
                _ => false,
            };
            if after_result && matches!(turn, Turn::User(_)) {
                self.turns.push(Turn::Model {
                    text: STOPPED.to_owned(),
                    reasoning: None,
                    echo: None,
                    calls: Vec::new(),
                });
            }
            self.turns.push(turn);
        }
        self
    }

    /// The system text opens the user's first message.
    fn without_system(&mut self) {
        let Some(mut system) = self.system.take() else {
            return;
        };
        match self.turns.first_mut() {
            Some(Turn::User(parts)) => match parts.first_mut() {
                Some(Part::Text(text)) => {
                    join(&mut system, text);
                    *text = system;
                }
                _ => parts.insert(0, Part::Text(system)),
            },
            _ => self.turns.insert(0, Turn::User(vec![Part::Text(system)])),
        }
    }
}
