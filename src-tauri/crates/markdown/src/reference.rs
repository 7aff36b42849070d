//! Definitions that other blocks refer to: the addresses of links, and footnotes.

use std::collections::{HashMap, HashSet};

use pulldown_cmark::{Event, Parser, Tag};

use crate::html::options;

/// The definitions of the chunks that have ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct References {
    addresses: HashMap<String, String>,
    footnotes: HashSet<String>,
}

impl References {
    /// Takes the definitions of a chunk. Of two with one label the first counts.
    pub(crate) fn learn(&mut self, chunk: &str) {
        if !chunk.contains("]:") {
            return;
        }
        let parser = Parser::new_ext(chunk, options());
        for (label, definition) in parser.reference_definitions().iter() {
            self.addresses
                .entry(folded(label))
                .or_insert_with(|| definition.dest.to_string());
        }
        self.footnotes
            .extend(parser.filter_map(|event| match event {
                Event::Start(Tag::FootnoteDefinition(label)) => Some(label.to_string()),
                _ => None,
            }));
    }

    /// Where the label of a link leads.
    pub(crate) fn address(&self, label: &str) -> Option<&str> {
        self.addresses.get(&folded(label)).map(String::as_str)
    }

    /// Whether a label is one of a footnote. A number always is: its footnote comes last.
    pub(crate) fn is_footnote(&self, label: &str) -> bool {
        label.bytes().all(|byte| byte.is_ascii_digit()) || self.footnotes.contains(label)
    }

    /// Whether a label that was unknown, as [`unknown_footnote`] or as a link's, is known now.
    pub(crate) fn knows(&self, label: &str) -> bool {
        match label.strip_prefix('^') {
            Some(footnote) => self.is_footnote(footnote),
            None => self.address(label).is_some(),
        }
    }
}

/// The label under which a footnote that is not known is remembered.
pub(crate) fn unknown_footnote(label: &str) -> String {
    format!("^{label}")
}

/// The labels of footnotes that a text refers to.
pub(crate) fn footnote_labels(text: &str) -> impl Iterator<Item = &str> {
    text.split("[^").skip(1).filter_map(|after| {
        let (label, _) = after.split_once(']')?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        ((1..=40).contains(&label.len()) && label.bytes().all(plain)).then_some(label)
    })
}

fn folded(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{References, footnote_labels};

    #[test]
    fn the_first_definition_of_a_label_counts_whatever_its_case() {
        let mut references = References::default();
        references.learn("[A  b]: https://a.example/1");
        references.learn("[a B]: https://a.example/2\n\n[^note]: text");
        assert_eq!(references.address("a b"), Some("https://a.example/1"));
        assert!(references.knows("A b") && references.knows("^note"));
        assert!(!references.knows("c") && !references.knows("^other"));
    }

    #[test]
    fn only_plain_labels_are_footnotes() {
        let labels: Vec<&str> = footnote_labels("a[^1] b[^n-2]: [^] [^a b] [^*/] [^open").collect();
        assert_eq!(labels, ["1", "n-2"]);
    }
}
