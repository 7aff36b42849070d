//! Whether a turn gets further, or goes round in circles.
//!
//! The turn shows it each call with its result. Repetition counts only until something new was
//! done: to test again after a change is work, to ask the same again is not. What one answer calls
//! several times counts once, since the model has not seen any of its results yet.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use talaria_domain::{ToolCall, ToolResult};

/// Seen so often, the model is told.
const TOLD: u32 = 3;
/// Seen so often, the turn ends.
const STUCK: u32 = 5;

/// What a turn has seen so far.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Changes that were made, in the whole turn.
    changes: Counts,
    /// Everything else, since the last change that was new.
    looks: Counts,
}

#[derive(Debug, Default)]
struct Counts(HashMap<u64, Seen>);

/// How often the turn met something, and in which answer last.
#[derive(Debug, Default)]
struct Seen {
    times: u32,
    round: u32,
}

/// How a turn gets on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Something new happened.
    Moving,
    /// The same came so often that the model should know.
    Circling(u32),
    /// It was told, and went on.
    Stuck(u32),
}

impl Progress {
    /// Takes note of a call of the `round`th answer that ended. `changes`: it could have changed
    /// something.
    pub(crate) fn saw(
        &mut self,
        call: &ToolCall,
        result: &ToolResult,
        changes: bool,
        round: u32,
    ) -> Standing {
        let same = (&call.name, call.arguments.to_string(), &result.text);
        let changed = changes && !result.is_error;
        let again = if changed {
            self.changes.count(&same, round)
        } else {
            self.looks.count(&same, round)
        };
        if changed && again == 1 {
            self.looks = Counts::default();
        }
        // An error that comes whatever the arguments are is one wall, run against again and again.
        let wall = match result.is_error {
            true => self.looks.count(&(&call.name, &result.text), round),
            false => 0,
        };
        match again.max(wall) {
            times if times >= STUCK => Standing::Stuck(times),
            times if times >= TOLD => Standing::Circling(times),
            _ => Standing::Moving,
        }
    }
}

impl Counts {
    /// In how many answers this was seen, this one included.
    fn count(&mut self, what: &impl Hash, round: u32) -> u32 {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        let seen = self.0.entry(hasher.finish()).or_default();
        if seen.round != round {
            seen.times = seen.times.saturating_add(1);
            seen.round = round;
        }
        seen.times
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use talaria_domain::{ToolCall, ToolResult};

    use super::{Progress, Standing};

    /// One call: tool, argument, result, whether it failed, whether it changes something.
    type Seen = (&'static str, u32, &'static str, bool, bool);

    /// How the turn stands after these, each in an answer of its own.
    fn last(seen: &[Seen]) -> Standing {
        let rounds: Vec<&[Seen]> = seen.chunks(1).collect();
        last_of(&rounds)
    }

    fn last_of(rounds: &[&[Seen]]) -> Standing {
        let mut progress = Progress::default();
        let mut standing = Standing::Moving;
        let numbered = (1..)
            .zip(rounds)
            .flat_map(|(round, seen)| seen.iter().map(move |seen| (round, seen)));
        for (round, (name, argument, text, is_error, changes)) in numbered {
            let call = ToolCall {
                id: String::new(),
                name: (*name).into(),
                arguments: json!({ "at": argument }),
                echo: None,
                recovered: false,
            };
            let result = ToolResult {
                is_error: *is_error,
                ..ToolResult::success(*text)
            };
            standing = progress.saw(&call, &result, *changes, round);
        }
        standing
    }

    #[test]
    fn repetition_is_told_of_and_then_ends_the_turn() {
        let read = ("read", 1, "same", false, false);
        let other = ("list", 1, "same", false, false);
        let wall = |at| ("write", at, "disk full", true, true);
        let cases: Vec<(&str, Vec<Seen>, Standing)> = vec![
            ("once", vec![read], Standing::Moving),
            ("twice", vec![read; 2], Standing::Moving),
            ("three times", vec![read; 3], Standing::Circling(3)),
            ("five times", vec![read; 5], Standing::Stuck(5)),
            ("to and fro", [read, other].repeat(3), Standing::Circling(3)),
            (
                "one error, whatever is tried",
                (0..5).map(wall).collect(),
                Standing::Stuck(5),
            ),
            (
                "the same question with news each time",
                vec![
                    ("read", 1, "a", false, false),
                    ("read", 1, "b", false, false),
                    ("read", 1, "c", false, false),
                ],
                Standing::Moving,
            ),
            (
                "asked again after each change",
                vec![
                    read,
                    ("write", 1, "ok", false, true),
                    read,
                    ("write", 2, "ok", false, true),
                    read,
                ],
                Standing::Moving,
            ),
            (
                "the same change again and again",
                vec![("write", 1, "ok", false, true); 5],
                Standing::Stuck(5),
            ),
            (
                "two changes that undo each other",
                [
                    ("write", 1, "ok", false, true),
                    ("write", 2, "ok", false, true),
                ]
                .repeat(3),
                Standing::Circling(3),
            ),
        ];
        for (name, seen, standing) in cases {
            assert_eq!(last(&seen), standing, "{name}");
        }
    }
    #[test]
    fn what_one_answer_calls_many_times_counts_once() {
        let read = ("read", 1, "same", false, false);
        let walls: Vec<Seen> = (0..9).map(|at| ("write", at, "no", true, true)).collect();
        assert_eq!(last_of(&[&[read; 9]]), Standing::Moving);
        assert_eq!(last_of(&[&walls]), Standing::Moving);
        assert_eq!(last_of(&[&walls, &walls, &walls]), Standing::Circling(3));
        assert_eq!(last_of(&[&walls[..]; 5]), Standing::Stuck(5));
    }
}
