//! The order of an answer's parts.
//!
//! A service that takes its thoughts back wants them where they stood: before the words and the
//! calls they led to. Words and calls are kept elsewhere, and may have been mended since, so the
//! outline holds only their places.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::history::Answered;

/// One part of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    /// Something of the service's own.
    Kept(Value),
    /// So many bytes of the text, under a mark of the service's.
    Words {
        bytes: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
    },
    /// The next call.
    Call,
}

/// The parts of an answer in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Outline(Vec<Part>);

/// One part of an answer, to be written again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Piece<'a> {
    /// Something of the service's own.
    Kept(&'a Value),
    /// Words, and the service's mark of them.
    Words(&'a str, Option<&'a str>),
    /// A call.
    Call(&'a Answered),
}

impl Outline {
    /// Reads what [`Outline::into_value`] wrote; one that can't be read keeps nothing.
    pub(crate) fn read(value: Option<&Value>) -> Self {
        value
            .and_then(|value| Self::deserialize(value).ok())
            .unwrap_or_default()
    }

    /// Something of the service's own came.
    pub(crate) fn keep(&mut self, value: Value) {
        self.0.push(Part::Kept(value));
    }

    /// Words came.
    pub(crate) fn say(&mut self, bytes: usize, mark: Option<&str>) {
        let mark = mark.map(str::to_owned);
        self.0.push(Part::Words { bytes, mark });
    }

    /// A call came.
    pub(crate) fn call(&mut self) {
        self.0.push(Part::Call);
    }

    /// The outline to be sealed; none if the service kept nothing. Marks alone are not worth a
    /// thought that the user would see as kept back.
    pub(crate) fn into_value(self) -> Option<Value> {
        let is_needed = self.0.iter().any(|part| matches!(part, Part::Kept(_)));
        let value = is_needed.then(|| serde_json::to_value(self));
        value.and_then(Result::ok)
    }

    /// The answer with all its parts in their places. Where text or calls are no longer those of
    /// the answer, what the service kept comes first, then the words, then the calls.
    pub(crate) fn fill<'a>(&'a self, text: &'a str, calls: &'a [Answered]) -> Vec<Piece<'a>> {
        self.in_place(text, calls)
            .unwrap_or_else(|| self.in_usual_order(text, calls))
    }

    fn in_place<'a>(&'a self, text: &'a str, calls: &'a [Answered]) -> Option<Vec<Piece<'a>>> {
        let mut pieces = Vec::new();
        let (mut text, mut calls) = (text, calls.iter());
        for part in &self.0 {
            pieces.push(match part {
                Part::Kept(value) => Piece::Kept(value),
                Part::Words { bytes, mark } => {
                    let (words, rest) = text.split_at_checked(*bytes)?;
                    text = rest;
                    Piece::Words(words, mark.as_deref())
                }
                Part::Call => Piece::Call(calls.next()?),
            });
        }
        (text.is_empty() && calls.next().is_none()).then_some(pieces)
    }

    fn in_usual_order<'a>(&'a self, text: &'a str, calls: &'a [Answered]) -> Vec<Piece<'a>> {
        let kept = self.0.iter().filter_map(|part| match part {
            Part::Kept(value) => Some(Piece::Kept(value)),
            Part::Words { .. } | Part::Call => None,
        });
        let words = (!text.is_empty()).then_some(Piece::Words(text, None));
        kept.chain(words)
            .chain(calls.iter().map(Piece::Call))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use talaria_domain::ToolCall;

    use super::{Outline, Piece};
    use crate::history::Answered;

    fn calls(count: usize) -> Vec<Answered> {
        let call = |at: usize| Answered {
            call: ToolCall {
                id: at.to_string(),
                name: "now".to_owned(),
                arguments: json!({}),
                echo: None,
                recovered: false,
            },
            result: "noon".to_owned(),
            is_error: false,
        };
        (0..count).map(call).collect()
    }

    fn outline() -> Outline {
        let mut outline = Outline::default();
        outline.keep(json!(1));
        outline.say("早".len(), Some("aside"));
        outline.keep(json!(2));
        outline.call();
        outline.say(2, None);
        outline.call();
        outline
    }

    /// The pieces in short.
    fn told(outline: &Outline, text: &str, count: usize) -> Vec<String> {
        let calls = calls(count);
        let piece = |piece: &Piece<'_>| match piece {
            Piece::Kept(value) => value.to_string(),
            Piece::Words(words, None) => format!("'{words}'"),
            Piece::Words(words, Some(mark)) => format!("'{words}' {mark}"),
            Piece::Call(answered) => format!("call {}", answered.call.id),
        };
        outline.fill(text, &calls).iter().map(piece).collect()
    }

    #[test]
    fn every_part_stands_where_it_stood() {
        let value = outline().into_value();
        let again = Outline::read(value.as_ref());
        assert_eq!(again, outline());
        assert_eq!(
            told(&again, "早ok", 2),
            ["1", "'早' aside", "2", "call 0", "'ok'", "call 1"]
        );
    }

    #[test]
    fn an_answer_that_was_changed_is_told_in_the_usual_order() {
        for (text, count) in [("早ok!", 2), ("早o", 2), ("o", 2), ("早ok", 1), ("早ok", 3)] {
            let mut expected = vec!["1".to_owned(), "2".to_owned(), format!("'{text}'")];
            expected.extend((0..count).map(|at| format!("call {at}")));
            assert_eq!(told(&outline(), text, count), expected, "{text} {count}");
        }
        assert_eq!(told(&outline(), "", 0), ["1", "2"]);
        assert_eq!(told(&Outline::default(), "a", 1), ["'a'", "call 0"]);
    }

    #[test]
    fn only_what_must_go_back_is_written_down() {
        let mut plain = Outline::default();
        plain.say(3, None);
        plain.call();
        plain.say(1, Some("aside"));
        assert_eq!(plain.clone().into_value(), None);
        plain.keep(json!(1));
        assert!(plain.into_value().is_some());
    }

    #[test]
    fn what_is_no_outline_keeps_nothing() {
        for odd in [json!(null), json!({"a": 1}), json!([{"other": 1}])] {
            assert_eq!(Outline::read(Some(&odd)), Outline::default(), "{odd}");
        }
        assert_eq!(Outline::read(None::<&Value>), Outline::default());
    }
}
