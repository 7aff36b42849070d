//! Brings arguments into the form that a tool's schema asks for, where that changes no meaning.
//!
//! A number written as text becomes a number, one value where a list is wanted becomes a list, a
//! list written as text is read, a date is written as ISO 8601 writes it, blanks around words go.
//! A property marked `x-raw` (the text of a file, say) is left as it is. What does not fit then is
//! told with its place and what is wanted there.

use serde_json::{Map, Number, Value};

use super::repair;

/// Schemas refer to themselves only so deep.
const DEEPEST: usize = 64;

/// What does not fit, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place} must be {wanted}, not {found}")]
pub(super) struct Misfit {
    place: String,
    wanted: String,
    found: String,
}

/// The arguments as the schema wants them, as far as they can be brought there.
pub(super) fn object(arguments: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    members(arguments, schema, 0)
}

/// The first argument that does not fit the schema.
pub(super) fn check(arguments: &Map<String, Value>, schema: &Value) -> Result<(), Misfit> {
    check_members(arguments, schema, "", 0)
}

fn members(object: Map<String, Value>, schema: &Value, depth: usize) -> Map<String, Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let must_be =
        |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    let mut fitted = Map::new();
    for (name, value) in object {
        let Some(property) = properties.and_then(|properties| properties.get(&name)) else {
            fitted.insert(name, value);
            continue;
        };
        // Nothing, for what may be left out, means that it is left out.
        if value.is_null() && !must_be(&name) && !takes(property, "null") {
            continue;
        }
        fitted.insert(name, value_as(value, property, depth + 1));
    }
    fitted
}

fn value_as(value: Value, schema: &Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return value;
    }
    if let Some(choices) = choices(schema) {
        return one_of(value, choices, depth);
    }
    let kinds = kinds(schema);
    let fits = kinds.is_empty() || kinds.iter().any(|kind| is(&value, kind));
    let value = if fits {
        value
    } else {
        let mut turned = kinds.iter().filter_map(|kind| turned(&value, kind, schema));
        turned.next().unwrap_or_else(|| value.clone())
    };
    within_enum(inner(value, schema, depth), schema)
}

/// As the first choice that the value fits as it is, else the first that it can be made to fit.
fn one_of(value: Value, choices: &[Value], depth: usize) -> Value {
    let fits = |value: &Value, choice: &Value| check_value(value, choice, "", depth + 1).is_ok();
    if choices.iter().any(|choice| fits(&value, choice)) {
        return value;
    }
    let mut made = choices
        .iter()
        .map(|choice| (value_as(value.clone(), choice, depth + 1), choice));
    match made.find(|(made, choice)| fits(made, choice)) {
        Some((made, _)) => made,
        None => value,
    }
}

fn inner(value: Value, schema: &Value, depth: usize) -> Value {
    match value {
        Value::Object(object) => Value::Object(members(object, schema, depth)),
        Value::Array(elements) => match schema.get("items") {
            Some(items) => elements
                .into_iter()
                .map(|element| value_as(element, items, depth + 1))
                .collect(),
            None => Value::Array(elements),
        },
        Value::String(text) if !is_raw(schema) => Value::String(words(&text, schema)),
        other => other,
    }
}

fn is_raw(schema: &Value) -> bool {
    schema.get("x-raw") == Some(&Value::Bool(true))
}

fn check_members(
    object: &Map<String, Value>,
    schema: &Value,
    place: &str,
    depth: usize,
) -> Result<(), Misfit> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Ok(());
    };
    for (name, value) in object {
        if let Some(property) = properties.get(name) {
            let place = if place.is_empty() {
                name.clone()
            } else {
                format!("{place}.{name}")
            };
            check_value(value, property, &place, depth + 1)?;
        }
    }
    Ok(())
}

fn check_value(value: &Value, schema: &Value, place: &str, depth: usize) -> Result<(), Misfit> {
    if depth > DEEPEST {
        return Ok(());
    }
    let misfit = || Err(misfit(place, schema, value));
    if let Some(choices) = choices(schema) {
        let fits = |choice| check_value(value, choice, place, depth + 1).is_ok();
        return if choices.iter().any(fits) {
            Ok(())
        } else {
            misfit()
        };
    }
    let kinds = kinds(schema);
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(value, kind)) {
        return misfit();
    }
    if enumerated(schema).is_some_and(|known| !known.contains(value)) {
        return misfit();
    }
    match (value, schema.get("items")) {
        (Value::Object(object), _) => check_members(object, schema, place, depth),
        (Value::Array(elements), Some(items)) => {
            let mut elements = elements.iter().enumerate();
            elements.try_for_each(|(at, element)| {
                check_value(element, items, &format!("{place}[{at}]"), depth + 1)
            })
        }
        _ => Ok(()),
    }
}

fn choices(schema: &Value) -> Option<&[Value]> {
    let choices = ["anyOf", "oneOf"]
        .iter()
        .find_map(|member| schema.get(*member)?.as_array())?;
    Some(choices)
}

fn enumerated(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("enum").and_then(Value::as_array)
}

/// A text without blanks around it; a date in the form that its format asks for.
fn words(text: &str, schema: &Value) -> String {
    let text = text.trim();
    match schema.get("format").and_then(Value::as_str) {
        Some("date") => date(text).unwrap_or_else(|| text.to_owned()),
        _ => text.to_owned(),
    }
}

/// A day as ISO 8601 writes it, from the forms that leave no doubt: the year comes first.
fn date(text: &str) -> Option<String> {
    let text = text.strip_suffix(['日', '号']).unwrap_or(text);
    let mut parts = text.split(['年', '月', '/', '.', '-']).map(str::trim);
    let mut part = |digits: std::ops::RangeInclusive<usize>| {
        let part = parts.next()?;
        digits
            .contains(&part.len())
            .then(|| part.parse::<u32>().ok())?
    };
    let (year, month, day) = (part(4..=4)?, part(1..=2)?, part(1..=2)?);
    let fits = (1..=12).contains(&month) && (1..=31).contains(&day) && parts.next().is_none();
    fits.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// The one of the values allowed that differs only in its case, if there is just one.
fn within_enum(value: Value, schema: &Value) -> Value {
    let (Some(known), Value::String(text)) = (enumerated(schema), &value) else {
        return value;
    };
    if known.contains(&value) {
        return value;
    }
    let wanted = text.to_lowercase();
    let mut close = known.iter().filter(|choice| {
        choice
            .as_str()
            .is_some_and(|choice| choice.to_lowercase() == wanted)
    });
    match (close.next(), close.next()) {
        (Some(choice), None) => choice.clone(),
        _ => value,
    }
}

/// The value as another kind, if it means the same.
fn turned(value: &Value, kind: &str, schema: &Value) -> Option<Value> {
    match (kind, value) {
        ("integer", Value::String(text)) => whole(&text.trim().parse::<Number>().ok()?),
        ("integer", Value::Number(number)) => whole(number),
        ("number", Value::String(text)) => text.trim().parse::<Number>().ok().map(Value::Number),
        ("boolean", Value::String(text)) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "是" => Some(Value::Bool(true)),
            "false" | "no" | "否" => Some(Value::Bool(false)),
            _ => None,
        },
        ("string", Value::Number(number)) => Some(Value::String(number.to_string())),
        ("string", Value::Bool(truth)) => Some(Value::String(truth.to_string())),
        ("array", Value::String(text)) => {
            let listed = repair::value(text).ok().filter(Value::is_array);
            listed.or_else(|| alone(value, schema))
        }
        ("array", Value::Null) => None,
        ("array", _) => alone(value, schema),
        ("object", Value::String(text)) => repair::object(text).ok().map(Value::Object),
        _ => None,
    }
}

/// One value as a list of one, if it could be an element.
fn alone(value: &Value, schema: &Value) -> Option<Value> {
    let fits = schema.get("items").is_none_or(|items| {
        let element = value_as(value.clone(), items, 0);
        check_value(&element, items, "", 0).is_ok()
    });
    fits.then(|| Value::Array(vec![value.clone()]))
}

fn whole(number: &Number) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(Value::Number(number.clone()));
    }
    let float = number.as_f64()?;
    let text = format!("{float:.0}");
    (float.fract() == 0.0)
        .then(|| text.parse::<i64>().ok().map(Value::from))
        .flatten()
}

fn kinds(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind.as_str()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn takes(schema: &Value, kind: &str) -> bool {
    let kinds = kinds(schema);
    kinds.is_empty() || kinds.contains(&kind)
}

fn is(value: &Value, kind: &str) -> bool {
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

fn misfit(place: &str, schema: &Value, value: &Value) -> Misfit {
    let wanted = match enumerated(schema) {
        Some(choices) => {
            let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
            format!("one of {}", choices.join(", "))
        }
        None => match kinds(schema).as_slice() {
            [] => "as its schema says".to_owned(),
            kinds => format!("of type {}", kinds.join(" or ")),
        },
    };
    Misfit {
        place: if place.is_empty() { "it" } else { place }.to_owned(),
        wanted,
        found: value.to_string().chars().take(60).collect(),
    }
}

#[cfg(test)]
mod tests;
