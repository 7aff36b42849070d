//! The tools that a request offered, and whether arguments fit one.
//!
//! A printed call is only believed when it names one of them and its arguments fit. The check
//! knows the parts of JSON Schema that tools use: type, properties, required, enum, const, items,
//! closed objects, alternatives and references. What it doesn't know it lets pass; the tool itself
//! has the last word. Values are brought to the type that is asked for where that can't change
//! what is meant, as a model that writes XML or Python can't tell `"3"` from `3`.

use serde_json::{Map, Number, Value};
use talaria_domain::{Message, ModelRequest, ToolSpec};

/// How deep references may lead before a schema counts as one that refers to itself.
const DEEPEST: usize = 32;

/// What a request gave the model: tools, and texts that it may quote.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    tools: Vec<Offered>,
    given: Vec<String>,
}

/// One tool.
#[derive(Debug)]
pub(super) struct Offered {
    pub(super) name: String,
    schema: Value,
}

impl Offer {
    /// What this request gives the model.
    pub(crate) fn of(request: &ModelRequest) -> Self {
        if request.tools.is_empty() {
            return Self::default();
        }
        let offered = |tool: &ToolSpec| Offered {
            name: tool.name.clone(),
            schema: tool.parameters.clone(),
        };
        Self {
            tools: request.tools.iter().map(offered).collect(),
            given: request.messages.iter().filter_map(words).collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// Tells which texts the model was given to read, white space aside. When it prints such a
    /// text it repeats what somebody else wrote, who may have written it for just that.
    pub(super) fn was_given(&self) -> impl Fn(&str) -> bool {
        let given: Vec<String> = self.given.iter().map(|text| squeezed(text)).collect();
        move |text| {
            let text = squeezed(text);
            given.iter().any(|given| given.contains(&text))
        }
    }

    /// The tool of this name. Some models write the namespace of functions before it, and some
    /// a `.call` behind it.
    pub(super) fn named(&self, name: &str) -> Option<&Offered> {
        let exact = |name: &str| self.tools.iter().find(|tool| tool.name == name);
        exact(name).or_else(|| {
            let bare = name.strip_prefix(NAMESPACE).unwrap_or(name);
            exact(bare.strip_suffix(".call").unwrap_or(bare))
        })
    }

    /// Whether the name of a tool begins so.
    pub(super) fn has_beginning(&self, start: &str) -> bool {
        let bare = start.strip_prefix(NAMESPACE).unwrap_or(start);
        NAMESPACE.starts_with(start)
            || self.tools.iter().any(|tool| {
                tool.name.starts_with(bare)
                    || bare
                        .strip_prefix(tool.name.as_str())
                        .is_some_and(|rest| ".call".starts_with(rest))
            })
    }
}

const NAMESPACE: &str = "functions.";

/// What others than the model said.
fn words(message: &Message) -> Option<String> {
    match message {
        Message::User { text, .. } | Message::Tool { text, .. } => Some(text.clone()),
        Message::System { .. } | Message::Assistant { .. } => None,
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

impl Offered {
    /// The arguments as the tool wants them, if they fit.
    pub(super) fn fit(&self, arguments: Map<String, Value>) -> Option<Value> {
        self.check().fit(&self.schema, Value::Object(arguments), 0)
    }

    /// The value that a text means as the argument `key`.
    pub(super) fn value(&self, key: &str, text: &str) -> Value {
        let check = self.check();
        let schema = check.resolve(&self.schema, 0);
        let wanted = schema.and_then(|schema| schema.get("properties")?.get(key));
        match (wanted, serde_json::from_str::<Value>(text.trim())) {
            (Some(schema), Ok(Value::Null)) if check.allows(schema, "null", 0) => Value::Null,
            (Some(schema), Ok(value)) if !check.allows(schema, "string", 0) => value,
            _ => Value::String(text.to_owned()),
        }
    }

    fn check(&self) -> Check<'_> {
        Check { root: &self.schema }
    }
}

/// A check against one schema, whose references point into `root`.
struct Check<'a> {
    root: &'a Value,
}

impl<'a> Check<'a> {
    /// The schema that is meant; none if references lead nowhere.
    fn resolve(&self, schema: &'a Value, depth: usize) -> Option<&'a Value> {
        match schema.get("$ref").and_then(Value::as_str) {
            None => Some(schema),
            Some(_) if depth > DEEPEST => None,
            Some(place) => self.resolve(self.root.pointer(place.strip_prefix('#')?)?, depth + 1),
        }
    }

    /// Whether a value of this type can fit.
    fn allows(&self, schema: &'a Value, kind: &str, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        let Some(schema) = self.resolve(schema, depth) else {
            return true;
        };
        if let Some(some) = alternatives(schema) {
            return some.iter().any(|one| self.allows(one, kind, depth + 1));
        }
        if kind == "null" && schema.get("nullable") == Some(&Value::Bool(true)) {
            return true;
        }
        match types(schema) {
            // Without a type the values that are listed tell.
            None => schema
                .get("enum")
                .and_then(Value::as_array)
                .is_none_or(|listed| listed.iter().any(|value| kind_of(value) == kind)),
            Some(types) => types.contains(&kind),
        }
    }

    fn fit(&self, schema: &'a Value, value: Value, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let Some(schema) = self.resolve(schema, depth) else {
            return Some(value);
        };
        if let Some(some) = alternatives(schema) {
            return some
                .iter()
                .find_map(|one| self.fit(one, value.clone(), depth + 1));
        }
        if value.is_null() && self.allows(schema, "null", depth) {
            return Some(value);
        }
        let value = match types(schema) {
            Some(types) => typed(&types, value)?,
            None => value,
        };
        let value = match value {
            Value::Object(object) => Value::Object(self.fit_object(schema, object, depth)?),
            Value::Array(items) => match schema.get("items").filter(|items| items.is_object()) {
                Some(item) => items
                    .into_iter()
                    .map(|value| self.fit(item, value, depth + 1))
                    .collect::<Option<_>>()?,
                None => Value::Array(items),
            },
            plain => plain,
        };
        let listed = schema.get("enum").and_then(Value::as_array);
        let is_listed = listed.is_none_or(|listed| listed.contains(&value));
        let is_const = schema.get("const").is_none_or(|only| *only == value);
        (is_listed && is_const).then_some(value)
    }

    fn fit_object(
        &self,
        schema: &'a Value,
        object: Map<String, Value>,
        depth: usize,
    ) -> Option<Map<String, Value>> {
        let required: Vec<&str> = strings(schema.get("required"));
        let properties = schema.get("properties").and_then(Value::as_object);
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        let mut fitting = Map::new();
        for (key, value) in object {
            let wanted = properties.and_then(|properties| properties.get(&key));
            let Some(wanted) = wanted else {
                if is_closed {
                    return None;
                }
                fitting.insert(key, value);
                continue;
            };
            let is_absent = value.is_null()
                && !required.contains(&key.as_str())
                && !self.allows(wanted, "null", depth);
            if !is_absent {
                let value = self.fit(wanted, value, depth + 1)?;
                fitting.insert(key, value);
            }
        }
        required
            .iter()
            .all(|key| fitting.contains_key(*key))
            .then_some(fitting)
    }
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    ["anyOf", "oneOf"]
        .iter()
        .find_map(|word| schema.get(*word)?.as_array())
        .filter(|some| !some.is_empty())
}

fn types(schema: &Value) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(one) => Some(vec![one]),
        some @ Value::Array(_) => Some(strings(Some(some))),
        _ => None,
    }
}

fn strings(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The value in the first of these types that it can take.
fn typed(types: &[&str], value: Value) -> Option<Value> {
    let is_of = |kind: &&str| match (*kind, &value) {
        ("integer", Value::Number(number)) => !number.is_f64(),
        (kind, value) => kind == kind_of(value),
    };
    if types.iter().any(is_of) {
        return Some(value);
    }
    types.iter().find_map(|kind| converted(kind, &value))
}

fn converted(kind: &str, value: &Value) -> Option<Value> {
    match (kind, value) {
        ("string", Value::Number(number)) => Some(Value::String(number.to_string())),
        ("integer", Value::Number(number)) => whole(number.as_f64()?).map(Value::Number),
        ("integer" | "number" | "array" | "object", Value::String(text)) => {
            let inner: Value = serde_json::from_str(text.trim()).ok()?;
            match inner {
                Value::String(_) => None,
                inner if kind == kind_of(&inner) => Some(inner),
                inner => converted_number(kind, inner),
            }
        }
        ("boolean", Value::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        _ => None,
    }
}

fn converted_number(kind: &str, value: Value) -> Option<Value> {
    match value {
        Value::Number(number) if kind == "integer" && !number.is_f64() => {
            Some(Value::Number(number))
        }
        Value::Number(number) if kind == "integer" => whole(number.as_f64()?).map(Value::Number),
        _ => None,
    }
}

/// A number that was written with a fraction of nothing.
fn whole(number: f64) -> Option<Number> {
    // Beyond this a float no longer tells neighbouring integers apart.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() != 0.0 || number.abs() > EXACT {
        return None;
    }
    format!("{number:.0}").parse::<i64>().ok().map(Number::from)
}

#[cfg(test)]
mod tests;
