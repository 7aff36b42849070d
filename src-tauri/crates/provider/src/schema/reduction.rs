//! Reduces a schema, node by node: first what it says is gathered from wherever it says it, then
//! that is written as the profile takes it.

use serde_json::{Map, Value, json};

use super::{Null, Profile, kind, note, union};

/// A schema that names itself, or nests deeper than this, is cut off there.
const DEEPEST: usize = 24;

/// How many nodes are written; references can make a small schema huge.
const NODES: usize = 3000;

/// What is said where a schema is cut off.
const CUT_OFF: &str = "Nested further in the same way.";

/// What is said of a schema that demands nothing.
const ANYTHING: &str = "Any JSON value.";

const REPEATS: &[&str] = &["minLength", "maxLength", "minItems", "maxItems"];

pub(super) type Schema = Map<String, Value>;

/// The schema of a tool's arguments: always an object that names its properties, never a union.
pub(super) fn root(schema: &Value, profile: &Profile) -> Schema {
    let mut reduction = Reduction {
        root: schema,
        profile,
        open: Vec::new(),
        depth: 0,
        left: NODES,
    };
    let mut gathered = Schema::new();
    reduction.gather(schema, &mut gathered);
    if let Some(Value::Array(branches)) = gathered.remove("anyOf") {
        reduction.absorb(&branches, &mut gathered);
    }
    for keyword in ["enum", "not", "nullable"] {
        gathered.remove(keyword);
    }
    gathered.insert("type".to_owned(), json!("object"));
    let mut object = reduction.write(gathered);
    object.entry("properties").or_insert_with(|| json!({}));
    object
}

pub(super) struct Reduction<'a> {
    root: &'a Value,
    pub(super) profile: &'a Profile,
    /// The references that are being put in place.
    pub(super) open: Vec<String>,
    depth: usize,
    left: usize,
}

impl Reduction<'_> {
    /// A schema below the root; none if nothing satisfies it.
    pub(super) fn node(&mut self, schema: &Value) -> Option<Schema> {
        if *schema == Value::Bool(false) {
            return None;
        }
        let mut gathered = Schema::new();
        if self.depth >= DEEPEST || self.left == 0 {
            note::add(&mut gathered, CUT_OFF);
            return Some(self.write(gathered));
        }
        let open = self.open.len();
        self.depth += 1;
        self.left -= 1;
        self.gather(schema, &mut gathered);
        let written = self.write(gathered);
        self.depth -= 1;
        self.open.truncate(open);
        Some(written)
    }

    /// What a schema says at its own level, wherever its references lead.
    pub(super) fn view(&mut self, schema: &Value) -> Schema {
        let open = self.open.len();
        let mut gathered = Schema::new();
        self.gather(schema, &mut gathered);
        self.open.truncate(open);
        gathered
    }

    /// Adds what `schema` says to what is known: its own words, then what it refers to.
    fn gather(&mut self, schema: &Value, into: &mut Schema) {
        let Value::Object(schema) = schema else {
            return;
        };
        for (keyword, value) in schema {
            match keyword.as_str() {
                "$ref" | "allOf" | "$recursiveRef" | "$dynamicRef" => {}
                "const" => add(into, "enum", json!([value])),
                "oneOf" => add(into, "anyOf", value.clone()),
                _ => add(into, keyword, value.clone()),
            }
        }
        if let Some(Value::String(reference)) = schema.get("$ref") {
            self.follow(reference, into);
        }
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.gather(part, into);
        }
    }

    fn follow(&mut self, reference: &str, into: &mut Schema) {
        if self.open.iter().any(|open| open == reference) {
            note::add(into, CUT_OFF);
            return;
        }
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| self.root.pointer(pointer));
        if let Some(target) = target {
            self.open.push(reference.to_owned());
            self.gather(target, into);
        }
    }

    /// Writes what was gathered as the profile takes it.
    fn write(&mut self, mut gathered: Schema) -> Schema {
        let mut nullable = gathered.remove("nullable") == Some(Value::Bool(true));
        let mut types = kind::take_types(&mut gathered, &mut nullable);
        let open = types.is_empty()
            && !["anyOf", "enum"]
                .iter()
                .any(|keyword| gathered.contains_key(*keyword));
        if open && self.profile.typed {
            types.extend(kind::type_meant(&gathered).map(str::to_owned));
        }
        if let Some(Value::Array(values)) = gathered.get_mut("enum") {
            let before = values.len();
            values.retain(|value| !value.is_null());
            nullable |= values.len() < before;
        }
        let mut out = Schema::new();
        if let Some(description) = gathered.remove("description").filter(Value::is_string) {
            out.insert("description".to_owned(), description);
        }
        let branches = self.branches(&mut gathered, &types, &mut nullable);
        self.write_object(&mut gathered, &mut out);
        self.write_items(&mut gathered, &mut out);
        for (keyword, value) in gathered {
            self.write_keyword(&keyword, value, &mut out);
        }
        self.unite(branches, &mut out);
        self.complete(&mut out);
        self.write_null(nullable || kind::says_null(&out), &mut out);
        union::drop_repeated(&mut out);
        out
    }

    fn write_object(&mut self, gathered: &mut Schema, out: &mut Schema) {
        let Some(Value::Object(properties)) = gathered.remove("properties") else {
            gathered.remove("required");
            return;
        };
        let mut written = Schema::new();
        for (name, schema) in properties {
            if self.profile.takes_name(&name) {
                if let Some(schema) = self.node(&schema) {
                    written.insert(name, Value::Object(schema));
                }
            } else {
                note::add(out, &format!("Also takes the property \"{name}\"."));
                if gathered.get("additionalProperties") == Some(&Value::Bool(false)) {
                    gathered.remove("additionalProperties");
                }
            }
        }
        let mut required: Vec<Value> = Vec::new();
        if let Some(Value::Array(names)) = gathered.remove("required") {
            for name in names {
                let known = name.as_str().is_some_and(|name| written.contains_key(name));
                if known && !required.contains(&name) {
                    required.push(name);
                }
            }
        }
        if !required.is_empty() {
            out.insert("required".to_owned(), Value::Array(required));
        }
        if !written.is_empty() {
            out.insert("properties".to_owned(), Value::Object(written));
        }
        out.entry("type").or_insert_with(|| json!("object"));
    }

    /// A list of schemas, one a place, becomes one schema for all places.
    fn write_items(&mut self, gathered: &mut Schema, out: &mut Schema) {
        gathered.remove("additionalItems");
        let items = gathered.remove("items");
        let items = match gathered.remove("prefixItems").or(items) {
            Some(Value::Array(places)) => json!({ "anyOf": places }),
            Some(items @ Value::Object(_)) => items,
            Some(_) => json!({}),
            None => return,
        };
        let written = self.node(&items).unwrap_or_default();
        out.insert("items".to_owned(), Value::Object(written));
        out.entry("type").or_insert_with(|| json!("array"));
    }

    fn write_keyword(&mut self, keyword: &str, value: Value, out: &mut Schema) {
        let profile = self.profile;
        let taken = match (keyword, &value) {
            // An older draft's mark at the limit beside it.
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => return,
            ("type", _) => true,
            ("enum", Value::Array(values)) if values.is_empty() => return,
            ("enum", Value::Array(values)) => {
                let texts = values
                    .iter()
                    .all(|value| value.as_str().is_some_and(|text| !text.is_empty()));
                profile.takes(keyword) && (texts || !profile.text_enums)
            }
            ("format", Value::String(format)) => {
                profile.takes(keyword)
                    && (profile.formats.is_empty() || profile.formats.contains(format))
            }
            ("additionalProperties", Value::Object(_)) if profile.takes(keyword) => {
                let written = self.node(&value).unwrap_or_default();
                out.insert(keyword.to_owned(), Value::Object(written));
                return;
            }
            (repeat, _) if REPEATS.contains(&repeat) => {
                let few = value
                    .as_u64()
                    .is_some_and(|count| profile.most_repeats.is_none_or(|most| count <= most));
                profile.takes(keyword) && few
            }
            _ => profile.takes(keyword),
        };
        if taken {
            out.insert(keyword.to_owned(), value);
            return;
        }
        if keyword == "enum" {
            kind::infer_type_of_values(&value, out);
        }
        note::tell(out, keyword, &value);
    }

    /// Adds the type where it is clear or demanded, and the items that an array must have.
    fn complete(&self, out: &mut Schema) {
        if let Some(values) = out.get("enum").cloned() {
            kind::infer_type_of_values(&values, out);
        }
        let is_open = !["type", "anyOf"]
            .iter()
            .any(|known| out.contains_key(*known));
        if is_open && self.profile.typed {
            if let Some(values) = out.remove("enum") {
                note::tell(out, "enum", &values);
            }
            match kind::type_meant(out) {
                Some(name) => {
                    out.insert("type".to_owned(), json!(name));
                }
                None => self.write_anything(out),
            }
        }
        let of_type = |out: &Schema, name: &str| match out.get("type") {
            Some(Value::String(found)) => found == name,
            Some(Value::Array(found)) => found.iter().any(|found| found == name),
            _ => false,
        };
        if of_type(out, "array") && !out.contains_key("items") {
            let mut items = Schema::new();
            if self.profile.typed {
                self.write_anything(&mut items);
            }
            out.insert("items".to_owned(), Value::Object(items));
        }
        if self.profile.text_enums
            && !of_type(out, "string")
            && let Some(values) = out.remove("enum")
        {
            note::tell(out, "enum", &values);
        }
    }

    fn write_anything(&self, out: &mut Schema) {
        note::add(out, ANYTHING);
        if self.profile.takes("anyOf") {
            let description = out.remove("description").unwrap_or_default();
            out.insert(
                "anyOf".to_owned(),
                json!([
                    { "type": "string", "description": description },
                    { "type": "number" },
                    { "type": "boolean" },
                ]),
            );
        } else {
            out.insert("type".to_owned(), json!("string"));
        }
    }

    fn write_null(&self, nullable: bool, out: &mut Schema) {
        if !nullable {
            return;
        }
        match self.profile.null {
            Null::Note => self.describe(out, "May be null."),
            Null::Nullable => match first_branch(out) {
                Some(branch) => {
                    branch.insert("nullable".to_owned(), json!(true));
                }
                None => {
                    out.insert("nullable".to_owned(), json!(true));
                }
            },
            Null::Type => kind::allow_null(out),
        }
    }

    /// Adds a sentence to the description, wherever the profile lets it stand.
    pub(super) fn describe(&self, out: &mut Schema, sentence: &str) {
        match first_branch(out).filter(|_| self.profile.lone_union) {
            Some(branch) => note::add(branch, sentence),
            None => note::add(out, sentence),
        }
    }
}

impl Profile {
    fn takes_name(&self, name: &str) -> bool {
        let safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        !self.ascii_names || ((1..=64).contains(&name.len()) && name.bytes().all(safe))
    }
}

/// Adds a keyword where it is not there yet; properties and required names add up.
pub(super) fn add(into: &mut Schema, keyword: &str, value: Value) {
    match (into.get_mut(keyword), value) {
        (Some(Value::Object(known)), Value::Object(more)) if keyword == "properties" => {
            for (name, schema) in more {
                known.entry(name).or_insert(schema);
            }
        }
        (Some(Value::Array(known)), Value::Array(more)) if keyword == "required" => {
            for name in more {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        (Some(_), _) => {}
        (None, value) => {
            into.insert(keyword.to_owned(), value);
        }
    }
}

fn first_branch(out: &mut Schema) -> Option<&mut Schema> {
    out.get_mut("anyOf")?
        .as_array_mut()?
        .first_mut()?
        .as_object_mut()
}
