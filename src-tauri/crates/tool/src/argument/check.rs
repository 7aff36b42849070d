//! Tells what of the arguments does not fit a tool's schema: all of it at once, each with its place
//! and what is wanted there, so that a model can mend it in one go.

use serde_json::{Map, Value};

use super::date::iso_date;
use super::schema::{
    DEEPEST, bound, choices, enumerated, is, is_date, kinds, properties, required,
};

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
    #[error("{place} must be {wanted}, not {found}{}", meant(near.as_ref()))]
    Value {
        /// Where.
        place: String,
        /// What it must be.
        wanted: String,
        /// What it is, or the start of it.
        found: String,
        /// The value allowed that may be meant.
        near: Option<String>,
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
            None => match schema.get("additionalProperties") {
                Some(Value::Bool(false)) => found.push(Misfit::Unknown {
                    place: below(place, name),
                    instead: instead_of(name, known),
                }),
                Some(other) => check(value, other, &below(place, name), depth + 1, found),
                None => {}
            },
        }
    }
}

fn check(value: &Value, schema: &Value, place: &str, depth: usize, found: &mut Vec<Misfit>) {
    if depth > DEEPEST {
        return;
    }
    let wanted = match choices(schema) {
        Some(choices) => match among(choices, value, place, depth) {
            Some(faults) => return found.extend(faults),
            None => Some(wanted_of(schema)),
        },
        None => kind_of_misfit(value, schema).or_else(|| beyond(value, schema)),
    };
    if let Some(wanted) = wanted {
        found.push(Misfit::Value {
            place: if place.is_empty() { "it" } else { place }.to_owned(),
            wanted,
            found: quoted(value),
            near: near(value, schema),
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

/// The faults of a value by the choice that is meant: one that it fits, or the one alone of its kind.
fn among(choices: &[Value], value: &Value, place: &str, depth: usize) -> Option<Vec<Misfit>> {
    let mut alike = Vec::new();
    for choice in choices {
        let mut faults = Vec::new();
        check(value, choice, place, depth + 1, &mut faults);
        if faults.is_empty() {
            return Some(faults);
        }
        if kinds(choice).iter().any(|kind| is(value, kind)) {
            alike.push(faults);
        }
    }
    alike.pop().filter(|_| alike.is_empty())
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
    let (size, bounds, unit) = match value {
        Value::Number(number) => (number.as_f64()?, ["minimum", "maximum"], None),
        Value::String(text) => {
            let length = text.chars().count();
            (
                length as f64,
                ["minLength", "maxLength"],
                Some("characters"),
            )
        }
        Value::Array(elements) => {
            let length = elements.len();
            (length as f64, ["minItems", "maxItems"], Some("entries"))
        }
        _ => return None,
    };
    let [least, most] = bounds.map(|name| bound(schema, name));
    let sized = |how: &str, bound: f64| match unit {
        Some(unit) => format!("{how} {bound} {unit} long"),
        None => format!("{how} {bound}"),
    };
    match (least, most) {
        (Some(1.0), _) if size < 1.0 && value.is_string() => {
            Some("a text that is not empty".to_owned())
        }
        (Some(1.0), _) if size < 1.0 && value.is_array() => {
            Some("a list that is not empty".to_owned())
        }
        (Some(least), _) if size < least => Some(sized("at least", least)),
        (_, Some(most)) if size > most => Some(sized("at most", most)),
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
    match nearest(name, known.keys().map(String::as_str)) {
        Some(nearest) => format!("did you mean {nearest}?"),
        None if known.is_empty() => "it takes none".to_owned(),
        None => {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            format!("there are {}", names.join(", "))
        }
    }
}

/// The one of the values allowed that may be meant by a text.
fn near(value: &Value, schema: &Value) -> Option<String> {
    let of_choices = choices(schema).into_iter().flatten();
    let known = std::iter::once(schema).chain(of_choices);
    let known = known.filter_map(enumerated).flatten();
    nearest(value.as_str()?, known.filter_map(Value::as_str)).map(str::to_owned)
}

fn nearest<'known>(text: &str, known: impl Iterator<Item = &'known str>) -> Option<&'known str> {
    let text = text.to_lowercase();
    let likeness = |other: &str| strsim::jaro_winkler(&text, &other.to_lowercase());
    let alike = known.map(|other| (likeness(other), other));
    let alike = alike.filter(|(likeness, _)| *likeness >= ALIKE);
    let nearest = alike.max_by(|(one, _), (other, _)| one.total_cmp(other));
    nearest.map(|(_, nearest)| nearest)
}

fn meant(near: Option<&String>) -> String {
    near.map_or_else(String::new, |near| format!(" (did you mean {near:?}?)"))
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
mod tests;
