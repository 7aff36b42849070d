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
            "x must be a list that is not empty, not []",
        ),
        (
            json!({"maxItems": 2}),
            json!([1, 2, 3]),
            "x must be at most 2 entries long, not [1,2,3]",
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
fn the_value_that_may_be_meant_is_named() {
    let seasons = json!({"enum": ["spring", "autumn", 3]});
    let or_null = json!({"anyOf": [seasons, {"type": "null"}]});
    for (property, value, expected) in [
        (
            seasons.clone(),
            json!("Sprng"),
            "x must be one of \"spring\", \"autumn\", 3, not \"Sprng\" (did you mean \"spring\"?)",
        ),
        (
            or_null,
            json!("autum"),
            "x must be one of \"spring\", \"autumn\", 3 or of type null, not \"autum\" \
             (did you mean \"autumn\"?)",
        ),
        (
            seasons,
            json!(4),
            "x must be one of \"spring\", \"autumn\", 3, not 4",
        ),
    ] {
        assert_eq!(of_x(&property, &value), expected, "{property}");
    }
}

#[test]
fn what_is_wrong_within_the_one_choice_of_its_kind_is_told_there() {
    let bed = json!({
        "type": "object",
        "properties": {"rows": {"type": "integer"}},
        "required": ["rows"],
    });
    let or_null = json!({"anyOf": [bed, {"type": "null"}]});
    for (property, value, expected) in [
        (
            or_null.clone(),
            json!({"rows": "many"}),
            "x.rows must be of type integer, not \"many\"",
        ),
        (or_null.clone(), json!(null), ""),
        (
            or_null,
            json!(4),
            "x must be of type object or of type null, not 4",
        ),
        (
            json!({"oneOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}),
            json!(0),
            "x must be at least 1, not 0",
        ),
    ] {
        assert_eq!(of_x(&property, &value), expected, "{property}");
    }
}

#[test]
fn a_bound_that_only_we_know_of_holds_as_well() {
    for (property, value, expected) in [
        (
            json!({"x-minimum": 0}),
            json!(-1),
            "x must be at least 0, not -1",
        ),
        (json!({"x-minimum": 0}), json!(0), ""),
        (
            json!({"x-minLength": 1}),
            json!(""),
            "x must be a text that is not empty, not \"\"",
        ),
    ] {
        assert_eq!(of_x(&property, &value), expected, "{property}");
    }
}

#[test]
fn members_of_any_name_are_held_to_what_they_must_be() {
    let schema = json!({"properties": {}, "additionalProperties": {"type": "integer"}});
    assert_eq!(told(&schema, &json!({"a": 1})), "");
    assert_eq!(
        told(&schema, &json!({"a": 1, "b": "two"})),
        "b must be of type integer, not \"two\""
    );
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
