//! Reasoning that a model writes into its answer between tags.
//!
//! Only a model that opens its answer with such a tag is taken to speak this way; for every other
//! one the tag is text. A tag in backquotes is text too. Used by [`crate::content`].
//!
//! A closing tag without an opening one is not seen here. Models whose template puts the opening
//! tag into the prompt print it, and nothing tells them apart from others before it comes: not the
//! name, since servers rename models, and not the first words. To hold the answer back until then
//! would be to show no word of any answer. So the text streams on as the answer that it is for
//! nearly all models, and when such a tag does come, [`crate::printed_calls`], which knows whether
//! it stands in code, says that the text so far was reasoning.

/// How one family of models marks its reasoning.
#[derive(Debug, PartialEq, Eq)]
struct Tag {
    /// What opens it, all with the same first character.
    opens: &'static [&'static str],
    close: &'static str,
    /// What may stand between it and the answer.
    behind: &'static str,
    /// Whether templates put the opening tag into the prompt.
    is_hidden: bool,
}

const fn pair(opens: &'static [&'static str], close: &'static str) -> Tag {
    Tag {
        opens,
        close,
        behind: "",
        is_hidden: true,
    }
}

const TAGS: &[Tag] = &[
    // DeepSeek, Qwen, GLM, MiniMax and most others.
    pair(&["<think>"], "</think>"),
    pair(&["<thinking>"], "</thinking>"),
    pair(&["<thought>"], "</thought>"),
    // Seed-OSS.
    pair(&["<seed:think>"], "</seed:think>"),
    // Kimi.
    pair(&["◁think▷"], "◁/think▷"),
    // Magistral.
    pair(&["[THINK]"], "[/THINK]"),
    // Command A.
    pair(&["<|START_THINKING|>"], "<|END_THINKING|>"),
    // Gemma 4.
    pair(&["<|channel>thought"], "<channel|>"),
    // gpt-oss.
    Tag {
        opens: &[
            "<|channel|>analysis<|message|>",
            "<|start|>assistant<|channel|>analysis<|message|>",
        ],
        close: "<|end|>",
        behind: "<|start|>assistant<|channel|>final<|message|>",
        is_hidden: false,
    },
];

/// What the tags of [`closes`] begin with.
pub(crate) const CLOSE_STARTS: [char; 3] = ['<', '◁', '['];

/// The closing tags that may come without their opening ones.
pub(crate) fn closes() -> impl Iterator<Item = &'static str> {
    TAGS.iter().filter(|tag| tag.is_hidden).map(|tag| tag.close)
}

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
    /// The answer did not begin with a tag: all is text.
    Plain,
    /// Between the tags.
    Inside(&'static Tag),
    /// Just behind a closing tag, where line ends belong to nobody.
    Behind(&'static Tag),
    /// Text of a model that uses the tags.
    Outside(&'static Tag),
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
    /// Whether every further piece is text as it is.
    pub(crate) fn is_plain(&self) -> bool {
        self.place == Place::Plain
    }

    /// Takes the next piece.
    pub(crate) fn push(&mut self, piece: &str) -> Vec<Part> {
        if self.is_plain() {
            return text(piece.to_owned()).into_iter().collect();
        }
        let mut parts = Vec::new();
        if self.place == Place::Start && piece.trim_start().is_empty() {
            self.held.push_str(piece);
            return parts;
        }
        let came = std::mem::take(&mut self.held) + piece;
        let mut rest = came.as_str();
        while !rest.is_empty() {
            match self.step(rest, &mut parts) {
                Some(left) => rest = left,
                None => {
                    rest.clone_into(&mut self.held);
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
            Place::Inside(_) => reasoning(held),
            Place::Behind(_) if held.trim().is_empty() => None,
            _ => text(held),
        }
    }

    /// Handles the front of `rest` and gives what is left, or nothing if more must come first.
    fn step<'a>(&mut self, rest: &'a str, parts: &mut Vec<Part>) -> Option<&'a str> {
        match self.place {
            Place::Start => self.begin(rest, parts),
            Place::Plain => {
                parts.extend(text(rest.to_owned()));
                Some("")
            }
            Place::Inside(tag) => self.until(&[tag.close], Place::Behind(tag), rest, parts),
            Place::Behind(tag) => self.leave(tag, rest),
            Place::Outside(tag) => self.until(tag.opens, Place::Inside(tag), rest, parts),
        }
    }

    fn begin<'a>(&mut self, rest: &'a str, parts: &mut Vec<Part>) -> Option<&'a str> {
        let trimmed = rest.trim_start();
        for tag in TAGS {
            for open in tag.opens {
                if let Some(inside) = trimmed.strip_prefix(open) {
                    self.place = Place::Inside(tag);
                    return Some(inside);
                }
                if open.starts_with(trimmed) {
                    return None;
                }
            }
        }
        self.place = Place::Plain;
        parts.extend(text(rest.to_owned()));
        Some("")
    }

    fn leave<'a>(&mut self, tag: &'static Tag, rest: &'a str) -> Option<&'a str> {
        let trimmed = rest.trim_start();
        if trimmed.is_empty() {
            return Some("");
        }
        let bare = match trimmed.strip_prefix(tag.behind) {
            Some(bare) => bare.trim_start(),
            None if tag.behind.starts_with(trimmed) => return None,
            None => trimmed,
        };
        self.place = Place::Outside(tag);
        Some(bare)
    }

    /// Goes on to the first of these tags, behind which `place` begins.
    fn until<'a>(
        &mut self,
        tags: &[&str],
        place: Place,
        rest: &'a str,
        parts: &mut Vec<Part>,
    ) -> Option<&'a str> {
        if let Some((at, length)) = first_of(tags, rest) {
            let (before, behind) = (rest.get(..at)?, rest.get(at + length..)?);
            let quoted = before.ends_with('`') || (before.is_empty() && self.quoted);
            if matches!(self.place, Place::Outside(_)) && quoted {
                self.give(rest.get(..at + length)?, parts);
                return Some(behind);
            }
            self.give(before, parts);
            self.place = place;
            return Some(behind);
        }
        let held = tags.iter().map(|tag| beginning_of(tag, rest)).max()?;
        let (before, held) = rest.split_at_checked(rest.len() - held)?;
        self.give(before, parts);
        held.clone_into(&mut self.held);
        Some("")
    }

    fn give(&mut self, piece: &str, parts: &mut Vec<Part>) {
        if !piece.is_empty() {
            self.quoted = piece.ends_with('`');
        }
        let owned = piece.to_owned();
        parts.extend(if matches!(self.place, Place::Inside(_)) {
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

/// Where the first of these tags stands, and its length.
fn first_of(tags: &[&str], text: &str) -> Option<(usize, usize)> {
    let start = tags.first()?.chars().next()?;
    text.match_indices(start).find_map(|(at, _)| {
        let here = text.get(at..)?;
        let tag = tags.iter().find(|tag| here.starts_with(**tag))?;
        Some((at, tag.len()))
    })
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
            ("<thinking>a</thinking>b", "b", "a"),
            ("<thought>a</think></thought>b", "b", "a</think>"),
            ("<seed:think>a</seed:think>b", "b", "a"),
            ("◁think▷嗯◁/think▷好", "好", "嗯"),
            ("[THINK]a[/THINK]b [THINK", "b [THINK", "a"),
            ("[1] is a number", "[1] is a number", ""),
            ("<|channel>thought\na<channel|>b", "b", "\na"),
            (
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b",
                "b",
                "a",
            ),
            (
                "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>b<|end|><|start|>",
                "<|start|>",
                "ab",
            ),
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
