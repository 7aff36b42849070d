//! A tool's schema as its service takes it.
//!
//! Every service takes its own part of JSON Schema, and one schema it does not take fails every
//! request that carries it. So the writers of requests send what [`parameters`] makes of a
//! schema: references put in place, unions and types brought into the form the service knows, and
//! what it does not know told in the description, where the model still reads it. What a service
//! takes is data (`profiles.yaml`). The schema itself is never changed: calls are checked against
//! the original.

mod kind;
mod note;
mod reduction;
mod union;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::dialect::{Dialect, Quirk, is_within};

/// What a service takes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    /// Its name in the table.
    name: String,
    /// The ends of the names of the hosts it belongs to.
    hosts: Vec<String>,
    /// The keywords taken, beside `type`, `description`, `properties`, `required` and `items`.
    keywords: BTreeSet<String>,
    /// The values of `format` taken; all, if there are none but the keyword is taken.
    formats: BTreeSet<String>,
    /// How it is said that a value may be null.
    null: Null,
    /// Whether every schema must say its type.
    typed: bool,
    /// Whether `anyOf` must stand without other constraints beside it.
    lone_union: bool,
    /// Whether `enum` may hold texts only.
    text_enums: bool,
    /// The largest number of repetitions that may be demanded or allowed.
    most_repeats: Option<u64>,
    /// Whether the names of properties must be plain: letters, digits, `_`, `.` and `-`.
    ascii_names: bool,
    /// Whether a tool without parameters goes without a schema.
    leaves_out_empty: bool,
}

/// How a service is told that a value may be null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Null {
    /// In the description.
    #[default]
    Note,
    /// By `nullable`.
    Nullable,
    /// As one of several types.
    Type,
}

// A test holds that the file can be read; the program itself must start without it.
static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("schema/profiles.yaml")).unwrap_or_default()
});

/// The schema of a tool's arguments for a service: an object at the root, or nothing where a tool
/// without parameters must go without a schema.
pub(crate) fn parameters(schema: &Value, dialect: &Dialect) -> Option<Value> {
    static NONE: LazyLock<Profile> = LazyLock::new(Profile::default);
    let named = |name: &str| PROFILES.iter().find(|profile| profile.name == name);
    let profile = if dialect.has(Quirk::PlainSchemas) {
        named("plain")
    } else {
        let of_host = |profile: &&Profile| {
            let mut hosts = profile.hosts.iter();
            hosts.any(|known| is_within(dialect.host(), known))
        };
        PROFILES.iter().find(of_host).or_else(|| named("common"))
    };
    profile.unwrap_or(&NONE).reduce(schema)
}

/// The schema of a tool without parameters, where a schema is demanded.
pub(crate) fn empty() -> Value {
    json!({ "type": "object", "properties": {} })
}

impl Profile {
    /// The schema with nothing in it that this profile does not take.
    fn reduce(&self, schema: &Value) -> Option<Value> {
        let object = reduction::root(schema, self);
        let is_empty = object
            .get("properties")
            .and_then(Value::as_object)
            .is_none_or(serde_json::Map::is_empty);
        (!(is_empty && self.leaves_out_empty)).then_some(Value::Object(object))
    }

    fn takes(&self, keyword: &str) -> bool {
        self.keywords.contains(keyword)
    }
}

#[cfg(test)]
mod tests;
