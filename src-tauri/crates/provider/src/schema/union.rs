//! Unions: of several schemas, and of several types.

use serde_json::{Value, json};

use super::reduction::{Reduction, Schema, add};
use super::{Null, kind, note};

impl Reduction<'_> {
    /// Takes the branches of a union out of what was gathered, and puts there the type that is
    /// left if it is one.
    pub(super) fn branches(
        &mut self,
        gathered: &mut Schema,
        types: &[String],
        nullable: &mut bool,
    ) -> Vec<Value> {
        let mut branches = match gathered.remove("anyOf") {
            Some(Value::Array(branches)) => branches,
            _ => Vec::new(),
        };
        branches.retain(|branch| {
            let is_null = is_null(&self.view(branch));
            *nullable |= is_null;
            !is_null && *branch != Value::Bool(false)
        });
        match types {
            [] => {}
            [only] => {
                gathered.insert("type".to_owned(), json!(only));
            }
            _ if self.profile.null == Null::Type => {
                gathered.insert("type".to_owned(), json!(types));
            }
            _ if branches.is_empty() => branches = split(gathered, types),
            _ => {}
        }
        if self.profile.lone_union && !branches.is_empty() {
            self.share_out(gathered, &mut branches);
        }
        branches
    }

    /// Moves what stands beside a union into each of its branches.
    fn share_out(&mut self, gathered: &mut Schema, branches: &mut [Value]) {
        let common = std::mem::take(gathered);
        for branch in branches {
            let Value::Object(own) = &mut *branch else {
                *branch = Value::Object(common.clone());
                continue;
            };
            for (keyword, value) in &common {
                add(own, keyword, value.clone());
            }
        }
    }

    /// Writes the branches of a union beside what is written already.
    pub(super) fn unite(&mut self, branches: Vec<Value>, out: &mut Schema) {
        let mut written: Vec<Schema> = Vec::new();
        for branch in branches {
            for schema in self.node(&branch).into_iter().flat_map(opened) {
                if !written.contains(&schema) {
                    written.push(schema);
                }
            }
        }
        if written.len() > 1 && !self.profile.takes("anyOf") {
            let others = written.split_off(1);
            for other in others {
                note::tell(out, "Or", &Value::Object(other));
            }
        }
        if let Some(joined) = joined_values(&written) {
            written = vec![joined];
        }
        if written.len() > 1 {
            let description = out
                .get("description")
                .and_then(Value::as_str)
                .map(str::to_owned);
            out.insert("anyOf".to_owned(), json!(written));
            if let Some(description) = description.filter(|_| self.profile.lone_union) {
                out.remove("description");
                self.describe(out, &description);
            }
        } else if let Some(only) = written.pop() {
            for (keyword, value) in only {
                match (keyword.as_str(), value.as_str()) {
                    ("description", Some(text)) => self.describe(out, text),
                    _ => add(out, &keyword, value),
                }
            }
        }
    }

    /// Makes one object of a union at the root, which no service takes there: any property of a
    /// branch may be given, and those that all demand are demanded.
    pub(super) fn absorb(&mut self, branches: &[Value], object: &mut Schema) {
        let mut sets: Vec<Vec<Value>> = Vec::new();
        for branch in branches {
            let mut view = self.view(branch);
            let Some(required) = demanded(&mut view) else {
                continue;
            };
            sets.push(required);
            if let Some(properties) = view.remove("properties") {
                add(object, "properties", properties);
            }
        }
        let Some((first, others)) = sets.split_first() else {
            return;
        };
        let by_all = first
            .iter()
            .filter(|name| others.iter().all(|set| set.contains(name)));
        let by_all: Vec<Value> = by_all.cloned().collect();
        add(object, "required", Value::Array(by_all));
        if others.iter().any(|set| set != first) {
            let shown = |set: &Vec<Value>| {
                let names: Vec<&str> = set.iter().filter_map(Value::as_str).collect();
                format!("({})", names.join(", "))
            };
            let sets: Vec<String> = sets.iter().map(shown).collect();
            note::add(object, &format!("Give one of: {}.", sets.join(" or ")));
        }
    }
}

/// The names an object demands; none if it is no object.
fn demanded(view: &mut Schema) -> Option<Vec<Value>> {
    let is_object = match view.get("type") {
        None => true,
        Some(found) => found == "object",
    };
    let names = match view.remove("required") {
        Some(Value::Array(names)) => names,
        _ => Vec::new(),
    };
    is_object.then_some(names)
}

/// Drops branches that became alike when the first of them took up what stood beside them.
pub(super) fn drop_repeated(out: &mut Schema) {
    let Some(Value::Array(branches)) = out.get_mut("anyOf") else {
        return;
    };
    let mut different: Vec<Value> = Vec::new();
    for branch in branches.drain(..) {
        if !different.contains(&branch) {
            different.push(branch);
        }
    }
    match different.as_slice() {
        [Value::Object(only)] => {
            let only = only.clone();
            out.remove("anyOf");
            for (keyword, value) in only {
                add(out, &keyword, value);
            }
        }
        _ => *branches = different,
    }
}

fn is_null(view: &Schema) -> bool {
    view.get("type").is_some_and(|found| found == "null")
        || view
            .get("enum")
            .is_some_and(|values| *values == json!([null]))
}

/// One schema a type, each with the constraints that are about it.
fn split(gathered: &mut Schema, types: &[String]) -> Vec<Value> {
    let mut branches: Vec<Value> = Vec::new();
    for name in types {
        let mut branch = Schema::new();
        branch.insert("type".to_owned(), json!(name));
        for (keyword, value) in gathered
            .iter()
            .filter(|(keyword, _)| kind::is_about(keyword, name))
        {
            branch.insert(keyword.clone(), value.clone());
        }
        branches.push(Value::Object(branch));
    }
    gathered.retain(|keyword, _| !types.iter().any(|name| kind::is_about(keyword, name)));
    branches
}

/// A union that is nothing but a union gives its branches.
fn opened(schema: Schema) -> Vec<Schema> {
    match schema.get("anyOf") {
        Some(Value::Array(branches)) if schema.len() == 1 => branches
            .iter()
            .filter_map(|branch| branch.as_object().cloned())
            .collect(),
        _ => vec![schema],
    }
}

/// One schema for several that each only name values of one type.
fn joined_values(branches: &[Schema]) -> Option<Schema> {
    let (first, _) = branches
        .split_first()
        .filter(|(_, rest)| !rest.is_empty())?;
    let kind = first.get("type");
    let mut values: Vec<Value> = Vec::new();
    let mut joined = Schema::new();
    for branch in branches {
        let known = |keyword: &String| matches!(keyword.as_str(), "type" | "enum" | "description");
        if branch.get("type") != kind || !branch.keys().all(known) {
            return None;
        }
        for value in branch.get("enum")?.as_array()? {
            if let Some(text) = branch.get("description").and_then(Value::as_str) {
                note::add(&mut joined, &format!("{value}: {text}"));
            }
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    joined.insert("enum".to_owned(), Value::Array(values));
    joined.extend(kind.map(|kind| ("type".to_owned(), kind.clone())));
    Some(joined)
}
