//! How many tokens a text takes, when its model's tokenizer is not known.
//!
//! Tokenizers make pieces of what stands together often: a word, a run of marks, an indent. The
//! estimate finds the same pieces by the kind of each character, in one pass and without a table of
//! words. It leans a little to the high side: a request that is estimated too short is refused.

use crate::port::TokenCounter;

/// Parts of a token that are counted; every weight below is so many of them for one character.
const PARTS: u64 = 20;
/// Letters of one word that make a token.
const WORD: u64 = 9;
/// Letters that make a token where digits touch them, as in keys and check sums.
const CODE: u64 = 2;
/// Digits that make a token; some tokenizers take three together, some each alone.
const DIGITS: u64 = 2;
/// Marks in a row that make a token.
const MARKS: u64 = 3;

/// The estimate as a counter, for models whose tokenizer is not known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Estimate;

impl TokenCounter for Estimate {
    fn count(&self, text: &str) -> u64 {
        estimated_tokens(text)
    }
}

/// What a character is to a tokenizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    /// A letter with a mark on it, as in most European languages.
    Accented,
    Digit,
    Mark,
    Space,
    Break,
    /// A character whose weight does not depend on its neighbours.
    Weighed(u64),
}

/// Tokens that `text` takes, by script: a character of Chinese, Japanese or Korean is a little less
/// than one, a word of English mostly one, which is four characters and a space.
#[must_use]
pub fn estimated_tokens(text: &str) -> u64 {
    let mut pieces = Pieces::default();
    for character in text.chars() {
        pieces.take(kind(character));
    }
    pieces.finish()
}

/// The pieces so far, and the one that is not finished.
#[derive(Default)]
struct Pieces {
    parts: u64,
    last: Option<Kind>,
    length: u64,
    /// Whether a digit stands right before the piece.
    behind_digit: bool,
}

impl Pieces {
    fn take(&mut self, next: Kind) {
        // A name in capitals, and the word behind it, are two pieces.
        let ends_capitals =
            self.last == Some(Kind::Upper) && self.length > 1 && next == Kind::Lower;
        if !ends_capitals && self.last.is_some_and(|last| goes_on(last, next)) {
            self.length += length(next);
        } else {
            self.close(Some(next));
            self.length = length(next);
            self.behind_digit = self.last == Some(Kind::Digit);
        }
        self.last = Some(next);
    }

    /// Counts the piece that ends here.
    fn close(&mut self, next: Option<Kind>) {
        let Some(last) = self.last else { return };
        self.parts += match last {
            Kind::Lower | Kind::Upper | Kind::Accented => {
                let is_code = self.behind_digit || next == Some(Kind::Digit);
                PARTS * self.length.div_ceil(if is_code { CODE } else { WORD })
            }
            Kind::Digit => PARTS * self.length.div_ceil(DIGITS),
            Kind::Mark => PARTS * self.length.div_ceil(MARKS),
            // One space belongs to the word or the marks behind it, but not to a number.
            Kind::Space if self.length == 1 && next != Some(Kind::Digit) => 0,
            Kind::Space | Kind::Break => PARTS,
            Kind::Weighed(parts) => parts,
        };
    }

    fn finish(mut self) -> u64 {
        self.close(None);
        self.parts.div_ceil(PARTS)
    }
}

fn length(kind: Kind) -> u64 {
    if kind == Kind::Accented { 2 } else { 1 }
}

/// Whether a character goes on with the piece that the last one is in.
fn goes_on(last: Kind, next: Kind) -> bool {
    use Kind::{Accented, Break, Digit, Lower, Mark, Space, Upper};
    match (last, next) {
        // A capital inside a name begins a new word.
        (Lower | Accented, Upper) => false,
        (Lower | Upper | Accented, Lower | Upper | Accented) => true,
        // An indent belongs to the line break before it.
        (Break, Space | Break) | (Space, Break) => true,
        (Digit, Digit) | (Mark, Mark) | (Space, Space) => true,
        _ => false,
    }
}

fn kind(character: char) -> Kind {
    match character {
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '0'..='9' => Kind::Digit,
        ' ' | '\t' => Kind::Space,
        '\n' | '\r' => Kind::Break,
        '\0'..='\u{7f}' => Kind::Mark,
        _ => beyond_ascii(character),
    }
}

fn beyond_ascii(character: char) -> Kind {
    match character {
        // Latin with accents; Vietnamese.
        '\u{c0}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => Kind::Accented,
        // Greek, Cyrillic.
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Kind::Weighed(9),
        '\u{400}'..='\u{52f}' => Kind::Weighed(6),
        // Hebrew, Arabic.
        '\u{590}'..='\u{5ff}' => Kind::Weighed(10),
        '\u{600}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}' | '\u{fb50}'..='\u{fdff}' => Kind::Weighed(8),
        // The scripts of India; Thai, Lao.
        '\u{900}'..='\u{dff}' => Kind::Weighed(9),
        '\u{e00}'..='\u{eff}' => Kind::Weighed(10),
        // Chinese, Japanese, Korean, with their marks and wide forms.
        '\u{1100}'..='\u{11ff}'
        | '\u{2e80}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}' => Kind::Weighed(16),
        // Quotes, dashes and dots of printed text.
        '\u{80}'..='\u{bf}' | '\u{2000}'..='\u{200c}' | '\u{200e}'..='\u{206f}' => {
            Kind::Weighed(PARTS)
        }
        // What joins and colours emoji, then emoji and other pictures.
        '\u{200d}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' => Kind::Weighed(PARTS),
        '\u{2190}'..='\u{2bff}' => Kind::Weighed(PARTS),
        '\u{1f000}'..='\u{1faff}' => Kind::Weighed(PARTS * 7 / 4),
        _ => Kind::Weighed(PARTS),
    }
}

#[cfg(test)]
mod samples;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::estimated_tokens;
    use super::samples::SAMPLES;

    /// What the tokenizer of today's OpenAI models counts.
    fn counted(text: &str) -> u64 {
        let tokenizer = tiktoken::get_encoding("o200k_base").expect("it is compiled in");
        u64::try_from(tokenizer.count(text)).expect("a count")
    }

    /// The estimate in hundredths of the true count.
    fn ratio(text: &str) -> u64 {
        estimated_tokens(text) * 100 / counted(text).max(1)
    }

    #[test]
    fn pieces_are_found_by_kind() {
        for (text, tokens) in [
            ("", 0),
            ("a", 1),
            ("word", 1),
            ("two words", 2),
            ("会议纪要", 4),
            ("会议 notes", 3),
            ("someCamelName", 3),
            ("HTTPserver", 2),
            ("snake_case_name", 5),
            ("1234", 2),
            ("in 2026", 4),
            ("für", 1),
            ("x\n    y", 3),
            ("\u{1f389}", 2),
            ("...", 1),
            ("   ", 1),
        ] {
            assert_eq!(estimated_tokens(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn each_kind_of_text_is_estimated_between_nine_tenths_and_three_halves() {
        for (kind, text) in SAMPLES {
            let ratio = ratio(text);
            assert!((90..=150).contains(&ratio), "{kind}: {ratio} %");
        }
    }

    #[test]
    fn a_mixed_conversation_is_estimated_within_a_quarter() {
        let all: String = SAMPLES.iter().map(|(_, text)| *text).collect();
        let ratio = ratio(&all);
        assert!((100..=125).contains(&ratio), "{ratio} %");
    }

    proptest! {
        #[test]
        fn a_longer_text_is_never_fewer_tokens(text in ".{0,60}", more in ".{0,20}") {
            // A space that now stands before a word is counted with it.
            let both = estimated_tokens(&format!("{text}{more}"));
            prop_assert!(both + 1 >= estimated_tokens(&text));
        }

        #[test]
        fn a_text_takes_at_most_two_tokens_a_character(text in "\\PC{0,80}") {
            let characters = u64::try_from(text.chars().count()).expect("a count");
            prop_assert!(estimated_tokens(&text) <= 2 * characters);
        }
    }
}
