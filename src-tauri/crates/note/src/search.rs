//! Finding words in notes: any case, any width, any language, without an index. The notebook
//! asks it for each note.

use unicode_normalization::UnicodeNormalization;

use crate::heading::one_line;

const CHARS_BEFORE: usize = 40;
const CHARS_SHOWN: usize = 160;

/// What a search looks for: every word of it must occur.
pub(crate) struct Query {
    terms: Vec<String>,
}

/// Where a note holds the words.
#[derive(Debug, PartialEq)]
pub(crate) struct Hit {
    /// Whether its title alone holds all of them.
    pub(crate) in_title: bool,
    /// The words around the first hit in the text; None if the text has none.
    pub(crate) excerpt: Option<String>,
}

impl Query {
    pub(crate) fn new(query: &str) -> Self {
        Self {
            terms: query.split_whitespace().map(fold).collect(),
        }
    }

    /// None if a word is missing.
    pub(crate) fn find(&self, title: &str, text: &str) -> Option<Hit> {
        let folded_title = fold(title);
        let folded_text = fold(text);
        let in_title = self
            .terms
            .iter()
            .all(|term| folded_title.contains(term.as_str()));
        let found = self.terms.iter().all(|term| {
            folded_title.contains(term.as_str()) || folded_text.contains(term.as_str())
        });
        found.then(|| Hit {
            in_title,
            excerpt: self.excerpt(text, &folded_text),
        })
    }

    fn excerpt(&self, text: &str, folded: &str) -> Option<String> {
        let at = self
            .terms
            .iter()
            .filter_map(|term| folded.find(term.as_str()))
            .min()?;
        let shown: Vec<char> = text.nfc().collect();
        let mut bytes = 0;
        let hit = shown.iter().position(|c| {
            bytes += fold_char(*c).map(char::len_utf8).sum::<usize>();
            bytes > at
        })?;
        let start = hit.saturating_sub(CHARS_BEFORE);
        let window: String = shown.iter().skip(start).take(CHARS_SHOWN).collect();
        let mut line = one_line(&window, CHARS_SHOWN);
        if start > 0 {
            line.insert(0, '…');
        }
        if start + CHARS_SHOWN < shown.len() {
            line.push('…');
        }
        Some(line)
    }
}

/// The form in which words are compared. It is made character by character, so that a place in
/// it can be found again in the text.
fn fold(text: &str) -> String {
    text.nfc().flat_map(fold_char).collect()
}

fn fold_char(c: char) -> impl Iterator<Item = char> {
    std::iter::once(c)
        .nfkc()
        .flat_map(char::to_lowercase)
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Hit, Query};

    #[test]
    fn every_word_must_occur_in_any_case_and_width() {
        let table = [
            ("milk", "", "Buy MILK", true),
            ("milk eggs", "", "Buy milk", false),
            ("milk list", "Shopping List", "Buy milk", true),
            ("ｍｉｌｋ", "", "milk", true),
            ("milk", "", "ＭＩＬＫ", true),
            ("雨", "", "明天下雨吗", true),
            ("悬空 修复", "", "悬空引用清零，修复已验证", true),
            ("不存在", "", "悬空引用", false),
            ("café", "", "CAFE\u{301}", true),
            ("don't", "", "I DON'T know", true),
            ("a-b \"c\"", "", "a-b \"c\" OR", true),
        ];
        for (query, title, text, found) in table {
            assert_eq!(
                Query::new(query).find(title, text).is_some(),
                found,
                "{query} in {text}"
            );
        }
    }

    #[test]
    fn a_hit_shows_the_words_around_it() {
        let text = format!("{}针{}", "前".repeat(100), "后".repeat(300));
        let hit = Query::new("针").find("", &text).unwrap();
        let excerpt = hit.excerpt.unwrap();
        assert!(excerpt.starts_with("…前") && excerpt.contains('针') && excerpt.ends_with("后…"));
        assert_eq!(
            Query::new("plan").find("Plan", "nothing"),
            Some(Hit {
                in_title: true,
                excerpt: None
            })
        );
    }

    proptest! {
        #[test]
        fn a_word_of_the_text_is_found(before in "\\PC{0,60}", word in "[a-zß京İﬁ]{1,8}", after in "\\PC{0,60}") {
            let text = format!("{before} {word} {after}");
            prop_assert!(Query::new(&word).find("", &text).is_some());
        }
    }
}
