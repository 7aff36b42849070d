//! What a JSON Schema says of one value, as far as the tools' schemas say anything.

use serde_json::{Map, Value};

/// Schemas refer to themselves only so deep.
pub(super) const DEEPEST: usize = 64;

/// The schemas of an object's members.
pub(super) fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

/// The names that must be there.
pub(super) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str)
}

/// The schemas of which a value fits one.
pub(super) fn choices(schema: &Value) -> Option<&[Value]> {
    let choices = ["anyOf", "oneOf"]
        .iter()
        .find_map(|member| schema.get(*member)?.as_array())?;
    Some(choices)
}

/// The values of which it is one.
pub(super) fn enumerated(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("enum").and_then(Value::as_array)
}

/// A bound such as `minimum`. Behind `x-` it is held to as well, and not told to the model, where it
/// goes without saying: each word of a schema is paid for with every request.
pub(super) fn bound(schema: &Value, name: &str) -> Option<f64> {
    let ours = || schema.get(format!("x-{name}"));
    schema.get(name).or_else(ours)?.as_f64()
}

/// Whether a text is a day.
pub(super) fn is_date(schema: &Value) -> bool {
    schema.get("format").and_then(Value::as_str) == Some("date")
}

/// Whether a text is left as it is, down to its blanks.
pub(super) fn is_raw(schema: &Value) -> bool {
    schema.get("x-raw") == Some(&Value::Bool(true))
}

/// Whether a property is meant by this name too, though it has another.
pub(super) fn is_also(schema: &Value, name: &str) -> bool {
    let names = schema.get("x-also").and_then(Value::as_array);
    names.is_some_and(|names| names.iter().any(|other| other == name))
}

/// A schema without what is said to us alone: `x-raw`, `x-also`, bounds.
pub(crate) fn without_asides(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !name.starts_with("x-"))
            .map(|(name, value)| (name.clone(), without_asides(value)))
            .collect(),
        Value::Array(elements) => elements.iter().map(without_asides).collect(),
        other => other.clone(),
    }
}

/// The kinds of value that are taken; none takes any.
pub(super) fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a kind of value is taken.
pub(super) fn takes(schema: &Value, kind: &str) -> bool {
    let kinds = kinds(schema);
    kinds.is_empty() || kinds.contains(&kind)
}

/// Whether a value is of a kind.
pub(super) fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        // A kind that JSON Schema does not know asks for nothing.
        _ => true,
    }
}
