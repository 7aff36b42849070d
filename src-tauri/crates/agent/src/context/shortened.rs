//! What is left of an item when there is not room for all of it.

use std::borrow::Cow;

use serde_json::Value;
use talaria_domain::{Item, ItemContent};

use crate::Estimate;
use crate::port::TokenCounter;

/// A text of a step that is left out keeps its beginning, in characters.
const HEAD: usize = 160;
/// A shorter text stays: leaving it out would save nothing.
const SHORT: usize = 320;

/// Where the words begin that a turn ended with.
pub(super) fn conclusion(items: &[Item]) -> usize {
    items
        .iter()
        .rposition(|item| matches!(item.content, ItemContent::ToolCall { .. }))
        .map_or(0, |last| last + 1)
}

/// A step without its long texts: what was done can still be told, and its call keeps its result.
pub(super) fn elided(item: &Item) -> Item {
    let mut item = item.clone();
    if let ItemContent::ToolCall { call, result, .. } = &mut item.content {
        elide_value(&mut call.arguments);
        if let Some(result) = result {
            elide(&mut result.text);
        }
    }
    item
}

/// A result of at most so many tokens, with its beginning and its end.
pub(super) fn capped(item: &Item, cap: u64) -> Cow<'_, Item> {
    let ItemContent::ToolCall {
        result: Some(result),
        ..
    } = &item.content
    else {
        return Cow::Borrowed(item);
    };
    let Some(short) = capped_text(&result.text, cap) else {
        return Cow::Borrowed(item);
    };
    let mut item = item.clone();
    if let ItemContent::ToolCall {
        result: Some(result),
        ..
    } = &mut item.content
    {
        result.text = short;
    }
    Cow::Owned(item)
}

fn elide_value(value: &mut Value) {
    match value {
        Value::String(text) => elide(text),
        Value::Array(values) => values.iter_mut().for_each(elide_value),
        Value::Object(fields) => fields.values_mut().for_each(elide_value),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn elide(text: &mut String) {
    let length = text.chars().count();
    if length > SHORT {
        let head: String = text.chars().take(HEAD).collect();
        *text = format!("{head}… [{length} characters, left out to make room]");
    }
}

/// The text with as much of its beginning and its end as so many tokens take; none if it fits.
fn capped_text(text: &str, cap: u64) -> Option<String> {
    // No tokenizer makes more tokens of a text than it has bytes.
    if u64::try_from(text.len()).is_ok_and(|bytes| bytes <= cap) {
        return None;
    }
    let tokens = Estimate.count(text);
    if tokens <= cap {
        return None;
    }
    let length = text.chars().count();
    let fits = u64::try_from(length)
        .unwrap_or(u64::MAX)
        .saturating_mul(cap)
        / tokens.max(1);
    let fits = usize::try_from(fits).unwrap_or(usize::MAX);
    let (head, left_out) = (fits - fits / 3, length.saturating_sub(fits));
    let beginning: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(head + left_out).collect();
    Some(format!(
        "{beginning}\n[… {left_out} characters left out …]\n{end}"
    ))
}

#[cfg(test)]
mod tests {
    use super::{capped_text, elide};
    use crate::estimated_tokens;

    #[test]
    fn a_text_that_is_capped_keeps_both_its_ends() {
        for (text, cap) in [
            ("字".repeat(5_000), 500),
            ("word ".repeat(5_000), 500),
            ("0123456789".repeat(1_000), 300),
        ] {
            let short = capped_text(&format!("BEGIN{text}END"), cap).expect("it is too long");
            assert!(short.starts_with("BEGIN") && short.ends_with("END"));
            assert!(
                estimated_tokens(&short) < cap + 40,
                "{}",
                estimated_tokens(&short)
            );
        }
    }

    #[test]
    fn a_text_that_fits_stays_as_it_is() {
        for text in ["", "short", "短"] {
            let mut same = text.to_owned();
            assert_eq!(capped_text(text, 100), None);
            elide(&mut same);
            assert_eq!(same, text);
        }
    }
}
