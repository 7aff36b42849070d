use serde_json::{Value, json};
use talaria_domain::{ModelName, ModelRequest, ToolChoice, ToolSpec};

use super::Offer;

fn offer(schema: Value) -> Offer {
    let find = ToolSpec {
        name: "find".to_owned(),
        description: String::new(),
        parameters: schema,
    };
    Offer::of(&ModelRequest {
        model: ModelName::new("m").unwrap(),
        messages: Vec::new(),
        tools: vec![find],
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    })
}

/// The value as an argument of this schema, if it fits.
fn fit(schema: &Value, value: &Value) -> Option<Value> {
    let tree = json!({"type": "object", "required": ["leaf"], "properties": {
        "leaf": {"type": "integer"}, "more": {"$ref": "#/$defs/Tree"}}});
    let offer = offer(json!({
        "type": "object", "properties": {"a": schema}, "required": ["a"],
        "$defs": {"Tree": tree, "Loop": {"$ref": "#/$defs/Loop"}},
    }));
    let arguments = json!({"a": value}).as_object().cloned()?;
    offer.named("find")?.fit(arguments)?.get("a").cloned()
}

#[test]
fn values_that_fit_are_brought_to_their_type() {
    let tree = json!({"$ref": "#/$defs/Tree"});
    let maybe = json!({"anyOf": [{"type": "integer"}, {"type": "null"}]});
    let cases = [
        (json!({"type": "string"}), json!("x"), json!("x")),
        (json!({"type": "string"}), json!(3), json!("3")),
        (json!({"type": "integer"}), json!(3), json!(3)),
        (json!({"type": "integer"}), json!("3"), json!(3)),
        (json!({"type": "integer"}), json!(3.0), json!(3)),
        (json!({"type": "number"}), json!(3), json!(3)),
        (json!({"type": "number"}), json!("2.5"), json!(2.5)),
        (json!({"type": "boolean"}), json!("False"), json!(false)),
        (json!({"type": "array"}), json!("[1]"), json!([1])),
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            json!(["1"]),
            json!([1]),
        ),
        (
            json!({"type": "object"}),
            json!("{\"b\":1}"),
            json!({"b": 1}),
        ),
        (
            json!({"type": ["string", "null"]}),
            json!(null),
            json!(null),
        ),
        (
            json!({"type": ["integer", "string"]}),
            json!("3"),
            json!("3"),
        ),
        (maybe.clone(), json!("3"), json!(3)),
        (maybe, json!(null), json!(null)),
        (
            json!({"type": "string", "nullable": true}),
            json!(null),
            json!(null),
        ),
        (json!({"enum": ["x", 2]}), json!(2), json!(2)),
        (json!({"const": "x"}), json!("x"), json!("x")),
        (
            tree,
            json!({"leaf": "1", "more": {"leaf": 2}}),
            json!({"leaf": 1, "more": {"leaf": 2}}),
        ),
        (json!({}), json!([null]), json!([null])),
        (json!({"$ref": "elsewhere"}), json!(1), json!(1)),
    ];
    for (schema, value, expected) in cases {
        assert_eq!(fit(&schema, &value), Some(expected), "{value} as {schema}");
    }
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let tree = json!({"$ref": "#/$defs/Tree"});
    let cases = [
        (json!({"type": "string"}), json!(true)),
        (json!({"type": "string"}), json!(null)),
        (json!({"type": "string"}), json!(["x"])),
        (json!({"type": "integer"}), json!(2.5)),
        (json!({"type": "integer"}), json!("2.5")),
        (json!({"type": "integer"}), json!("two")),
        (json!({"type": "integer"}), json!(1e300)),
        (json!({"type": "number"}), json!("\"2\"")),
        (json!({"type": "boolean"}), json!(1)),
        (json!({"type": "boolean"}), json!("yes")),
        (json!({"type": "array"}), json!("x")),
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            json!(["x"]),
        ),
        (json!({"type": "object"}), json!("[]")),
        (json!({"enum": ["x"]}), json!("y")),
        (json!({"const": "x"}), json!("y")),
        (
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            json!("x"),
        ),
        (tree.clone(), json!({"more": {"leaf": 1}})),
        (tree, json!({"leaf": 1, "more": {}})),
    ];
    for (schema, value) in cases {
        assert_eq!(fit(&schema, &value), None, "{value} as {schema}");
    }
}

#[test]
fn an_optional_argument_that_is_null_is_left_out() {
    let offer = offer(json!({"properties": {"a": {"type": "string"}}}));
    let arguments = json!({"a": null, "b": null}).as_object().cloned().unwrap();
    let fitting = offer.named("find").unwrap().fit(arguments);
    assert_eq!(fitting, Some(json!({"b": null})));
}

#[test]
fn a_schema_that_refers_to_itself_for_ever_does_no_harm() {
    fit(&json!({"$ref": "#/$defs/Loop"}), &json!(1));
    fit(&json!({"anyOf": [{"$ref": "#/$defs/Loop"}]}), &json!(1));
}

#[test]
fn a_text_means_what_the_tool_wants() {
    let offer = offer(json!({"properties": {
        "word": {"type": "string"}, "count": {"type": "integer"}, "maybe": {"type": ["string", "null"]},
        "sort": {"enum": ["1", "x"]}, "list": {"anyOf": [{"type": "array"}, {"type": "null"}]}}}));
    let tool = offer.named("find").unwrap();
    let cases = [
        ("word", "7", json!("7")),
        ("word", " null", json!(" null")),
        ("count", " 7 ", json!(7)),
        ("count", "many", json!("many")),
        ("maybe", "null", json!(null)),
        ("maybe", "7", json!("7")),
        ("sort", "1", json!("1")),
        ("list", "[1]", json!([1])),
        ("list", "null", json!(null)),
        ("else", "7", json!("7")),
    ];
    for (key, text, expected) in cases {
        assert_eq!(tool.value(key, text), expected, "{key}: {text}");
    }
}

#[test]
fn a_name_may_have_its_namespace_before_it() {
    let offer = offer(json!({}));
    for (name, known) in [
        ("find", true),
        ("functions.find", true),
        ("find.call", true),
        ("fin", false),
        ("", false),
    ] {
        assert_eq!(offer.named(name).is_some(), known, "{name}");
    }
    for (start, known) in [
        ("", true),
        ("fi", true),
        ("func", true),
        ("functions.f", true),
        ("find.c", true),
        ("lo", false),
        ("finder", false),
    ] {
        assert_eq!(offer.has_beginning(start), known, "{start}");
    }
}
