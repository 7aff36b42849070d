//! What of a span is written: without secrets, and bounded.

use std::sync::Arc;

use serde_json::Value;
use talaria_domain::Span;

/// Takes the secrets out of a text.
pub type Clean = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// A text in a span is cut to so many characters.
const LONGEST_TEXT: usize = 4_000;
/// A list in a span is cut to so many entries.
const MOST_ENTRIES: usize = 100;
/// What a search looks at is cut to so many bytes a span.
const LONGEST_WORDS: usize = 16 * 1024;
/// Stands where something was cut off.
const CUT: &str = " […]";

/// A span as it is kept.
pub(super) struct Kept {
    /// The span as JSON.
    pub(super) json: String,
    /// Its texts in lower case, for the search.
    pub(super) words: String,
}

impl Kept {
    /// None for a span that can't be written as JSON, which no span is.
    pub(super) fn of(span: &Span, clean: &Clean) -> Option<Self> {
        let mut value = serde_json::to_value(span).ok()?;
        // A body was asked for whole.
        let body = value
            .pointer_mut("/content/request/body")
            .map(Value::take)
            .map(|mut body| {
                scrub(&mut body, clean, usize::MAX);
                body
            });
        let mut words = String::new();
        if let Some(content) = value.get_mut("content") {
            // Cut only once the secrets are out: half a secret would not be known as one.
            scrub(content, clean, LONGEST_TEXT);
            gather(content, &mut words);
        }
        if let (Some(body), Some(place)) = (body, value.pointer_mut("/content/request/body")) {
            *place = body;
        }
        Some(Self {
            json: value.to_string(),
            words,
        })
    }
}

fn scrub(value: &mut Value, clean: &Clean, longest: usize) {
    match value {
        Value::String(text) => {
            let kept = clean(text);
            *text = match kept.char_indices().nth(longest) {
                Some((end, _)) => format!("{}{CUT}", kept.get(..end).unwrap_or_default()),
                None => kept,
            };
        }
        Value::Array(entries) => {
            if longest != usize::MAX && entries.len() > MOST_ENTRIES {
                entries.truncate(MOST_ENTRIES);
                entries.push(Value::from(CUT.trim()));
            }
            entries
                .iter_mut()
                .for_each(|entry| scrub(entry, clean, longest));
        }
        Value::Object(members) => {
            // A name can be a secret's place too: a map from keys to what they open.
            let cleaned = std::mem::take(members)
                .into_iter()
                .map(|(name, mut value)| {
                    scrub(&mut value, clean, longest);
                    (clean(&name), value)
                });
            *members = cleaned.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn gather(value: &Value, words: &mut String) {
    if words.len() > LONGEST_WORDS {
        return;
    }
    match value {
        Value::String(text) => {
            words.push_str(&text.to_lowercase());
            words.push('\n');
        }
        Value::Array(entries) => entries.iter().for_each(|entry| gather(entry, words)),
        Value::Object(members) => members.values().for_each(|value| gather(value, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::{CUT, Clean, gather, scrub};

    fn clean() -> Clean {
        Arc::new(|text| text.replace("sk-123", "[secret]"))
    }

    fn scrubbed(mut value: Value) -> Value {
        scrub(&mut value, &clean(), 10);
        value
    }

    #[test]
    fn a_secret_is_taken_out_of_values_and_names_at_any_depth() {
        let value = json!({"a": ["x sk-123", {"sk-123": 1}], "n": 5});
        assert_eq!(
            scrubbed(value),
            json!({"a": ["x [secret]", {"[secret]": 1}], "n": 5})
        );
    }

    #[test]
    fn a_secret_at_the_cut_leaves_no_half_of_itself() {
        let cut = scrubbed(json!("12345678sk-123"));
        assert!(!cut.to_string().contains("sk-"), "{cut}");
    }

    #[test]
    fn long_texts_are_cut_between_characters_and_long_lists_after_an_entry() {
        assert_eq!(
            scrubbed(json!("一二三四五六七八九十百")),
            json!(format!("一二三四五六七八九十{CUT}"))
        );
        let list = scrubbed(json!(vec![1; 500]));
        assert_eq!(list.as_array().map(Vec::len), Some(101));
    }

    #[test]
    fn the_words_are_all_texts_without_the_names_of_their_places() {
        let mut words = String::new();
        gather(
            &json!({"name": "Save_Note", "deep": [{"题": "雨"}]}),
            &mut words,
        );
        assert_eq!(words, "雨\nsave_note\n");
    }
}
