//! Tells what of the arguments does not fit a tool's schema: all of it at once, each with its place
//! and what is wanted there, so that a model can mend it in one go.

use serde_json::{Map, Value};

use super::date::iso_date;
use super::schema::{DEEPEST, choices, enumerated, is, is_date, kinds, properties, required};

/// More faults than these are only counted.
const TOLD: usize = 8;
/// How alike two names are that may be meant for each other, from 0 to 1.
const ALIKE: f64 = 0.8;
/// A value is quoted up to so many characters.
const QUOTED: usize = 60;

/// One thing that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Misfit {
    /// Something that must be there is not.
    #[error("{place} is missing; it must be {wanted}")]
    Missing {
        /// Which.
        place: String,
        /// What it must be.
        wanted: String,
    },
    /// Nothing has this name.
    #[error("{place} is not known; {instead}")]
    Unknown {
        /// Where, with the name.
        place: String,
        /// What may be meant, or what there is.
        instead: String,
    },
    /// A value is of another kind or beyond its bounds.
    #[error("{place} must be {wanted}, not {found}")]
    Value {
        /// Where.
        place: String,
        /// What it must be.
        wanted: String,
        /// What it is, or the start of it.
        found: String,
    },
}

/// All that does not fit, as one sentence; none where all fits.
pub(super) fn faults(arguments: &Map<String, Value>, schema: &Value) -> Option<String> {
    let mut found = Vec::new();
    members(arguments, schema, "", 0, &mut found);
    let more = found.len().saturating_sub(TOLD);
    let mut told: Vec<String> = found.iter().take(TOLD).map(Misfit::to_string).collect();
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    (!told.is_empty()).then(|| told.join("; "))
}

/// Whether a value fits.
pub(super) fn fits(value: &Value, schema: &Value, depth: usize) -> bool {
    let mut found = Vec::new();
    check(value, schema, "", depth, &mut found);
    found.is_empty()
}

fn members(
    object: &Map<String, Value>,
    schema: &Value,
    place: &str,
    depth: usize,
    found: &mut Vec<Misfit>,
) {
    let known = properties(schema);
    for name in required(schema).filter(|name| !object.contains_key(*name)) {
        let wanted = known.and_then(|known| known.get(name));
        found.push(Misfit::Missing {
            place: below(place, name),
            wanted: wanted.map_or_else(|| "given".to_owned(), wanted_of),
        });
    }
    let Some(known) = known else {
        return;
    };
    for (name, value) in object {
        match known.get(name) {
            Some(property) => check(value, property, &below(place, name), depth + 1, found),
            None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                found.push(Misfit::Unknown {
                    place: below(place, name),
                    instead: instead_of(name, known),
                });
            }
            None => {}
        }
    }
}

fn check(value: &Value, schema: &Value, place: &str, depth: usize, found: &mut Vec<Misfit>) {
    if depth > DEEPEST {
        return;
    }
    let wanted = match choices(schema) {
        Some(choices) if choices.iter().any(|choice| fits(value, choice, depth + 1)) => return,
        Some(_) => Some(wanted_of(schema)),
        None => kind_of_misfit(value, schema).or_else(|| beyond(value, schema)),
    };
    if let Some(wanted) = wanted {
        found.push(Misfit::Value {
            place: if place.is_empty() { "it" } else { place }.to_owned(),
            wanted,
            found: quoted(value),
        });
        return;
    }
    match (value, schema.get("items")) {
        (Value::Object(object), _) => members(object, schema, place, depth, found),
        (Value::Array(elements), Some(items)) => {
            for (at, element) in elements.iter().enumerate() {
                check(element, items, &format!("{place}[{at}]"), depth + 1, found);
            }
        }
        _ => {}
    }
}

/// What is wanted where a value is of another kind, none of the values allowed, or no day.
fn kind_of_misfit(value: &Value, schema: &Value) -> Option<String> {
    let kinds = kinds(schema);
    let is_other = !kinds.is_empty() && !kinds.iter().any(|kind| is(value, kind));
    let is_unlisted = enumerated(schema).is_some_and(|known| !known.contains(value));
    let is_no_day = is_date(schema)
        && value
            .as_str()
            .is_some_and(|text| iso_date(text).as_deref() != Some(text));
    (is_other || is_unlisted || is_no_day).then(|| wanted_of(schema))
}

/// What is wanted where a number is too small or large, or a text or list too short or long.
fn beyond(value: &Value, schema: &Value) -> Option<String> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let (size, least, most, unit) = match value {
        Value::Number(number) => (number.as_f64()?, bound("minimum"), bound("maximum"), ""),
        Value::String(text) => {
            let length = text.chars().count() as f64;
            (
                length,
                bound("minLength"),
                bound("maxLength"),
                " characters long",
            )
        }
        Value::Array(elements) => {
            let length = elements.len() as f64;
            (
                length,
                bound("minItems"),
                bound("maxItems"),
                " entries long",
            )
        }
        _ => return None,
    };
    match (least, most) {
        (Some(least), _) if size < least => Some(format!("at least {least}{unit}")),
        (_, Some(most)) if size > most => Some(format!("at most {most}{unit}")),
        _ => None,
    }
}

/// What a value must be, in words.
fn wanted_of(schema: &Value) -> String {
    if let Some(known) = enumerated(schema) {
        let known: Vec<String> = known.iter().map(Value::to_string).collect();
        return format!("one of {}", known.join(", "));
    }
    if let Some(choices) = choices(schema) {
        let choices: Vec<String> = choices.iter().map(wanted_of).collect();
        return choices.join(" or ");
    }
    match kinds(schema).as_slice() {
        _ if is_date(schema) => "a day such as 2026-05-01".to_owned(),
        [] => "as its schema says".to_owned(),
        kinds => format!("of type {}", kinds.join(" or ")),
    }
}

/// The name that may be meant, or all there are.
fn instead_of(name: &str, known: &Map<String, Value>) -> String {
    let likeness = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let nearest = known
        .keys()
        .map(|other| (likeness(other), other))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other));
    match nearest {
        Some((_, nearest)) => format!("did you mean {nearest}?"),
        None if known.is_empty() => "it takes none".to_owned(),
        None => {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            format!("there are {}", names.join(", "))
        }
    }
}

fn below(place: &str, name: &str) -> String {
    if place.is_empty() {
        name.to_owned()
    } else {
        format!("{place}.{name}")
    }
}

fn quoted(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::faults;

    fn told(schema: &Value, arguments: &Value) -> String {
        faults(arguments.as_object().unwrap(), schema).unwrap_or_default()
    }

    fn of_x(property: &Value, value: &Value) -> String {
        told(
            &json!({"properties": {"x": property}}),
            &json!({"x": value}),
        )
    }

    #[test]
    fn a_value_that_does_not_fit_is_told_with_its_place_and_what_is_wanted() {
        let integers = json!({"type": "array", "items": {"type": "integer"}});
        let nested = json!({"properties": {"a": {"properties": {"b": {"type": "boolean"}}}}});
        let long = "a".repeat(100);
        for (property, value, expected) in [
            (
                json!({"type": "integer"}),
                json!("many"),
                "x must be of type integer, not \"many\"",
            ),
            (
                json!({"type": "integer"}),
                json!(2.5),
                "x must be of type integer, not 2.5",
            ),
            (
                json!({"type": ["string", "null"]}),
                json!([]),
                "x must be of type string or null, not []",
            ),
            (
                json!({"enum": ["blue", 3]}),
                json!("red"),
                "x must be one of \"blue\", 3, not \"red\"",
            ),
            (
                integers.clone(),
                json!([1, "b"]),
                "x[1] must be of type integer, not \"b\"",
            ),
            (integers, json!([1, 2]), ""),
            (
                nested.clone(),
                json!({"a": {"b": "no"}}),
                "x.a.b must be of type boolean, not \"no\"",
            ),
            (nested, json!({"a": {"b": true}}), ""),
            (
                json!({"anyOf": [{"type": "integer"}, {"enum": ["all"]}]}),
                json!("some"),
                "x must be of type integer or one of \"all\", not \"some\"",
            ),
            (
                json!({"type": "string", "format": "date"}),
                json!("2026-05-01"),
                "",
            ),
            (
                json!({"type": "string", "format": "date"}),
                json!("May 1"),
                "x must be a day such as 2026-05-01, not \"May 1\"",
            ),
            (json!({"type": "integer", "minimum": 1}), json!(1), ""),
            (
                json!({"type": "integer", "minimum": 1}),
                json!(0),
                "x must be at least 1, not 0",
            ),
            (
                json!({"type": "number", "maximum": 0.5}),
                json!(0.6),
                "x must be at most 0.5, not 0.6",
            ),
            (
                json!({"minLength": 2}),
                json!("种"),
                "x must be at least 2 characters long, not \"种\"",
            ),
            (json!({"maxLength": 2}), json!("种豆"), ""),
            (
                json!({"minItems": 1}),
                json!([]),
                "x must be at least 1 entries long, not []",
            ),
            (
                json!({"maxItems": 1}),
                json!([1, 2]),
                "x must be at most 1 entries long, not [1,2]",
            ),
            (
                json!({"type": "integer"}),
                json!(long),
                &format!("x must be of type integer, not \"{}…", "a".repeat(59)),
            ),
            (json!({}), json!("anything"), ""),
        ] {
            assert_eq!(of_x(&property, &value), expected, "{property}");
        }
    }

    #[test]
    fn all_faults_are_told_at_once() {
        let schema = json!({
            "properties": {
                "path": {"type": "string"},
                "offset": {"type": "integer", "minimum": 1},
                "edits": {"items": {
                    "properties": {"old_text": {"type": "string"}, "new_text": {"type": "string"}},
                    "required": ["old_text", "new_text"],
                    "additionalProperties": false,
                }},
            },
            "required": ["path", "edits"],
            "additionalProperties": false,
        });
        let arguments = json!({
            "pth": "a.txt",
            "offset": 0,
            "edits": [{"old_text": "a", "new_text": "b"}, {"oldtext": "c", "new_text": 4}],
        });
        assert_eq!(
            told(&schema, &arguments),
            "path is missing; it must be of type string; \
             edits[1].old_text is missing; it must be of type string; \
             edits[1].new_text must be of type string, not 4; \
             edits[1].oldtext is not known; did you mean old_text?; \
             offset must be at least 1, not 0; \
             pth is not known; did you mean path?"
        );
    }

    #[test]
    fn a_name_that_nothing_is_like_is_answered_with_those_there_are() {
        let closed =
            |properties: Value| json!({"properties": properties, "additionalProperties": false});
        let arguments = json!({"recursive": true});
        for (schema, expected) in [
            (
                closed(json!({"text": {}, "path": {}})),
                "recursive is not known; there are path, text",
            ),
            (closed(json!({})), "recursive is not known; it takes none"),
            (json!({"properties": {"text": {}}}), ""),
            (json!({"type": "object"}), ""),
        ] {
            assert_eq!(told(&schema, &arguments), expected, "{schema}");
        }
    }

    #[test]
    fn faults_without_end_are_counted() {
        let schema = json!({"properties": {"x": {"items": {"type": "integer"}}}});
        let told = told(&schema, &json!({"x": vec!["a"; 30]}));
        assert!(
            told.ends_with("x[7] must be of type integer, not \"a\"; and 22 more"),
            "{told}"
        );
    }
}
