//! Reasoning that a model writes into its answer between `<think>` tags.
//!
//! Only a model that opens its answer with the tag is taken to speak this way; for every other
//! one the tag is text. A tag in backquotes is text too. Used by the chat completions reader.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// A piece of an answer, told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Of the answer.
    Text(String),
    /// Of the reasoning.
    Reasoning(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// Nothing but white space came yet.
    #[default]
    Start,
    /// The answer did not begin with the tag: all is text.
    Plain,
    /// Between the tags.
    Inside,
    /// Just behind a closing tag, where line ends belong to nobody.
    Behind,
    /// Text of a model that uses the tags.
    Outside,
}

/// Splits a stream of text; a tag may be cut anywhere.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    place: Place,
    /// What can't be judged before more comes: white space at the start, or the start of a tag.
    held: String,
    /// The text so far ends in a backquote, so a tag now is quoted.
    quoted: bool,
}

impl Splitter {
    /// Takes the next piece.
    pub(crate) fn push(&mut self, piece: &str) -> Vec<Part> {
        if self.place == Place::Plain {
            return text(piece.to_owned()).into_iter().collect();
        }
        let mut parts = Vec::new();
        let mut rest = std::mem::take(&mut self.held) + piece;
        while !rest.is_empty() {
            match self.step(&rest, &mut parts) {
                Some(left) => rest = left,
                None => {
                    self.held = rest;
                    break;
                }
            }
        }
        parts
    }

    /// The stream is over: what was held back is what it looks like.
    pub(crate) fn finish(&mut self) -> Option<Part> {
        let held = std::mem::take(&mut self.held);
        match self.place {
            Place::Inside => reasoning(held),
            Place::Behind if held.trim().is_empty() => None,
            _ => text(held),
        }
    }

    /// Handles the front of `rest` and gives what is left, or nothing if more must come first.
    fn step(&mut self, rest: &str, parts: &mut Vec<Part>) -> Option<String> {
        match self.place {
            Place::Start => {
                let trimmed = rest.trim_start();
                if let Some(inside) = trimmed.strip_prefix(OPEN) {
                    self.place = Place::Inside;
                    return Some(inside.to_owned());
                }
                if OPEN.starts_with(trimmed) {
                    return None;
                }
                self.place = Place::Plain;
                parts.extend(text(rest.to_owned()));
                Some(String::new())
            }
            Place::Plain => {
                parts.extend(text(rest.to_owned()));
                Some(String::new())
            }
            Place::Inside => self.until(CLOSE, rest, parts),
            Place::Behind => {
                let trimmed = rest.trim_start();
                if trimmed.is_empty() {
                    return None;
                }
                self.place = Place::Outside;
                Some(trimmed.to_owned())
            }
            Place::Outside => self.until(OPEN, rest, parts),
        }
    }

    fn until(&mut self, tag: &str, rest: &str, parts: &mut Vec<Part>) -> Option<String> {
        if let Some((before, after)) = rest.split_once(tag) {
            let quoted = before.ends_with('`') || (before.is_empty() && self.quoted);
            if self.place == Place::Outside && quoted {
                self.give(&format!("{before}{tag}"), parts);
                return Some(after.to_owned());
            }
            self.give(before, parts);
            self.place = if self.place == Place::Inside {
                Place::Behind
            } else {
                Place::Inside
            };
            return Some(after.to_owned());
        }
        let cut = rest.len() - beginning_of(tag, rest);
        let (before, held) = rest.split_at_checked(cut)?;
        self.give(before, parts);
        held.clone_into(&mut self.held);
        Some(String::new())
    }

    fn give(&mut self, piece: &str, parts: &mut Vec<Part>) {
        if !piece.is_empty() {
            self.quoted = piece.ends_with('`');
        }
        let owned = piece.to_owned();
        parts.extend(if self.place == Place::Inside {
            reasoning(owned)
        } else {
            text(owned)
        });
    }
}

fn text(piece: String) -> Option<Part> {
    (!piece.is_empty()).then_some(Part::Text(piece))
}

fn reasoning(piece: String) -> Option<Part> {
    (!piece.is_empty()).then_some(Part::Reasoning(piece))
}

/// How many bytes at the end of `text` could be the beginning of `tag`.
fn beginning_of(tag: &str, text: &str) -> usize {
    (1..tag.len())
        .rev()
        .find(|length| {
            tag.get(..*length)
                .is_some_and(|start| text.ends_with(start))
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Part, Splitter};

    /// The answer's text and its reasoning, each joined.
    fn split<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, String) {
        let mut splitter = Splitter::default();
        let mut parts: Vec<Part> = Vec::new();
        for piece in pieces {
            parts.extend(splitter.push(piece));
        }
        parts.extend(splitter.finish());
        let mut joined = (String::new(), String::new());
        for part in parts {
            match part {
                Part::Text(text) => joined.0.push_str(&text),
                Part::Reasoning(text) => joined.1.push_str(&text),
            }
        }
        joined
    }

    #[test]
    fn each_shape_splits_the_same_wherever_it_is_cut() {
        let cases: &[(&str, &str, &str)] = &[
            ("<think>hm</think>\n\nYes.", "Yes.", "hm"),
            ("\n<think>hm</think>Yes.", "Yes.", "hm"),
            ("Yes.", "Yes.", ""),
            ("  Yes.", "  Yes.", ""),
            ("<thin air>", "<thin air>", ""),
            ("Write <think> to think.", "Write <think> to think.", ""),
            ("<think>still at it", "", "still at it"),
            ("<think>a < b</th", "", "a < b</th"),
            ("<think>", "", ""),
            ("<th", "<th", ""),
            ("<think>a</think>X<think>b</think>Y", "XY", "ab"),
            ("<think>a</think>use `<think>` so", "use `<think>` so", "a"),
            ("<think></think>你好 <b", "你好 <b", ""),
            ("", "", ""),
        ];
        for (answer, text, reasoning) in cases {
            let expected = ((*text).to_owned(), (*reasoning).to_owned());
            assert_eq!(split([*answer]), expected, "{answer}");
            for (cut, _) in answer.char_indices() {
                let (left, right) = answer.split_at(cut);
                assert_eq!(split([left, right]), expected, "{answer} cut at {cut}");
            }
        }
    }

    #[test]
    fn text_is_given_as_soon_as_it_is_sure() {
        let mut splitter = Splitter::default();
        assert_eq!(
            splitter.push("<think>so"),
            [Part::Reasoning("so".to_owned())]
        );
        assert_eq!(splitter.push("</think>"), []);
        assert_eq!(splitter.push("\n"), []);
        assert_eq!(splitter.push("Hi"), [Part::Text("Hi".to_owned())]);
    }
}
