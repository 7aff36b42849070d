use proptest::prelude::*;
use serde_json::{Value, json};

use super::object;
use crate::argument::check::faults;

fn fitted(value: &Value, property: &Value) -> Value {
    let schema = json!({"type": "object", "properties": {"x": property}});
    let arguments = json!({"x": value}).as_object().cloned().unwrap();
    let mut fitted = object(arguments, &schema);
    fitted.remove("x").unwrap_or(json!("(left out)"))
}

#[test]
fn a_value_becomes_the_kind_that_is_wanted_where_it_means_the_same() {
    let strings = json!({"type": "array", "items": {"type": "string"}});
    let table = [
        (json!("5"), json!({"type": "integer"}), json!(5)),
        (json!(" 5 "), json!({"type": "integer"}), json!(5)),
        (json!("3.0"), json!({"type": "integer"}), json!(3)),
        (json!(3.0), json!({"type": "integer"}), json!(3)),
        (json!("2.5"), json!({"type": "number"}), json!(2.5)),
        (json!("True"), json!({"type": "boolean"}), json!(true)),
        (json!("否"), json!({"type": "boolean"}), json!(false)),
        (json!(71249), json!({"type": "string"}), json!("71249")),
        (json!("one"), strings.clone(), json!(["one"])),
        (json!(7), strings.clone(), json!(["7"])),
        (json!("['a', 'b']"), strings, json!(["a", "b"])),
        (
            json!("{'a': 1}"),
            json!({"type": "object"}),
            json!({"a": 1}),
        ),
        (json!("  words "), json!({"type": "string"}), json!("words")),
        (
            json!("Celsius"),
            json!({"enum": ["celsius", "kelvin"]}),
            json!("celsius"),
        ),
        (json!("5"), json!({"type": ["integer", "null"]}), json!(5)),
        (
            json!("5"),
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            json!(5),
        ),
        (
            json!("5"),
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            json!("5"),
        ),
        (
            json!({"n": "1"}),
            json!({"type": "object", "properties": {"n": {"type": "integer"}}}),
            json!({"n": 1}),
        ),
    ];
    for (value, property, expected) in table {
        assert_eq!(fitted(&value, &property), expected, "{value} {property}");
    }
}

#[test]
fn a_name_that_is_only_written_otherwise_is_the_propertys() {
    let schema = json!({"properties": {"old_text": {}, "path": {}, "a_b": {}, "ab": {}}});
    for (given, meant) in [
        (json!({"oldText": 1}), json!({"old_text": 1})),
        (
            json!({"Path": 1, "OLD-TEXT": 2}),
            json!({"path": 1, "old_text": 2}),
        ),
        // Both are given, or both could be meant: the check tells of it.
        (
            json!({"oldText": 1, "old_text": 2}),
            json!({"oldText": 1, "old_text": 2}),
        ),
        (
            json!({"old_text": 2, "oldText": 1}),
            json!({"oldText": 1, "old_text": 2}),
        ),
        (json!({"AB": 1}), json!({"AB": 1})),
        (json!({"text": 1}), json!({"text": 1})),
    ] {
        let arguments = given.as_object().cloned().unwrap();
        assert_eq!(json!(object(arguments, &schema)), meant, "{given}");
    }
}

#[test]
fn nothing_for_what_may_be_left_out_is_left_out() {
    let text = json!({"type": "string"});
    assert_eq!(fitted(&Value::Null, &text), json!("(left out)"));
    assert_eq!(
        fitted(&Value::Null, &json!({"type": ["string", "null"]})),
        Value::Null
    );
    for kind in ["integer", "number", "boolean", "array", "object"] {
        assert_eq!(
            fitted(&json!(" "), &json!({ "type": kind })),
            json!("(left out)"),
            "{kind}"
        );
    }
    for takes_words in [text.clone(), json!({}), json!({"anyOf": [text]})] {
        assert_ne!(fitted(&json!(" "), &takes_words), json!("(left out)"));
    }
    let schema = json!({"properties": {"x": text}, "required": ["x"]});
    let arguments = json!({"x": null}).as_object().cloned().unwrap();
    assert!(faults(&object(arguments, &schema), &schema).is_some());
}

#[test]
fn the_text_of_a_file_is_left_as_it_is() {
    let raw = json!({"type": "string", "x-raw": true});
    assert_eq!(fitted(&json!("\n  code\n"), &raw), json!("\n  code\n"));
}

#[test]
fn a_day_is_written_as_the_standard_writes_it() {
    let table = [
        ("2024年5月1日", "2024-05-01"),
        ("2024年05月01号", "2024-05-01"),
        ("2024/5/1", "2024-05-01"),
        ("2024.5.1", "2024-05-01"),
        (" 2024-05-01 ", "2024-05-01"),
        ("5/1/2024", "5/1/2024"),
        ("2024-13-01", "2024-13-01"),
        ("tomorrow", "tomorrow"),
        ("2024年5月", "2024年5月"),
    ];
    for (given, expected) in table {
        let date = json!({"type": "string", "format": "date"});
        assert_eq!(fitted(&json!(given), &date), json!(expected), "{given}");
        assert_eq!(
            fitted(&json!(given), &json!({"type": "string"})),
            json!(given.trim())
        );
    }
}

#[test]
fn a_schema_that_never_ends_is_followed_only_so_far() {
    let mut schema = json!({"type": "string"});
    let mut value = json!("x");
    for _ in 0..100 {
        schema = json!({"type": "array", "items": schema});
        value = json!([value]);
    }
    assert_eq!(fitted(&value, &schema), value);
}

proptest! {
    #[test]
    fn what_fits_already_is_not_touched(count: i64, truth: bool, words in "[a-z]{1,9}( [a-z]{1,9})?") {
        let schema = json!({"properties": {
            "count": {"type": "integer"}, "truth": {"type": "boolean"}, "words": {"type": "string"},
        }});
        let given = json!({"count": count, "truth": truth, "words": words});
        let arguments = given.as_object().cloned().unwrap();
        let fitted = object(arguments.clone(), &schema);
        prop_assert!(faults(&fitted, &schema).is_none());
        prop_assert_eq!(fitted, arguments);
    }
}
