//! Words, as the search index knows them, and what a user's query asks of it.
//!
//! Both sides are cut here, in one way, and SQLite only ever sees the result. Scripts written
//! without spaces (Chinese, Japanese, Korean, Thai, …) are cut into pairs of characters that
//! overlap, and the last character of each run stands alone as well: a word of two characters is
//! one token, a longer one a phrase, and a single character the beginning of a token. Letters lose
//! case, accents and full-width form.

use std::ops::Range;

use unicode_normalization::char::decompose_compatible;

/// Longer words are cut; they are data, such as base64, not words.
const LONGEST_WORD: usize = 64;
/// Parts of a query beyond this many are not looked at.
const MOST_PARTS: usize = 24;

/// A stretch of text that is one word, or one run of a script without spaces.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Its characters as they are compared, each with where it begins in the text.
    pub(crate) characters: Vec<(usize, char)>,
    /// Where it stands in the text.
    pub(crate) range: Range<usize>,
    /// Whether its script is written without spaces.
    pub(crate) dense: bool,
}

impl Run {
    /// The run as it is compared.
    pub(crate) fn folded(&self) -> impl Iterator<Item = char> + '_ {
        self.characters.iter().map(|(_, character)| *character)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Dense,
    Letter,
    /// An accent written as a character of its own: belongs to the word, counts for nothing.
    Accent,
    Gap,
}

/// Cuts a text into its runs.
pub(crate) fn runs(text: &str) -> impl Iterator<Item = Run> + '_ {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) =
            rest.find(|(_, character)| matches!(class(*character), Class::Dense | Class::Letter))?;
        let dense = class(first) == Class::Dense;
        let mut run = Run {
            characters: Vec::new(),
            range: start..start,
            dense,
        };
        let mut next = Some((start, first));
        while let Some((at, character)) = next {
            fold(character, |folded| run.characters.push((at, folded)));
            run.range.end = at + character.len_utf8();
            next = rest.next_if(|(_, character)| match class(*character) {
                Class::Dense => dense,
                Class::Letter => !dense,
                Class::Accent => true,
                Class::Gap => false,
            });
        }
        Some(run)
    })
}

/// The text as the index takes it: tokens with spaces between.
pub(crate) fn index_text(text: &str) -> String {
    let mut tokens = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let word = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let alone = rest.as_bytes().get(word).is_none_or(u8::is_ascii);
        // Most words are plain letters between plain gaps, and are copied as they stand.
        let done = if word > 0 && alone {
            let kept = rest.get(..word.min(LONGEST_WORD)).unwrap_or_default();
            if !tokens.is_empty() {
                tokens.push(' ');
            }
            tokens.extend(
                kept.bytes()
                    .map(|byte| char::from(byte.to_ascii_lowercase())),
            );
            word
        } else if word == 0 && first.is_ascii() {
            1
        } else if let Some(run) = runs(rest).next() {
            push_tokens(&run, Tail::Alone, &mut tokens);
            run.range.end
        } else {
            break;
        };
        rest = rest.get(done..).unwrap_or_default();
    }
    tokens
}

/// What becomes of the last character of a dense run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// It is a token of its own too, as in the index.
    Alone,
    /// It may go on: only the pairs are asked for.
    Open,
}

fn push_tokens(run: &Run, tail: Tail, tokens: &mut String) {
    let mut push = |token: &mut dyn Iterator<Item = char>| {
        if !tokens.is_empty() {
            tokens.push(' ');
        }
        tokens.extend(token);
    };
    if !run.dense {
        return push(&mut run.folded().take(LONGEST_WORD));
    }
    for (first, second) in run.folded().zip(run.folded().skip(1)) {
        push(&mut [first, second].into_iter());
    }
    if tail == Tail::Alone || run.characters.len() == 1 {
        push(&mut run.folded().last().into_iter());
    }
}

/// A query, ready for the index and for marking its hits.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Query {
    /// For `MATCH`: every part must be there.
    pub(crate) exact: String,
    /// The same with the last word taken as a beginning; for when nothing matches exactly.
    pub(crate) wider: Option<String>,
    /// What to mark in a text.
    pub(crate) terms: Vec<Term>,
}

/// Something to mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) folded: Vec<char>,
    pub(crate) dense: bool,
}

impl Query {
    /// Takes any text of a user's; none when there is nothing in it to search for.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let parts: Vec<Part> = text
            .split_whitespace()
            .filter_map(Part::new)
            .take(MOST_PARTS)
            .collect();
        let last = parts.last()?;
        let written = |part: &Part| part.written(part.begins);
        let exact = parts.iter().map(written).collect::<Vec<_>>().join(" AND ");
        let wider = (!last.begins && last.may_widen).then(|| {
            let before = parts.iter().take(parts.len() - 1).map(written);
            before
                .chain([last.written(true)])
                .collect::<Vec<_>>()
                .join(" AND ")
        });
        let terms = parts.into_iter().flat_map(|part| part.terms).collect();
        Some(Self {
            exact,
            wider,
            terms,
        })
    }
}

/// What stands between two spaces of a query: a phrase.
struct Part {
    phrase: String,
    /// The last token is the beginning of what is meant.
    begins: bool,
    may_widen: bool,
    terms: Vec<Term>,
}

impl Part {
    fn new(text: &str) -> Option<Self> {
        let mut phrase = String::new();
        let runs: Vec<Run> = runs(text).collect();
        let last = runs.last()?;
        for (index, run) in runs.iter().enumerate() {
            let tail = if index + 1 == runs.len() {
                Tail::Open
            } else {
                Tail::Alone
            };
            push_tokens(run, tail, &mut phrase);
        }
        let single = last.dense && last.characters.len() == 1;
        let asked = !last.dense && text.ends_with('*');
        let may_widen = !last.dense && last.characters.len() > 1;
        let terms = runs
            .iter()
            .map(|run| Term {
                folded: run.folded().collect(),
                dense: run.dense,
            })
            .collect();
        Some(Self {
            phrase,
            begins: single || asked,
            may_widen,
            terms,
        })
    }

    /// The tokens hold letters and digits only, so the quotes need no escape.
    fn written(&self, begins: bool) -> String {
        format!("\"{}\"{}", self.phrase, if begins { "*" } else { "" })
    }
}

fn fold(character: char, mut push: impl FnMut(char)) {
    if character.is_ascii() {
        return push(character.to_ascii_lowercase());
    }
    // Only where letters have accents or full-width forms: elsewhere a decomposition would take
    // Korean syllables and Japanese voiced letters apart.
    if !matches!(character, '\u{80}'..='\u{52F}' | '\u{1E00}'..='\u{1FFF}' | '\u{FF00}'..='\u{FFEF}')
    {
        return character.to_lowercase().for_each(push);
    }
    decompose_compatible(character, |part| {
        if class(part) == Class::Letter || class(part) == Class::Dense {
            part.to_lowercase()
                .filter(|lower| class(*lower) != Class::Accent)
                .for_each(&mut push);
        }
    });
}

fn class(character: char) -> Class {
    match character {
        '\0'..='\u{7F}' if character.is_ascii_alphanumeric() => Class::Letter,
        '\0'..='\u{7F}' => Class::Gap,
        '\u{300}'..='\u{36F}' => Class::Accent,
        // Thai, Lao, Burmese, Khmer.
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        // Jamo, radicals, kana, bopomofo, ideographs, syllables.
        | '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309A}'
        | '\u{309D}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{318F}'
        | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}' => {
            Class::Dense
        }
        _ if character.is_alphanumeric() => Class::Letter,
        _ => Class::Gap,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Query, Tail, index_text, push_tokens, runs};

    #[test]
    fn text_is_cut_into_words_and_pairs() {
        let table = [
            ("", ""),
            ("Hello, World", "hello world"),
            ("第三步2", "第三 三步 步 2"),
            ("重跑gen-itgc后", "重跑 跑 gen itgc 后"),
            ("Café CAFE\u{301}", "cafe cafe"),
            ("ＡＢＣ１２", "abc12"),
            ("결제가", "결제 제가 가"),
            ("データ", "デー ータ タ"),
            ("Ελλάδα Ёлка", "ελλαδα елка"),
            ("a_b 😀 c", "a b c"),
        ];
        for (text, tokens) in table {
            assert_eq!(index_text(text), tokens, "{text}");
        }
    }

    #[test]
    fn a_query_asks_for_phrases() {
        let table = [
            ("悬空", "\"悬空\""),
            ("雨", "\"雨\"*"),
            ("三步走", "\"三步 步走\""),
            ("gen-itgc", "\"gen itgc\""),
            ("db 雨", "\"db\" AND \"雨\"*"),
            ("步2", "\"步 2\""),
            ("foo*", "\"foo\"*"),
            ("a AND b", "\"a\" AND \"and\" AND \"b\""),
            ("x\" OR \"y", "\"x\" AND \"or\" AND \"y\""),
        ];
        for (text, exact) in table {
            assert_eq!(Query::new(text).unwrap().exact, exact, "{text}");
        }
    }

    #[test]
    fn a_query_without_words_asks_for_nothing() {
        for text in ["", "  \t", "***", "\"", "()", "😀", "\u{301}"] {
            assert_eq!(Query::new(text), None, "{text:?}");
        }
    }

    #[test]
    fn only_a_last_word_in_letters_is_widened() {
        let wider = |text| Query::new(text).unwrap().wider;
        assert_eq!(wider("db conf").as_deref(), Some("\"db\" AND \"conf\"*"));
        for text in ["雨", "悬空", "x", "foo*"] {
            assert_eq!(wider(text), None, "{text}");
        }
    }

    #[test]
    fn an_endless_word_is_cut_the_same_on_both_sides() {
        let word = "x".repeat(10_000);
        assert_eq!(index_text(&word).len(), 64);
        assert_eq!(Query::new(&word).unwrap().exact.len(), 66);
    }

    proptest! {
        #[test]
        fn tokens_hold_nothing_that_means_something_to_the_index(text in any::<String>()) {
            let tokens = index_text(&text);
            prop_assert!(!tokens.contains(|character: char| {
                character.is_ascii() && !character.is_ascii_alphanumeric() && character != ' '
            }), "{tokens:?}");
        }

        #[test]
        fn the_short_way_for_plain_words_gives_what_the_long_one_does(
            text in "[a-zA-Z0-9 ,.é\u{301}一二ａ-]{0,60}",
        ) {
            let mut long = String::new();
            for run in runs(&text) {
                push_tokens(&run, Tail::Alone, &mut long);
            }
            prop_assert_eq!(index_text(&text), long);
        }

        #[test]
        fn runs_stand_in_order_within_the_text(text in any::<String>()) {
            let mut end = 0;
            for run in runs(&text) {
                prop_assert!(run.range.start >= end && run.range.end > run.range.start);
                prop_assert!(text.get(run.range.clone()).is_some());
                end = run.range.end;
            }
        }

        #[test]
        fn a_query_is_bounded(text in any::<String>()) {
            if let Some(query) = Query::new(&text) {
                prop_assert!(query.exact.matches(" AND ").count() < 24);
            }
        }
    }
}
