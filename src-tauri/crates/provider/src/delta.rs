//! Growing text: what is new in the next piece of a stream.
//!
//! Most services send only what is new; a few send everything so far each time. The second kind
//! shows itself by two pieces in a row that each extend all before them. Pieces that are merely
//! equal prove nothing: two line feeds are two line feeds.

use std::borrow::Cow;

/// Turns the pieces of one text into what is new in each.
#[derive(Debug)]
pub(crate) enum Growth {
    /// Too early to tell: what was given out, and a piece held back that extends it.
    Unknown { given: String, held: Option<String> },
    /// Each piece is new.
    Pieces,
    /// Each piece repeats everything before it.
    Repeating { given: String },
}

impl Default for Growth {
    fn default() -> Self {
        Self::Unknown {
            given: String::new(),
            held: None,
        }
    }
}

impl Growth {
    /// What the next piece adds.
    pub(crate) fn push<'a>(&mut self, piece: &'a str) -> Cow<'a, str> {
        if piece.is_empty() {
            return Cow::Borrowed("");
        }
        match self {
            Self::Pieces => Cow::Borrowed(piece),
            Self::Repeating { given } => {
                let new = piece.strip_prefix(given.as_str()).unwrap_or(piece);
                given.push_str(new);
                Cow::Borrowed(new)
            }
            Self::Unknown { given, held: None } if given.is_empty() => {
                piece.clone_into(given);
                Cow::Borrowed(piece)
            }
            Self::Unknown {
                given,
                held: held @ None,
            } if extends(piece, given) => {
                *held = Some(piece.to_owned());
                Cow::Borrowed("")
            }
            Self::Unknown {
                given,
                held: Some(held),
            } if extends(piece, held) => {
                let new = piece.strip_prefix(given.as_str()).unwrap_or(piece);
                *self = Self::Repeating {
                    given: piece.to_owned(),
                };
                Cow::Borrowed(new)
            }
            Self::Unknown { held, .. } => {
                let held = held.take();
                *self = Self::Pieces;
                match held {
                    Some(held) => Cow::Owned(held + piece),
                    None => Cow::Borrowed(piece),
                }
            }
        }
    }

    /// Whether nothing came yet.
    pub(crate) fn is_fresh(&self) -> bool {
        matches!(self, Self::Unknown { given, .. } if given.is_empty())
    }

    /// What was held back, once nothing more comes.
    pub(crate) fn finish(&mut self) -> String {
        match self {
            Self::Unknown { held, .. } => held.take().unwrap_or_default(),
            Self::Pieces | Self::Repeating { .. } => String::new(),
        }
    }
}

fn extends(piece: &str, before: &str) -> bool {
    piece.len() > before.len() && piece.starts_with(before)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Growth;

    fn grown(pieces: &[&str]) -> String {
        let mut growth = Growth::default();
        let mut text = String::new();
        for piece in pieces {
            text.push_str(&growth.push(piece));
        }
        text.push_str(&growth.finish());
        text
    }

    #[test]
    fn pieces_are_told_from_repetitions() {
        let cases: &[(&[&str], &str)] = &[
            (
                &["Good", "Good morn", "Good morning", "Good morning!"],
                "Good morning!",
            ),
            (&["早", "早上", "早上好"], "早上好"),
            (
                &["Good", "Good morn", "Good morning", "Good morning"],
                "Good morning",
            ),
            (&["\n", "\n", "So:"], "\n\nSo:"),
            (&["ha", "ha", "ha"], "hahaha"),
            (&["a", "ab", "c"], "aabc"),
            (&["1", "10"], "110"),
            (&["", "x", "", "y"], "xy"),
            (&["one", " two", " two three"], "one two two three"),
            (&[], ""),
        ];
        for (pieces, expected) in cases {
            assert_eq!(grown(pieces), *expected, "{pieces:?}");
        }
    }

    proptest! {
        #[test]
        fn a_repeating_stream_gives_its_last_piece(text in "[a-d]{6,40}", steps in 3_usize..6) {
            let ends: Vec<usize> = (1..=steps).map(|step| text.len() * step / steps).collect();
            let pieces: Vec<&str> = ends.iter().filter_map(|end| text.get(..*end)).collect();
            prop_assert_eq!(grown(&pieces), text);
        }

        #[test]
        fn pieces_that_begin_differently_are_kept_whole(pieces in proptest::collection::vec("[b-z]{1,4}", 1..10)) {
            let mut all = vec!["a"];
            all.extend(pieces.iter().map(String::as_str));
            prop_assert_eq!(grown(&all), all.concat());
        }
    }
}
