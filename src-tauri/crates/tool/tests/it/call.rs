//! Calls with something wrong are answered, never lost.

use serde_json::{Value, json};
use talaria_domain::{SessionId, Timestamp, ToolCall, ToolResult};
use talaria_note::Notebook;
use talaria_tool::{Registry, ToolContext};
use tempfile::TempDir;

pub(crate) struct Bench {
    _folder: TempDir,
    pub(crate) notebook: Notebook,
    pub(crate) registry: Registry,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let notebook = Notebook::open(folder.path()).unwrap();
        Self {
            _folder: folder,
            registry: Registry::built_in(notebook.clone()),
            notebook,
        }
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> ToolResult {
        self.registry
            .run(
                &call(name, arguments),
                &ToolContext {
                    session_id: session(),
                },
            )
            .await
    }

    pub(crate) async fn json(&self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments).await;
        assert!(!result.is_error, "{}", result.text);
        serde_json::from_str(&result.text).unwrap()
    }
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "c1".to_owned(),
        name: name.to_owned(),
        arguments,
        echo: None,
        recovered: false,
    }
}

pub(crate) fn session() -> SessionId {
    SessionId::from_parts(Timestamp::from_millis(1), [3; 10])
}

#[test]
fn the_specs_have_a_stable_order_and_strict_schemas() {
    let specs = Bench::new().registry.specs();
    let names: Vec<_> = specs.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(
        names,
        ["list_notes", "read_note", "save_note", "search_notes"]
    );
    for spec in &specs {
        let schema = &spec.parameters;
        assert_eq!(schema["type"], "object", "{}", spec.name);
        assert_eq!(schema["additionalProperties"], false, "{}", spec.name);
        for required in schema["required"].as_array().unwrap() {
            assert!(
                schema["properties"][required.as_str().unwrap()].is_object(),
                "{}",
                spec.name
            );
        }
        assert!(spec.description.len() < 250, "{}", spec.name);
    }
}

#[tokio::test]
async fn an_unknown_tool_is_answered_with_close_names() {
    let bench = Bench::new();
    let table = [
        ("saveNote", "save_note"),
        ("read-notes", "read_note"),
        ("", "list_notes, read_note"),
        ("browse", "list_notes, read_note"),
    ];
    for (name, named) in table {
        let result = bench.call(name, json!({})).await;
        assert!(
            result.is_error && result.text.contains(named),
            "{name}: {}",
            result.text
        );
    }
}

#[tokio::test]
async fn wrong_arguments_are_answered_with_what_to_mend() {
    let bench = Bench::new();
    let table = [
        ("read_note", json!([]), "one JSON object"),
        ("read_note", json!("{\"title\": "), "break off"),
        ("read_note", json!({}), "missing field `title`"),
        (
            "save_note",
            json!({"title": "a"}),
            "missing field `content`",
        ),
        (
            "save_note",
            json!({"title": "a", "content": {"b": 1}}),
            "content must be of type string",
        ),
        ("search_notes", json!({"query": "  "}), "not empty"),
        (
            "list_notes",
            json!({"limit": "some"}),
            "limit must be of type integer",
        ),
    ];
    for (name, arguments, told) in table {
        let result = bench.call(name, arguments).await;
        assert!(
            result.is_error && result.text.contains(told),
            "{name}: {}",
            result.text
        );
    }
    assert!(bench.notebook.list().unwrap().is_empty());
}

#[tokio::test]
async fn plain_slips_in_arguments_are_mended() {
    let bench = Bench::new();
    assert_eq!(bench.json("list_notes", Value::Null).await["total"], 0);
    assert_eq!(
        bench.json(" list_notes ", json!({"limit": "3"})).await["total"],
        0
    );
    let text = "{\"title\": \" a \", \"text\": \"x\"}";
    assert_eq!(bench.json("save_note", json!(text)).await["path"], "a.md");
}

#[test]
fn text_that_is_no_json_is_read_as_it_was_meant_for_a_known_tool_only() {
    let bench = Bench::new();
    let meant = |name: &str, arguments: Value| bench.registry.meant(&call(name, arguments));
    assert_eq!(
        meant("read_note", json!("{title: '雨',}")),
        Some(json!({"title": "雨"}))
    );
    assert_eq!(meant("read_note", json!("{title: '雨")), None);
    assert_eq!(meant("read_note", json!({"title": "雨"})), None);
    assert_eq!(meant("fly", json!("{title: '雨'}")), None);
}
