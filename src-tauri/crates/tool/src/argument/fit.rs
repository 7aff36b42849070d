//! Brings arguments into the form that a tool's schema asks for, where that changes no meaning.
//!
//! A number written as text becomes a number, one value where a list is wanted becomes a list, a
//! list written as text is read, a date is written as ISO 8601 writes it, blanks around words go.
//! A property marked `x-raw` (the text of a file, say) is left as it is. What does not fit then is
//! told by `check`.

use serde_json::{Map, Number, Value};

use super::check;
use super::date::iso_date;
use super::repair;
use super::schema::{
    DEEPEST, choices, enumerated, is, is_also, is_date, is_raw, kinds, properties, required, takes,
};

/// The arguments as the schema wants them, as far as they can be brought there.
pub(super) fn object(arguments: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    members(arguments, schema, 0)
}

fn members(object: Map<String, Value>, schema: &Value, depth: usize) -> Map<String, Value> {
    let Some(properties) = properties(schema) else {
        return object;
    };
    let given: Vec<String> = object.keys().cloned().collect();
    let mut fitted = Map::new();
    for (name, value) in object {
        let name = meant(name, properties, &given);
        let Some(property) = properties.get(&name) else {
            fitted.insert(name, value);
            continue;
        };
        // Nothing, for what may be left out, means that it is left out.
        let is_required = required(schema).any(|known| known == name);
        if !is_required && is_nothing(&value, property) {
            continue;
        }
        fitted.insert(name, value_as(value, property, depth + 1));
    }
    fitted
}

/// Whether a value says nothing, where nothing is none of the values that are taken.
fn is_nothing(value: &Value, schema: &Value) -> bool {
    match value {
        Value::Null => !takes(schema, "null"),
        Value::String(text) => {
            let is_word = takes(schema, "string") || choices(schema).is_some();
            text.trim().is_empty() && !is_word
        }
        _ => false,
    }
}

/// The property's name, where a name differs from it only in its case and how its words are joined,
/// or is one that the property goes by as well.
fn meant(name: String, properties: &Map<String, Value>, given: &[String]) -> String {
    if properties.contains_key(&name) {
        return name;
    }
    let joined = |name: &str| name.replace(['_', '-', ' '], "").to_lowercase();
    let wanted = joined(&name);
    let mut alike = properties
        .iter()
        .filter(|(known, schema)| joined(known) == wanted || is_also(schema, &name));
    match (alike.next(), alike.next()) {
        (Some((known, _)), None) if !given.contains(known) => known.clone(),
        _ => name,
    }
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
    let fits = |value: &Value, choice: &Value| check::fits(value, choice, depth + 1);
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

/// A text without blanks around it; a date in the form that its format asks for.
fn words(text: &str, schema: &Value) -> String {
    let text = text.trim();
    let date = is_date(schema).then(|| iso_date(text)).flatten();
    date.unwrap_or_else(|| text.to_owned())
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
        check::fits(&element, items, 0)
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

#[cfg(test)]
mod tests;
