//! A small service that takes a schema or says what is wrong with it.

use serde_json::{Map, Value};

use super::super::{Null, Profile};

/// What the service of this profile would say.
pub(super) fn faults(root: &Value, profile: &Profile) -> Vec<String> {
    let mut faults = Vec::new();
    let at_root = root.as_object().cloned().unwrap_or_default();
    if at_root.get("type") != Some(&Value::from("object")) {
        faults.push("the root is no object".to_owned());
    }
    if at_root.contains_key("anyOf") || at_root.contains_key("enum") {
        faults.push("the root is a union".to_owned());
    }
    if !at_root.contains_key("properties") {
        faults.push("the root names no properties".to_owned());
    }
    check(root, profile, &mut faults);
    faults
}

fn check(schema: &Value, profile: &Profile, faults: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else {
        faults.push(format!("{schema} is no object"));
        return;
    };
    let always = ["type", "description", "properties", "required", "items"];
    for keyword in schema.keys() {
        if !always.contains(&keyword.as_str()) && !profile.keywords.contains(keyword) {
            faults.push(format!("{keyword} is unknown"));
        }
    }
    check_type(schema, profile, faults);
    check_values(schema, profile, faults);
    check_names(schema, profile, faults);
    if profile.lone_union && schema.contains_key("anyOf") && schema.len() > 1 {
        faults.push("anyOf does not stand alone".to_owned());
    }
    let branches = schema.get("anyOf").and_then(Value::as_array);
    if branches.is_some_and(|branches| branches.len() < 2) {
        faults.push("a union of one".to_owned());
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let children = properties
        .into_iter()
        .flat_map(Map::values)
        .chain(branches.into_iter().flatten())
        .chain(schema.get("items"))
        .chain(
            schema
                .get("additionalProperties")
                .filter(|value| !value.is_boolean()),
        );
    for child in children {
        check(child, profile, faults);
    }
}

fn check_type(schema: &Map<String, Value>, profile: &Profile, faults: &mut Vec<String>) {
    let is = |name: &str| match schema.get("type") {
        Some(Value::String(found)) => found == name,
        Some(Value::Array(found)) => found.iter().any(|found| found == name),
        _ => false,
    };
    match schema.get("type") {
        None if profile.typed && !schema.contains_key("anyOf") => faults.push("no type".to_owned()),
        Some(Value::Array(_)) if profile.null != Null::Type => {
            faults.push("a list of types".to_owned());
        }
        _ => {}
    }
    if is("array") && !schema.contains_key("items") {
        faults.push("an array without items".to_owned());
    }
    if profile.text_enums && schema.contains_key("enum") && !is("string") {
        faults.push("values that are no texts".to_owned());
    }
}

fn check_values(schema: &Map<String, Value>, profile: &Profile, faults: &mut Vec<String>) {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        if values.is_empty() {
            faults.push("no values".to_owned());
        }
        let text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
        if profile.text_enums && !values.iter().all(text) {
            faults.push("an empty value, or one that is no text".to_owned());
        }
    }
    if let Some(format) = schema.get("format").and_then(Value::as_str)
        && !profile.formats.is_empty()
        && !profile.formats.contains(format)
    {
        faults.push(format!("the format {format}"));
    }
    for keyword in ["minLength", "maxLength", "minItems", "maxItems"] {
        let count = schema.get(keyword).and_then(Value::as_u64);
        if count
            .zip(profile.most_repeats)
            .is_some_and(|(count, most)| count > most)
        {
            faults.push(format!("{keyword} is too large"));
        }
    }
}

fn check_names(schema: &Map<String, Value>, profile: &Profile, faults: &mut Vec<String>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let known = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        properties.is_some_and(|properties| properties.contains_key(name))
    };
    let required = schema.get("required").and_then(Value::as_array);
    if required.is_some_and(|names| names.is_empty() || !names.iter().all(known)) {
        faults.push("required names nothing, or what is not there".to_owned());
    }
    let plain = |name: &String| name.is_ascii() && !name.is_empty() && name.len() <= 64;
    if profile.ascii_names && !properties.is_none_or(|properties| properties.keys().all(plain)) {
        faults.push("a name that is not plain".to_owned());
    }
}
