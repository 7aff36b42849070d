//! The words around a hit, cut from the real text with the hits marked.

use std::ops::Range;

use crate::word::{Run, Term, runs};

/// Characters shown before the first hit, and in all.
const BEFORE: usize = 30;
const LENGTH: usize = 160;

/// A run of an excerpt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExcerptRun {
    /// The text, without line breaks.
    pub text: String,
    /// Whether it is what was searched for.
    pub hit: bool,
}

/// Cuts an excerpt. With `as_beginning`, a word in letters is hit by its beginning.
pub(crate) fn excerpt(text: &str, terms: &[Term], as_beginning: bool) -> Vec<ExcerptRun> {
    let mut hits = runs(text)
        .flat_map(|run| hits_in(&run, terms, as_beginning))
        .peekable();
    let start = hits
        .peek()
        .map_or(0, |first| back(text, first.start, BEFORE));
    let end = forward(text, start, LENGTH);
    let mut excerpt = Vec::new();
    let mut at = start;
    let mut push = |range: Range<usize>, hit: bool| {
        let piece = text.get(range).unwrap_or_default();
        if !piece.is_empty() {
            excerpt.push(ExcerptRun {
                text: without_breaks(piece),
                hit,
            });
        }
    };
    for hit in hits.take_while(|hit| hit.start < end) {
        let hit_end = hit.end.min(end);
        push(at..hit.start, false);
        push(hit.start..hit_end, true);
        at = hit_end;
    }
    push(at..end, false);
    mark_cuts(&mut excerpt, start > 0, end < text.len());
    excerpt
}

/// Where the terms stand in a run, in order and without overlap.
fn hits_in(run: &Run, terms: &[Term], as_beginning: bool) -> Vec<Range<usize>> {
    let wanted = || terms.iter().filter(|term| term.dense == run.dense);
    if !run.dense {
        let is_hit = wanted().any(|term| {
            let beginning = run
                .folded()
                .take(term.folded.len())
                .eq(term.folded.iter().copied());
            beginning && (as_beginning || run.characters.len() == term.folded.len())
        });
        return if is_hit {
            vec![run.range.clone()]
        } else {
            Vec::new()
        };
    }
    let mut hits = Vec::new();
    let mut at = 0;
    while at < run.characters.len() {
        let rest = run.characters.get(at..).unwrap_or_default();
        let length = wanted()
            .filter(|term| {
                rest.iter()
                    .map(|(_, c)| *c)
                    .take(term.folded.len())
                    .eq(term.folded.iter().copied())
            })
            .map(|term| term.folded.len())
            .max();
        let Some(length) = length.filter(|length| *length > 0) else {
            at += 1;
            continue;
        };
        let begin = |index: usize| {
            run.characters
                .get(index)
                .map_or(run.range.end, |(at, _)| *at)
        };
        hits.push(begin(at)..begin(at + length));
        at += length;
    }
    hits
}

fn back(text: &str, from: usize, characters: usize) -> usize {
    let before = text.get(..from).unwrap_or_default();
    before
        .char_indices()
        .rev()
        .take(characters)
        .last()
        .map_or(from, |(at, _)| at)
}

fn forward(text: &str, from: usize, characters: usize) -> usize {
    let after = text.get(from..).unwrap_or_default();
    after
        .char_indices()
        .nth(characters)
        .map_or(text.len(), |(at, _)| from + at)
}

/// Line breaks and runs of spaces as one space each.
fn without_breaks(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if !character.is_whitespace() {
            line.push(character);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line
}

fn mark_cuts(excerpt: &mut Vec<ExcerptRun>, before: bool, after: bool) {
    let cut = || ExcerptRun {
        text: "…".to_owned(),
        hit: false,
    };
    if before {
        excerpt.insert(0, cut());
    }
    if after {
        excerpt.push(cut());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::excerpt;
    use crate::word::Query;

    /// An excerpt with its hits in brackets.
    fn marked(text: &str, query: &str) -> String {
        let terms = Query::new(query).map_or_else(Vec::new, |query| query.terms);
        excerpt(text, &terms, false)
            .iter()
            .map(|run| {
                if run.hit {
                    format!("[{}]", run.text)
                } else {
                    run.text.clone()
                }
            })
            .collect()
    }

    #[test]
    fn hits_are_marked_in_the_text_as_it_was_written() {
        let table = [
            ("修复已验证，再修复", "修复", "[修复]已验证，再[修复]"),
            ("用 Ｇｅｎ 跑", "gen", "用 [Ｇｅｎ] 跑"),
            ("Un café, general", "CAFE gen", "Un [café], general"),
            ("don't", "don't", "[don]'[t]"),
            ("一行\n\n二行", "二", "一行 [二]行"),
            ("没有", "雨", "没有"),
        ];
        for (text, query, expected) in table {
            assert_eq!(marked(text, query), expected);
        }
    }

    #[test]
    fn a_hit_far_down_is_shown_with_what_stands_before_it() {
        let text = format!("{}目标{}", "前".repeat(1000), "后".repeat(1000));
        let shown = marked(&text, "目标");
        assert!(
            shown.starts_with("…前") && shown.ends_with("后…"),
            "{shown}"
        );
        assert!(shown.contains("[目标]") && shown.chars().count() < 170);
    }

    proptest! {
        #[test]
        fn any_text_and_any_query_give_a_bounded_excerpt(text in any::<String>(), query in any::<String>()) {
            prop_assert!(marked(&text, &query).chars().count() <= 600);
        }

        #[test]
        fn without_hits_cut_or_breaks_the_excerpt_is_the_text(text in "[a-z一-十,.]{0,100}") {
            let whole: String = excerpt(&text, &[], false).into_iter().map(|run| run.text).collect();
            prop_assert_eq!(whole, text);
        }
    }
}
