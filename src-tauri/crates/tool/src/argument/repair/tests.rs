use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Fault, object, value};

#[test]
fn each_slip_that_leaves_no_doubt_is_mended() {
    let table = [
        (r#"{"a": 1, "b": "雨",}"#, json!({"a": 1, "b": "雨"})),
        (
            r#"{"a": [1, 2,], "b": {"c": 3,},}"#,
            json!({"a": [1, 2], "b": {"c": 3}}),
        ),
        (r#"{"a": 1}}"#, json!({"a": 1})),
        (r#"{"a": [1}]"#, json!({"a": [1]})),
        (r#"{"a": {"b": 1}"#, json!({"a": {"b": 1}})),
        (r#"{"a": [1, 2"#, json!({"a": [1, 2]})),
        (r#"{"a": 1 "b": 2}"#, json!({"a": 1, "b": 2})),
        (r#"{"a": "x" "b": "y"}"#, json!({"a": "x", "b": "y"})),
        (r#"{"a": ["x" "y", "z"]}"#, json!({"a": ["x", "y", "z"]})),
        (
            "{a: 1, b-c: 'x', $d: true}",
            json!({"a": 1, "b-c": "x", "$d": true}),
        ),
        (
            "{'a': None, 'b': True, 'c': (1, 2)}",
            json!({"a": null, "b": true, "c": [1, 2]}),
        ),
        (
            r"{'a': 'it\'s', 'b': 'it's fine'}",
            json!({"a": "it's", "b": "it's fine"}),
        ),
        ("{“a”：“x”，‘b’：‘y’}", json!({"a": "x", "b": "y"})),
        (
            "{\"a\": \"one\ntwo\tthree\"}",
            json!({"a": "one\ntwo\tthree"}),
        ),
        (
            r#"{"a": "say "hi" to me", "b": 1}"#,
            json!({"a": "say \"hi\" to me", "b": 1}),
        ),
        (r#"{"a": "C:\dir\d+"}"#, json!({"a": "C:\\dir\\d+"})),
        (r#"{"a": "\u4f60\ud83d\ude00"}"#, json!({"a": "你😀"})),
        ("{\"a\": 1 // one\n}", json!({"a": 1})),
        ("{/* first */ \"a\": 1, # last\n}", json!({"a": 1})),
        ("```json\n{\"a\": 1}\n```", json!({"a": 1})),
        ("Here you are: {\"a\": 1} Anything else?", json!({"a": 1})),
        (r#""{\"a\": {\"b\": 1}}""#, json!({"a": {"b": 1}})),
        (r#""{'a': 1,}""#, json!({"a": 1})),
        (
            "{\"a\": +5, \"b\": .5, \"c\": 1_000, \"d\": 5.}",
            json!({"a": 5, "b": 0.5, "c": 1000, "d": 5.0}),
        ),
        (
            "{kind: Drama, to: a@b.c}",
            json!({"kind": "Drama", "to": "a@b.c"}),
        ),
        ("{\"a\" = 1; \"b\" => 2}", json!({"a": 1, "b": 2})),
        ("{}", json!({})),
    ];
    for (text, expected) in table {
        assert_eq!(object(text).map(Value::Object), Ok(expected), "{text}");
    }
}

#[test]
fn what_leaves_doubt_is_refused_and_never_emptied() {
    let table = [
        ("", Fault::NoObject),
        ("no object here", Fault::NoObject),
        ("[1, 2]", Fault::NoObject),
        ("\"words\"", Fault::NoObject),
        ("{", Fault::BrokenOff),
        ("{\"a\": \"half a te", Fault::BrokenOff),
        ("{\"a\": 1,", Fault::BrokenOff),
        ("{\"a\":", Fault::BrokenOff),
        ("{\"a\": [", Fault::BrokenOff),
        ("{\"a\": 1}{\"b\": 2}", Fault::Several),
        ("{\"a\": ...}", Fault::Unreadable("...}".to_owned())),
        ("{\"a\": NaN}", Fault::Unreadable("NaN}".to_owned())),
        ("{\"a\": tru", Fault::Unreadable("tru".to_owned())),
        ("{\"a\" 1}", Fault::Unreadable("1}".to_owned())),
        (
            "{\"a\": \"\\uzzzz\"}",
            Fault::Unreadable("zzzz\"}".to_owned()),
        ),
        (
            "{\"a\": \"x\" + \"y\"}",
            Fault::Unreadable("+ \"y\"}".to_owned()),
        ),
    ];
    for (text, fault) in table {
        assert_eq!(object(text), Err(fault), "{text}");
    }
    let deep = "{\"a\":[".repeat(60);
    assert_eq!(object(&deep), Err(Fault::TooDeep));
}

#[test]
fn a_list_written_as_text_is_read_only_if_it_is_all_there_is() {
    assert_eq!(value("['a', 'b']"), Ok(json!(["a", "b"])));
    assert!(value("[1] and more").is_err());
}

#[test]
fn a_long_row_of_quotes_takes_no_time() {
    for piece in ["\"", "\" ", "{\"", "'\"“", "\\", "[[", "//"] {
        let text = format!("{{\"a\": \"{}", piece.repeat(200_000));
        let _ = object(&text);
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("[a-z_]{1,8}", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_json_is_read_as_it_is(members in proptest::collection::btree_map("[a-z]{1,6}", any_json(), 0..5)) {
        let written = json!(members);
        prop_assert_eq!(object(&written.to_string()).map(Value::Object), Ok(written));
    }

    #[test]
    fn a_lost_closing_brace_changes_nothing(members in proptest::collection::btree_map("[a-z]{1,6}", 0_i64..9, 1..5)) {
        let written = json!(members);
        let text = written.to_string();
        prop_assert_eq!(object(&text[..text.len() - 1]).map(Value::Object), Ok(written));
    }

    #[test]
    fn no_text_upsets_it(text in ".{0,60}") {
        let _ = object(&text);
        let _ = object(&format!("{{\"a\": {text}"));
    }
}
