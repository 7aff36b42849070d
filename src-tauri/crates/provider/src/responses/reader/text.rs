//! The texts of one item, as far as they have come.

use crate::delta::Growth;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// The answer itself, or a refusal.
    Words,
    /// The reasoning as the model wrote it.
    Thought,
    /// What the service tells of the reasoning.
    Summary,
}

/// The texts of an item, by their place in it.
#[derive(Debug, Default)]
pub(super) struct Texts(Vec<Text>);

#[derive(Debug)]
struct Text {
    sort: Sort,
    at: u64,
    growth: Growth,
    given: String,
}

impl Texts {
    /// Whether nothing was given yet.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|text| text.given.is_empty())
    }

    /// Whether a text at that place begins something of its own: each part of a summary does, and
    /// otherwise the first text of an item.
    pub(super) fn begins(&self, sort: Sort, at: u64) -> bool {
        let mut before = self.0.iter().filter(|text| !text.given.is_empty());
        match sort {
            Sort::Summary => before.all(|text| text.at != at),
            Sort::Words | Sort::Thought => before.next().is_none(),
        }
    }

    /// What a piece adds.
    pub(super) fn push(&mut self, sort: Sort, at: u64, piece: &str) -> String {
        self.find(sort, at).map_or_else(String::new, |text| {
            let new = text.growth.push(piece);
            text.given.push_str(&new);
            new.into_owned()
        })
    }

    /// What a whole text adds to its pieces. One that says something else is not believed.
    pub(super) fn complete(&mut self, sort: Sort, at: u64, whole: &str) -> String {
        self.find(sort, at).map_or_else(String::new, |text| {
            let held = text.growth.finish();
            let new = match whole.strip_prefix(text.given.as_str()) {
                Some(rest) => rest.to_owned(),
                None => held,
            };
            text.given.push_str(&new);
            new
        })
    }

    /// What was held back, as nothing more comes.
    pub(super) fn finish(&mut self) -> impl Iterator<Item = (Sort, String)> {
        let held = |text: &mut Text| {
            let new = text.growth.finish();
            text.given.push_str(&new);
            (text.sort, new)
        };
        self.0
            .iter_mut()
            .map(held)
            .filter(|(_, text)| !text.is_empty())
    }

    /// The text at that place. Of a thought and its summary only what came first is shown.
    fn find(&mut self, sort: Sort, at: u64) -> Option<&mut Text> {
        if self.0.first().is_some_and(|first| first.sort != sort) {
            return None;
        }
        let known = self.0.iter().position(|text| text.at == at);
        if known.is_none() {
            self.0.push(Text {
                sort,
                at,
                growth: Growth::default(),
                given: String::new(),
            });
        }
        match known {
            Some(known) => self.0.get_mut(known),
            None => self.0.last_mut(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, Texts};

    #[test]
    fn a_whole_text_adds_what_its_pieces_lacked() {
        for (pieces, whole, added) in [
            (&["Good ", "day"][..], "Good day", ""),
            (&["Good "], "Good day", "day"),
            (&[], "Good day", "Good day"),
            (&["Good day, sir"], "Good day", ""),
            (&["Good"], "Bad", ""),
            (&["a", "ab"], "aab", "ab"),
            (&["a", "ab"], "ab", "b"),
            (&["a", "ab"], "", "ab"),
        ] {
            let mut texts = Texts::default();
            let given: String = pieces
                .iter()
                .map(|piece| texts.push(Sort::Words, 0, piece))
                .collect();
            assert_eq!(
                texts.complete(Sort::Words, 0, whole),
                added,
                "{given} / {whole}"
            );
        }
    }

    #[test]
    fn a_thought_is_not_told_twice() {
        let mut texts = Texts::default();
        assert_eq!(texts.push(Sort::Summary, 0, "brief"), "brief");
        assert_eq!(texts.push(Sort::Thought, 0, "at length"), "");
        assert_eq!(texts.push(Sort::Summary, 1, "more"), "more");
    }
}
