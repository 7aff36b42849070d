//! Tools that are found before they are called.

use serde_json::json;
use talaria_domain::ToolSpec;

use crate::call::Bench;

fn names(specs: &[ToolSpec]) -> Vec<&str> {
    specs.iter().map(|spec| spec.name.as_str()).collect()
}

#[test]
fn all_tools_are_offered_while_there_is_room() {
    let registry = Bench::new().registry;
    assert_eq!(registry.offered(4, |_| 1), registry.specs());
    assert_eq!(
        names(&registry.offered(3, |_| 1)),
        [
            "read_note",
            "save_note",
            "search_notes",
            "find_tools",
            "call_tool"
        ]
    );
}

#[test]
fn the_search_names_what_it_leads_to() {
    let offered = Bench::new().registry.offered(0, |_| 1);
    let search = offered.iter().find(|spec| spec.name == "find_tools");
    assert!(search.unwrap().description.contains(": list_notes."));
}

#[tokio::test]
async fn a_tool_is_found_by_its_words_and_told_with_its_schema() {
    let bench = Bench::new();
    for query in ["list all notes", "LISTING", "note"] {
        let found = bench.call("find_tools", json!({"query": query})).await;
        assert!(
            found.text.starts_with("list_notes: ") && found.text.contains("\"type\":\"object\""),
            "{query}: {}",
            found.text
        );
    }
    for query in ["", "天气", "weather"] {
        let found = bench.call("find_tools", json!({"query": query})).await;
        assert!(
            found.text.starts_with("No tool") && found.text.contains("list_notes: "),
            "{query}: {}",
            found.text
        );
    }
}

#[tokio::test]
async fn a_found_tool_is_called_by_its_name_or_through_call_tool() {
    let bench = Bench::new();
    let saved = json!({"title": "Beds", "content": "# Beds"});
    bench.json("save_note", saved).await;
    let wrapped = [
        json!({"name": "list_notes", "arguments": {}}),
        json!({"name": "list_notes"}),
        json!({"name": " list_notes ", "arguments": "{}"}),
        json!("{\"name\": \"list_notes\", \"arguments\": {\"limit\": \"5\"}}"),
    ];
    let plain = bench.call("list_notes", json!({})).await;
    for arguments in wrapped {
        let result = bench.call("call_tool", arguments.clone()).await;
        assert_eq!(result.text, plain.text, "{arguments}");
    }
}

#[tokio::test]
async fn a_wrong_call_through_call_tool_says_what_to_mend() {
    let bench = Bench::new();
    for (arguments, told) in [
        (json!({"arguments": {}}), "tool"),
        (json!({"name": "fly", "arguments": {}}), "no tool \"fly\""),
        (json!({"name": "read_note", "arguments": {}}), "title"),
        (
            json!({"name": "call_tool", "arguments": {"name": "list_notes", "arguments": {}}}),
            "not itself",
        ),
    ] {
        let result = bench.call("call_tool", arguments.clone()).await;
        assert!(
            result.is_error && result.text.contains(told),
            "{arguments}: {}",
            result.text
        );
    }
}
