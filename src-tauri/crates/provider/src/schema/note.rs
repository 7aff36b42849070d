//! Constraints in words, for services that do not take them as such.

use serde_json::{Map, Value};

/// The longest constraint that is told, in characters.
const LONGEST: usize = 200;

/// Keywords that say nothing to a model that fills in arguments.
const SILENT: &[&str] = &[
    "$schema",
    "$id",
    "$anchor",
    "$comment",
    "$defs",
    "$vocabulary",
    "definitions",
    "title",
    "id",
    "readOnly",
    "writeOnly",
    "deprecated",
    "strict",
];

/// Adds a sentence to the description of a schema, once.
pub(super) fn add(schema: &mut Map<String, Value>, sentence: &str) {
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(before) if before.contains(sentence) => return,
        Some(before) if !before.trim().is_empty() => format!("{} {sentence}", before.trim_end()),
        _ => sentence.to_owned(),
    };
    schema.insert("description".to_owned(), Value::String(description));
}

/// Says in words what `keyword` demands.
pub(super) fn tell(schema: &mut Map<String, Value>, keyword: &str, value: &Value) {
    if SILENT.contains(&keyword) || keyword.starts_with("x-") {
        return;
    }
    let shown = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let shown = match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", shown.get(..end).unwrap_or_default()),
        None => shown,
    };
    let sentence = match (keyword, value) {
        ("additionalProperties", Value::Bool(false)) => "No other properties.".to_owned(),
        ("additionalProperties", Value::Bool(true)) => return,
        ("enum", Value::Array(values)) => {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            format!("One of: {}.", values.join(", "))
        }
        ("minimum", _) => format!("At least {shown}."),
        ("maximum", _) => format!("At most {shown}."),
        ("exclusiveMinimum", _) => format!("More than {shown}."),
        ("exclusiveMaximum", _) => format!("Less than {shown}."),
        ("default", _) => format!("Default: {shown}."),
        ("format", _) => format!("Format: {shown}."),
        ("pattern", _) => format!("Pattern: {shown}"),
        ("not", _) => format!("Not: {shown}."),
        _ => format!("{keyword}: {shown}."),
    };
    add(schema, &sentence);
}
