use serde_json::{Value, json};
use talaria_domain::{Message, ToolCall};

use super::{Assembly, Fragment, Ids};

fn assemble(fragments: &Value, ids: &mut Ids) -> Vec<ToolCall> {
    let mut assembly = Assembly::default();
    for fragment in fragments.as_array().expect("a list of fragments") {
        assembly.push(Fragment::from_chat(fragment));
    }
    assembly.finish(ids)
}

/// Names and arguments in order; ids are checked to be there and unlike.
fn calls(fragments: &Value) -> Vec<(String, Value)> {
    let calls = assemble(fragments, &mut Ids::default());
    let mut ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(
        ids.len(),
        calls.len(),
        "each call has its own id: {fragments}"
    );
    assert!(!ids.contains(&""), "each call has an id: {fragments}");
    calls
        .into_iter()
        .map(|call| (call.name, call.arguments))
        .collect()
}

fn function(name: &str, arguments: impl Into<Value>) -> Value {
    json!({"name": name, "arguments": arguments.into()})
}

#[test]
fn calls_are_told_apart_in_every_known_shape() {
    let two = vec![
        ("find".to_owned(), json!({"q": "猫"})),
        ("find".to_owned(), json!({"q": "狗"})),
    ];
    let (cat, dog) = (r#"{"q":"猫"}"#, r#"{"q":"狗"}"#);
    let shapes = [
        (
            "as documented",
            json!([
                {"index": 0, "id": "x1", "type": "function", "function": function("find", "")},
                {"index": 0, "function": {"arguments": "{\"q\":"}},
                {"index": 0, "function": {"arguments": "\"猫\"}"}},
                {"index": 1, "id": "x2", "type": "function", "function": function("find", "")},
                {"index": 1, "function": {"arguments": dog}},
            ]),
        ),
        (
            "interleaved",
            json!([
                {"index": 0, "id": "x1", "function": function("find", "")},
                {"index": 1, "id": "x2", "function": function("find", "")},
                {"index": 1, "function": {"arguments": dog}},
                {"index": 0, "function": {"arguments": cat}},
            ]),
        ),
        (
            "out of order",
            json!([
                {"index": 1, "id": "x2", "function": function("find", dog)},
                {"index": 0, "id": "x1", "function": function("find", cat)},
            ]),
        ),
        (
            "index 0 for all, new ids",
            json!([
                {"index": 0, "id": "x1", "function": function("find", cat)},
                {"index": 0, "id": "x2", "function": function("find", dog)},
            ]),
        ),
        (
            "index 0 for all, no ids",
            json!([
                {"index": 0, "function": function("find", cat)},
                {"index": 0, "function": function("find", dog)},
            ]),
        ),
        (
            "no index",
            json!([
                {"id": "x1", "function": function("find", "{\"q\":")},
                {"id": "x1", "function": {"arguments": "\"猫\"}"}},
                {"id": "x2", "function": function("find", dog)},
            ]),
        ),
        (
            "neither index nor id",
            json!([
                {"function": function("find", cat)},
                {"function": function("find", dog)},
            ]),
        ),
        (
            "everything repeated",
            json!([
                {"index": 0, "id": "x1", "type": "function", "function": function("find", "")},
                {"index": 0, "id": "x1", "type": "function", "function": function("find", "{\"q\":")},
                {"index": 0, "id": "x1", "type": "function", "function": function("find", "\"猫\"}")},
                {"index": 1, "id": "x2", "type": "function", "function": function("find", dog)},
            ]),
        ),
        (
            "the name repeated, no id",
            json!([
                {"index": 0, "function": function("find", "{\"q\":")},
                {"index": 0, "function": function("find", "\"猫\"}")},
                {"index": 1, "function": function("find", dog)},
            ]),
        ),
        (
            "the name in pieces",
            json!([
                {"index": 0, "id": "x1", "function": function("fi", "")},
                {"index": 0, "function": function("nd", "")},
                {"index": 0, "function": {"arguments": cat}},
                {"index": 1, "id": "x2", "function": function("find", dog)},
            ]),
        ),
        (
            "the id late",
            json!([
                {"index": 0, "function": function("find", "{\"q\":")},
                {"index": 0, "id": "x1", "function": {"arguments": "\"猫\"}"}},
                {"index": 1, "function": function("find", dog)},
            ]),
        ),
        (
            "an id made up for each piece",
            json!([
                {"index": 0, "id": "x1", "function": function("find", "{\"q\":")},
                {"index": 0, "id": "y7", "function": {"arguments": "\"猫\"}"}},
                {"index": 1, "id": "x2", "function": function("find", dog)},
            ]),
        ),
        (
            "arguments as objects",
            json!([
                {"index": 0, "id": "x1", "function": function("find", json!({"q": "猫"}))},
                {"index": 1, "id": "x2", "function": function("find", json!({"q": "狗"}))},
            ]),
        ),
        (
            "encoded twice",
            json!([
                {"index": 0, "id": "x1", "function": function("find", json!(cat).to_string())},
                {"index": 1, "id": "x2", "function": function("find", dog)},
            ]),
        ),
        (
            "run together",
            json!([
                {"index": 0, "id": "x1", "function": function("find", format!("{cat}{dog}"))},
            ]),
        ),
        (
            "the same id twice",
            json!([
                {"index": 0, "id": "x", "function": function("find", cat)},
                {"index": 1, "id": "x", "function": function("find", dog)},
            ]),
        ),
        (
            "the same id and index for all",
            json!([
                {"index": 0, "id": "x", "function": function("find", cat)},
                {"index": 0, "id": "x", "function": function("find", dog)},
            ]),
        ),
        (
            "the name again behind whole arguments",
            json!([
                {"index": 0, "function": function("find", cat)},
                {"index": 0, "function": function("find", "")},
                {"index": 1, "id": "x2", "function": function("find", dog)},
                {"index": 1, "id": "x2", "function": function("find", "")},
            ]),
        ),
        (
            "everything so far each time",
            json!([
                {"index": 0, "id": "x1", "function": function("fi", "")},
                {"index": 0, "id": "x1", "function": function("find", "{\"q\"")},
                {"index": 0, "id": "x1", "function": function("find", cat)},
                {"index": 1, "id": "x2", "function": function("find", "{\"q\":")},
                {"index": 1, "id": "x2", "function": {"arguments": dog}},
            ]),
        ),
        (
            "all of it again at the end",
            json!([
                {"index": 0, "id": "x1", "function": function("find", "{\"q\":")},
                {"index": 0, "function": {"arguments": "\"猫\"}"}},
                {"index": 0, "id": "x1", "function": function("find", cat)},
                {"index": 1, "id": "x2", "function": function("find", dog)},
            ]),
        ),
        (
            "a placeholder first",
            json!([
                {"index": 0, "id": "x1", "function": function("find", "{}")},
                {"index": 0, "id": "x1", "function": function("find", cat)},
                {"index": 1, "id": "x2", "function": function("find", json!({}))},
                {"index": 1, "function": {"arguments": dog}},
            ]),
        ),
        (
            "a value first that text replaces",
            json!([
                {"index": 0, "id": "x1", "function": function("find", json!({"q": ""}))},
                {"index": 0, "function": {"arguments": "{\"q\":"}},
                {"index": 0, "function": {"arguments": "\"猫\"}"}},
                {"index": 1, "id": "x2", "function": function("find", json!({"q": "狗"}))},
                {"index": 1, "function": {"arguments": ""}},
            ]),
        ),
        (
            "the index as text, the function a null",
            json!([
                {"index": "0", "id": "x1", "name": "find", "function": null, "arguments": cat},
                {"index": "1", "id": "x2", "name": "find", "arguments": dog},
            ]),
        ),
        (
            "numbers as ids, empty stubs between",
            json!([
                {"index": 0, "id": 1, "function": function("find", cat)},
                {"index": 0, "id": "", "function": function("", "")},
                {"index": 1, "id": 2, "function": function("find", dog)},
                {"name": "", "arguments": ""},
            ]),
        ),
    ];
    for (what, fragments) in shapes {
        assert_eq!(calls(&fragments), two, "{what}");
    }
}

#[test]
fn a_whole_call_is_followed_by_one_of_another_name() {
    for id in [Value::Null, json!("x")] {
        let fragments = json!([
            {"index": 0, "id": id, "function": function("list", "{}")},
            {"index": 0, "id": id, "function": function("find", "{\"q\":1}")},
        ]);
        let expected = [
            ("list".to_owned(), json!({})),
            ("find".to_owned(), json!({"q": 1})),
        ];
        assert_eq!(calls(&fragments), expected, "{fragments}");
    }
}

#[test]
fn the_entries_of_one_list_are_calls_of_their_own() {
    let lists = [
        json!([{"index": 0, "function": function("now", "")}, {"index": 0, "function": function("list", "")}]),
        json!([{"function": function("now", "")}, {"function": function("now", "")}]),
        json!([{"name": "now"}, {"name": "list"}]),
    ];
    for list in lists {
        let mut assembly = Assembly::default();
        let entries = list.as_array().expect("a list");
        assembly.push_list(entries.iter().map(Fragment::from_chat));
        let found = assembly.finish(&mut Ids::default());
        assert_eq!(found.len(), 2, "{list}");
    }
    // Pieces of one call that a relay put together stay one call.
    let mut assembly = Assembly::default();
    assembly.push_list([
        Fragment::from_chat(
            &json!({"index": 0, "id": "x", "function": function("find", "{\"q\"")}),
        ),
        Fragment::from_chat(&json!({"index": 0, "function": {"arguments": ":1}"}})),
    ]);
    let found = assembly.finish(&mut Ids::default());
    assert_eq!(
        found.first().map(|call| &call.arguments),
        Some(&json!({"q": 1}))
    );
}

#[test]
fn a_call_without_arguments_has_an_empty_object() {
    for arguments in [
        json!(""),
        json!("{}"),
        json!({}),
        Value::Null,
        json!("null"),
    ] {
        let fragments = json!([{"index": 0, "id": "x", "function": function("now", arguments)}]);
        assert_eq!(
            calls(&fragments),
            [("now".to_owned(), json!({}))],
            "{fragments}"
        );
    }
    let fragments = json!([{"function": {"name": "now"}}, {"function": {"name": "list"}}]);
    assert_eq!(calls(&fragments).len(), 2);
}

#[test]
fn arguments_that_cannot_be_read_are_kept_as_text() {
    let fragments = json!([{"index": 0, "id": "x", "function": function("now", "{oops")}]);
    assert_eq!(calls(&fragments), [("now".to_owned(), json!("{oops"))]);
}

#[test]
fn a_call_without_a_name_is_dropped() {
    assert_eq!(
        calls(&json!([{"index": 0, "id": "x", "function": {"arguments": "{}"}}])),
        []
    );
}

#[test]
fn an_id_the_history_has_is_not_used_again() {
    let call = ToolCall {
        id: "call_0".into(),
        name: "now".into(),
        arguments: json!({}),
        echo: None,
        recovered: false,
    };
    let history = [Message::Assistant {
        text: String::new(),
        reasoning: None,
        echo: None,
        calls: vec![call],
    }];
    let fragments = json!([
        {"index": 0, "id": "call_0", "function": function("now", "")},
        {"index": 1, "id": "call_1", "function": function("now", "")},
    ]);
    let found = assemble(&fragments, &mut Ids::of(&history));
    let [first, second] = found.as_slice() else {
        panic!("two calls, not {found:?}")
    };
    assert_eq!(first.id.len(), 9);
    assert!(first.id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    assert_eq!(second.id, "call_1");
}

#[test]
fn what_the_service_wants_back_is_kept() {
    let fragments = json!([
        {"index": 0, "id": "x", "function": function("now", "{}"), "extra_content": {"sign": "abc"}},
    ]);
    let found = assemble(&fragments, &mut Ids::default());
    assert_eq!(
        found.first().and_then(|call| call.echo.clone()),
        Some(json!({"sign": "abc"}))
    );
}
