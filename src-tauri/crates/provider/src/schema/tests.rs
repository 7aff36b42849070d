//! Each rule by example, then all of them against any schema.

mod any;
mod checker;

use serde_json::{Value, json};

use super::{PROFILES, Profile, parameters};
use crate::dialect::{Dialect, Quirk};

fn profile(name: &str) -> &'static Profile {
    PROFILES
        .iter()
        .find(|profile| profile.name == name)
        .expect(name)
}

/// What a profile makes of the schema of one property.
fn reduced(name: &str, schema: &Value) -> Value {
    let whole = json!({"type": "object", "properties": {"a": schema}});
    let reduced = profile(name).reduce(&whole).expect("it has a property");
    reduced["properties"]["a"].clone()
}

#[test]
fn each_rule_of_the_common_profile_holds() {
    for (what, schema, expected) in [
        (
            "a plain type",
            json!({"type": "string"}),
            json!({"type": "string"}),
        ),
        (
            "what says nothing",
            json!({"$id": "x", "title": "A", "$comment": "c", "type": "string"}),
            json!({"type": "string"}),
        ),
        (
            "a constant",
            json!({"const": "x"}),
            json!({"type": "string", "enum": ["x"]}),
        ),
        (
            "a type or null",
            json!({"type": ["string", "null"]}),
            json!({"type": "string", "description": "May be null."}),
        ),
        (
            "several types",
            json!({"type": ["string", "integer"], "minimum": 2, "maxLength": 9}),
            json!({"anyOf": [
                {"type": "string", "maxLength": 9},
                {"type": "integer", "minimum": 2},
            ]}),
        ),
        (
            "a union with null",
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "How many."}),
            json!({"type": "integer", "description": "How many. May be null."}),
        ),
        (
            "a union of constants",
            json!({"oneOf": [{"const": "a", "description": "First"}, {"const": "b"}]}),
            json!({"type": "string", "enum": ["a", "b"], "description": "\"a\": First"}),
        ),
        (
            "parts of a whole",
            json!({"allOf": [
                {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
                {"properties": {"y": {"type": "number"}}, "required": ["y"]},
            ]}),
            json!({
                "type": "object",
                "properties": {"x": {"type": "string"}, "y": {"type": "number"}},
                "required": ["x", "y"],
            }),
        ),
        (
            "a pattern and a format",
            json!({"type": "string", "pattern": "^a$", "format": "uri"}),
            json!({"type": "string", "description": "Format: uri. Pattern: ^a$"}),
        ),
        (
            "more repetitions than a grammar bears",
            json!({"type": "string", "minLength": 1, "maxLength": 10_000}),
            json!({"type": "string", "minLength": 1, "description": "maxLength: 10000."}),
        ),
        (
            "no other properties",
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
            json!({"type": "object", "additionalProperties": false}),
        ),
        ("anything", json!(true), json!({})),
        (
            "an array of anything",
            json!({"type": "array"}),
            json!({"type": "array", "items": {}}),
        ),
        (
            "places of an array",
            json!({"prefixItems": [{"type": "string"}, {"type": "number"}]}),
            json!({
                "type": "array",
                "items": {"anyOf": [{"type": "string"}, {"type": "number"}]},
            }),
        ),
        (
            "a demanded property that is not there",
            json!({"type": "object", "properties": {"x": {}}, "required": ["x", "z", "x"]}),
            json!({"type": "object", "properties": {"x": {}}, "required": ["x"]}),
        ),
        (
            "a property that nothing satisfies",
            json!({"type": "object", "properties": {"x": false, "y": true}, "required": ["x"]}),
            json!({"type": "object", "properties": {"y": {}}}),
        ),
        (
            "types by other names",
            json!({"type": ["STRING", "int"]}),
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        ),
    ] {
        assert_eq!(reduced("common", &schema), expected, "{what}");
    }
}

#[test]
fn gemini_gets_its_own_subset() {
    for (what, schema, expected) in [
        (
            "a type or null",
            json!({"type": ["string", "null"]}),
            json!({"type": "string", "nullable": true}),
        ),
        (
            "a limit that is not included",
            json!({"type": "integer", "exclusiveMinimum": 0}),
            json!({"type": "integer", "description": "More than 0."}),
        ),
        (
            "names by a pattern",
            json!({"type": "object", "propertyNames": {"pattern": "^a"}}),
            json!({"type": "object", "description": "propertyNames: {\"pattern\":\"^a\"}."}),
        ),
        (
            "no other properties",
            json!({"type": "object", "additionalProperties": false}),
            json!({"type": "object", "description": "No other properties."}),
        ),
        (
            "values that are no texts",
            json!({"enum": [1, 2]}),
            json!({"type": "number", "description": "One of: 1, 2."}),
        ),
        (
            "a union beside a description",
            json!({"description": "Which.", "anyOf": [{"type": "string"}, {"type": "number"}]}),
            json!({"anyOf": [{"type": "string", "description": "Which."}, {"type": "number"}]}),
        ),
        (
            "formats",
            json!({"type": "string", "format": "date-time"}),
            json!({"type": "string", "format": "date-time"}),
        ),
        (
            "another format",
            json!({"type": "string", "format": "email"}),
            json!({"type": "string", "description": "Format: email."}),
        ),
        (
            "a union beside properties",
            json!({
                "type": "object",
                "properties": {"x": {"type": "string"}},
                "anyOf": [{"required": ["x"]}, {"properties": {"y": {"type": "string"}}}],
            }),
            json!({"anyOf": [
                {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
                {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}}},
            ]}),
        ),
    ] {
        assert_eq!(reduced("gemini", &schema), expected, "{what}");
    }
}

#[test]
fn moonshot_gets_a_type_in_each_branch_and_nowhere_else() {
    let schema = json!({
        "type": "object",
        "anyOf": [{"properties": {"x": {"type": "string"}}}, {"required": ["x"]}],
        "properties": {"x": {"description": "Anything."}},
    });
    let found = reduced("moonshot", &schema);
    assert_eq!(
        found.as_object().map(|found| found.len()),
        Some(1),
        "{found}"
    );
    for branch in found["anyOf"].as_array().expect("a union") {
        assert_eq!(branch["type"], "object");
    }
}

#[test]
fn the_simplest_profile_tells_everything_in_words() {
    let schema = json!({"anyOf": [{"type": "string", "minLength": 2}, {"type": "number"}]});
    assert_eq!(
        reduced("plain", &schema),
        json!({
            "type": "string",
            "description": "Or: {\"type\":\"number\"}. minLength: 2.",
        })
    );
    assert_eq!(
        reduced("plain", &json!({})),
        json!({"type": "string", "description": "Any JSON value."})
    );
}

#[test]
fn the_full_profile_keeps_what_it_can() {
    for schema in [
        json!({"type": "string", "pattern": "^a$", "format": "uri", "default": "a"}),
        json!({"type": ["string", "null"]}),
        json!({"type": "object", "properties": {}, "additionalProperties": {"type": "string"}}),
        json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
        json!({"type": "integer", "exclusiveMinimum": 0, "multipleOf": 5}),
    ] {
        let mut expected = schema.clone();
        if expected["properties"] == json!({}) {
            expected
                .as_object_mut()
                .map(|object| object.remove("properties"));
        }
        assert_eq!(reduced("full", &schema), expected);
    }
}

#[test]
fn names_that_a_service_refuses_are_told() {
    let schema = json!({
        "type": "object",
        "properties": {"城市": {"type": "string"}, "ok": {"type": "string"}},
        "required": ["城市", "ok"],
        "additionalProperties": false,
    });
    assert_eq!(
        profile("anthropic").reduce(&schema),
        Some(json!({
            "type": "object",
            "description": "Also takes the property \"城市\".",
            "properties": {"ok": {"type": "string"}},
            "required": ["ok"],
        }))
    );
    assert_eq!(profile("common").reduce(&schema), Some(schema));
}

#[test]
fn the_root_is_an_object_and_no_union() {
    let one_of = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "anyOf": [
            {"properties": {"b": {"type": "string"}}, "required": ["a", "b"]},
            {"required": ["a"]},
            {"type": "string"},
        ],
    });
    for profile in PROFILES.iter() {
        let found = profile.reduce(&one_of).expect("it has properties");
        assert_eq!(found["type"], "object");
        assert_eq!(found["required"], json!(["a"]));
        assert_eq!(found["description"], "Give one of: (a, b) or (a).");
        assert_eq!(found["properties"]["b"], json!({"type": "string"}));
        assert_eq!(found.get("anyOf"), None);
    }
    for schema in [
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!({"type": "string"}),
    ] {
        let found = profile("common").reduce(&schema);
        assert_eq!(
            found,
            Some(json!({"type": "object", "properties": {}})),
            "{schema}"
        );
        assert_eq!(profile("gemini").reduce(&schema), None, "{schema}");
    }
}

#[test]
fn references_are_put_in_place_and_end_where_they_turn_in_circles() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "tree": {"$ref": "#/$defs/node"},
            "point": {"$ref": "#/$defs/point", "description": "Where."},
            "lost": {"$ref": "#/nowhere"},
        },
        "$defs": {
            "point": {"type": "object", "properties": {"x": {"type": "number"}}},
            "node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
            },
        },
    });
    assert_eq!(
        profile("common").reduce(&schema),
        Some(json!({
            "type": "object",
            "properties": {
                "tree": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "children": {
                            "type": "array",
                            "items": {"description": "Nested further in the same way."},
                        },
                    },
                },
                "point": {
                    "type": "object",
                    "properties": {"x": {"type": "number"}},
                    "description": "Where.",
                },
                "lost": {},
            },
        }))
    );
}

#[test]
fn references_cannot_make_a_schema_huge() {
    let mut definitions = serde_json::Map::new();
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
        let both = json!({"type": "object", "properties": {"a": next, "b": next}});
        definitions.insert(level.to_string(), both);
    }
    let schema = json!({"$ref": "#/$defs/0", "$defs": definitions});
    let found = profile("common")
        .reduce(&schema)
        .expect("it has properties");
    assert!(found.to_string().len() < 1_000_000);
}

#[test]
fn a_host_gets_its_profile_and_after_a_refusal_the_simplest() {
    let schema = json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}});
    let at = |dialect: &Dialect| {
        let found = parameters(&schema, dialect).expect("it has a property");
        found["properties"]["a"].clone()
    };
    for (host, expected) in [
        (
            "generativelanguage.googleapis.com",
            json!({"type": "string", "nullable": true}),
        ),
        ("api.openai.com", json!({"type": ["string", "null"]})),
        (
            "localhost",
            json!({"type": "string", "description": "May be null."}),
        ),
    ] {
        assert_eq!(at(&Dialect::of_host(host)), expected, "{host}");
    }
    let refused = Dialect::of_host("api.openai.com").with(Quirk::PlainSchemas);
    assert_eq!(
        at(&refused),
        json!({"type": "string", "description": "May be null."})
    );
}

#[test]
fn the_table_of_profiles_names_each_once() {
    for name in ["common", "full", "anthropic", "gemini", "moonshot", "plain"] {
        assert_eq!(
            PROFILES
                .iter()
                .filter(|profile| profile.name == name)
                .count(),
            1
        );
    }
    let hosts: Vec<&String> = PROFILES.iter().flat_map(|profile| &profile.hosts).collect();
    for host in &hosts {
        assert_eq!(
            hosts.iter().filter(|other| other == &host).count(),
            1,
            "{host}"
        );
    }
}
