//! The types that a schema names or means, and null among them.

use serde_json::{Value, json};

use super::reduction::Schema;

/// The keywords that say something about one type only.
const OF_TYPE: [(&str, &[&str]); 5] = [
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
        ],
    ),
    (
        "array",
        &[
            "items",
            "prefixItems",
            "additionalItems",
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
        ],
    ),
    ("string", &["minLength", "maxLength", "pattern", "format"]),
    (
        "number",
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
    (
        "integer",
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
];

/// The type that the constraints of a schema without one are about.
pub(super) fn type_meant(gathered: &Schema) -> Option<&'static str> {
    OF_TYPE
        .iter()
        .find(|(_, keywords)| {
            keywords
                .iter()
                .any(|keyword| gathered.contains_key(*keyword))
        })
        .map(|(name, _)| *name)
}

/// Whether a keyword says something about this type.
pub(super) fn is_about(keyword: &str, name: &str) -> bool {
    OF_TYPE
        .iter()
        .any(|(of, keywords)| *of == name && keywords.contains(&keyword))
}

/// The types a schema names, without null, each once.
pub(super) fn take_types(gathered: &mut Schema, nullable: &mut bool) -> Vec<String> {
    let named = match gathered.remove("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names
            .into_iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    };
    let mut types: Vec<String> = Vec::new();
    for name in named {
        match type_name(&name) {
            Some("null") => *nullable = true,
            Some(name) if !types.iter().any(|known| known == name) => types.push(name.to_owned()),
            _ => {}
        }
    }
    types
}

/// A type by its proper name; servers written in other languages use their own.
fn type_name(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "str" => "string",
        "number" | "float" | "double" => "number",
        "integer" | "int" | "long" => "integer",
        "boolean" | "bool" => "boolean",
        "object" | "dict" => "object",
        "array" | "list" => "array",
        "null" | "none" => "null",
        _ => return None,
    })
}

/// Adds the type of values that have one in common.
pub(super) fn infer_type_of_values(values: &Value, out: &mut Schema) {
    let kind = |value: &Value| match value {
        Value::String(_) => Some("string"),
        Value::Number(_) => Some("number"),
        Value::Bool(_) => Some("boolean"),
        _ => None,
    };
    let mut kinds = values.as_array().into_iter().flatten().map(kind);
    let first = kinds.next().flatten();
    if let Some(first) = first.filter(|first| kinds.all(|kind| kind == Some(*first))) {
        out.entry("type").or_insert_with(|| json!(first));
    }
}

/// Whether a part of what is written allows null, so that the rest must allow it too.
pub(super) fn says_null(out: &Schema) -> bool {
    let null_type = json!({ "type": "null" });
    [
        ("type", &json!("null")),
        ("enum", &Value::Null),
        ("anyOf", &null_type),
    ]
    .iter()
    .any(|(keyword, null)| {
        let values = out.get(*keyword).and_then(Value::as_array);
        values.is_some_and(|values| values.contains(null))
    })
}

/// Lets every part of what is written allow null.
pub(super) fn allow_null(out: &mut Schema) {
    let null_type = json!({ "type": "null" });
    for (keyword, null) in [("anyOf", &null_type), ("enum", &Value::Null)] {
        if let Some(Value::Array(values)) = out.get_mut(keyword)
            && !values.contains(null)
        {
            values.push(null.clone());
        }
    }
    match out.get_mut("type") {
        Some(Value::Array(types)) if types.iter().any(|name| name == "null") => {}
        Some(Value::Array(types)) => types.push(json!("null")),
        Some(known) => *known = json!([known.take(), "null"]),
        None => {}
    }
}
