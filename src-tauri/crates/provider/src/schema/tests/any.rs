//! Any schema: its reduction is accepted, and stays as it is.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::PROFILES;
use super::checker;

fn any_schema() -> impl Strategy<Value = Value> {
    let name = prop_oneof![Just("a"), Just("b"), Just("名")];
    let value = prop_oneof![
        Just(json!("x")),
        Just(json!("")),
        Just(json!(1)),
        Just(json!(null)),
        Just(json!(true)),
    ];
    let kind = prop_oneof![
        Just(json!("string")),
        Just(json!("object")),
        Just(json!("array")),
        Just(json!("null")),
        Just(json!(["string", "null"])),
        Just(json!(["object", "integer"])),
        Just(json!(["array", "string", "null"])),
        Just(json!("nonsense")),
    ];
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({})),
        Just(json!({"$ref": "#/$defs/d"})),
        Just(json!({"$ref": "#"})),
        kind.clone().prop_map(|kind| json!({"type": kind})),
        value.clone().prop_map(|value| json!({"const": value})),
        proptest::collection::vec(value, 0..3).prop_map(|values| json!({"enum": values})),
        Just(json!({"type": "string", "pattern": "^a", "format": "uri", "maxLength": 900})),
        Just(json!({"nullable": true, "minimum": 1, "exclusiveMaximum": true})),
    ];
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let members = proptest::collection::btree_map(name.clone(), inner.clone(), 0..3);
        let several = proptest::collection::vec(inner.clone(), 0..3);
        (
            kind.clone(),
            members,
            several,
            inner,
            proptest::sample::subsequence(
                vec![
                    "type",
                    "properties",
                    "required",
                    "anyOf",
                    "oneOf",
                    "allOf",
                    "items",
                    "prefixItems",
                    "additionalProperties",
                    "not",
                    "description",
                    "$ref",
                ],
                0..6,
            ),
        )
            .prop_map(|(kind, members, several, inner, keywords)| {
                let mut schema = serde_json::Map::new();
                for keyword in keywords {
                    let value = match keyword {
                        "type" => kind.clone(),
                        "properties" => json!(members),
                        "required" => json!(["a", "b"]),
                        "anyOf" | "oneOf" | "allOf" | "prefixItems" => json!(several),
                        "description" => json!("Words."),
                        "$ref" => json!("#/$defs/d"),
                        _ => inner.clone(),
                    };
                    schema.insert(keyword.to_owned(), value);
                }
                Value::Object(schema)
            })
    })
}

proptest! {
    #[test]
    fn whatever_the_schema_its_reduction_is_accepted_and_stays_as_it_is(
        mut schema in any_schema(),
        definition in any_schema(),
    ) {
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("$defs".to_owned(), json!({"d": definition}));
        }
        for profile in PROFILES.iter() {
            let Some(once) = profile.reduce(&schema) else {
                continue;
            };
            let faults = checker::faults(&once, profile);
            prop_assert!(faults.is_empty(), "{}: {faults:?} in {once}", profile.name);
            prop_assert_eq!(profile.reduce(&once), Some(once.clone()), "{}", &profile.name);
            prop_assert_eq!(profile.reduce(&schema), Some(once), "{}", &profile.name);
        }
    }
}
