//! Calls with something wrong are answered, never lost.

use std::sync::Arc;

use serde_json::{Value, json};
use talaria_domain::{ItemId, SessionId, Timestamp, ToolCall, ToolResult, TurnId};
use talaria_note::Notebook;
use talaria_tool::{Registry, Spill, ToolContext, note_tools};
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
            registry: Registry::of(note_tools(notebook.clone()), Arc::new(NoSpill)),
            notebook,
        }
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> ToolResult {
        let mut context = context();
        match self.registry.plan(call(name, arguments), &context).await {
            Ok((call, act)) => {
                context.digest = act.digest;
                self.registry.run(&call, &context).await
            }
            Err((_, refused)) => refused,
        }
    }

    /// The arguments as the tool would get them; none where the call is refused.
    async fn settled(&self, name: &str, arguments: Value) -> Option<Value> {
        let planned = self.registry.plan(call(name, arguments), &context()).await;
        planned.ok().map(|(call, _)| call.arguments)
    }

    pub(crate) async fn json(&self, name: &str, arguments: Value) -> Value {
        let result = self.call(name, arguments).await;
        assert!(!result.is_error, "{}", result.text);
        serde_json::from_str(&result.text).unwrap()
    }
}

pub(crate) fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "c1".to_owned(),
        name: name.to_owned(),
        arguments,
        echo: None,
        recovered: false,
    }
}

pub(crate) fn context() -> ToolContext<'static> {
    ToolContext {
        session_id: session(),
        turn_id: TurnId::from_parts(Timestamp::from_millis(1), [4; 10]),
        item_id: ItemId::from_parts(Timestamp::from_millis(1), [5; 10]),
        folders: &[],
        working_folder: std::path::PathBuf::new(),
        withheld: Arc::new(|_| false),
        digest: String::new(),
        output: &|_| {},
    }
}

/// Keeps nothing: what is too long is cut.
pub(crate) struct NoSpill;

impl Spill for NoSpill {
    fn keep(&self, _session: SessionId, _item: ItemId, _text: &str) -> Option<String> {
        None
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
        assert!(!schema.to_string().contains("\"x-"), "{}", spec.name);
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
        (
            "read_note",
            json!({}),
            "title is missing; it must be of type string",
        ),
        ("save_note", json!({"title": "a"}), "content is missing"),
        (
            "save_note",
            json!({"title": "a", "content": {"b": 1}}),
            "content must be of type string",
        ),
        (
            "search_notes",
            json!({"query": "  ", "limit": -1, "offset": "few"}),
            "limit must be at least 0, not -1; offset must be of type integer, not \"few\"; \
             query must be a text that is not empty",
        ),
        (
            "list_notes",
            json!({"limit": "some"}),
            "limit must be of type integer",
        ),
        (
            "save_note",
            json!({"titel": "a", "content": 1.5, "tags": []}),
            "tags is not known; there are content, title, version; titel is not known; did you mean title?",
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

#[tokio::test]
async fn text_that_is_no_json_is_read_as_it_was_meant_for_a_known_tool_only() {
    let bench = Bench::new();
    let rain = Some(json!({"title": "雨"}));
    for (name, arguments, settled) in [
        ("read_note", json!("{title: '雨',}"), &rain),
        ("read_note", json!({"title": "雨"}), &rain),
        ("read_note", json!("{title: '雨"), &None),
        ("fly", json!("{title: '雨'}"), &None),
    ] {
        let found = bench.settled(name, arguments.clone()).await;
        assert_eq!(&found, settled, "{name} {arguments}");
    }
}
