//! `talaria trace`.

use serde_json::{Value, json};
use talaria_testkit::Round;

use crate::program::{KEY, Program};

/// A program whose one turn saved a note, and that turn's id.
fn worked() -> (Program, String) {
    let program = Program::with([
        Round::call("save_note", json!({"title": "杭州", "text": "三天"})),
        Round::text(["Saved."]),
    ]);
    let last = program.run(&["--json", "chat", "-m", "Keep this"]).last();
    let id = last["turn_id"].as_str().unwrap().to_owned();
    (program, id)
}

fn list(program: &Program, query: &str) -> Vec<Value> {
    let listed = program.run(&["--json", "trace", "list", "--query", query]);
    listed.document().as_array().unwrap().clone()
}

#[test]
fn a_turn_is_listed_and_found_by_what_it_did() {
    let (program, id) = worked();
    for query in ["", "杭州", "州", "save_note", "SAVE_NOTE 三天"] {
        let found = list(&program, query);
        assert_eq!(found.len(), 1, "{query}");
        assert_eq!(found[0]["turn_id"], json!(id));
        assert_eq!(found[0]["state"], "finished");
        assert_eq!(found[0]["title"], "Keep this");
    }
    assert!(list(&program, "上海").is_empty());
    assert!(list(&program, "NEAR(").is_empty());
}

#[test]
fn what_a_turn_did_is_shown_step_by_step() {
    let (program, id) = worked();
    let trace = program.run(&["--json", "trace", "show", &id]).document();
    let kinds: Vec<&str> = trace["spans"]
        .as_array()
        .unwrap()
        .iter()
        .map(|span| span["content"]["kind"].as_str().unwrap())
        .collect();
    for kind in ["turn", "choice", "request", "tool_call"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    assert_eq!(kinds.iter().filter(|kind| **kind == "request").count(), 2);
    let words = program.run(&["trace", "show", &id]);
    assert!(words.ok && words.out.contains("save_note"), "{words:?}");
}

#[test]
fn a_trace_is_exported_as_spans_of_an_agent() {
    let (program, id) = worked();
    let document = program.run(&["trace", "export", &id]).document();
    let spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
        .as_array()
        .unwrap()
        .clone();
    let operation = |span: &Value| {
        let attributes = span["attributes"].as_array().unwrap();
        let found = attributes
            .iter()
            .find(|attribute| attribute["key"] == "gen_ai.operation.name");
        found.map(|found| found["value"]["stringValue"].as_str().unwrap().to_owned())
    };
    let root = spans
        .iter()
        .find(|span| operation(span).as_deref() == Some("invoke_agent"))
        .unwrap();
    assert_eq!(root["parentSpanId"], "");
    for span in &spans {
        assert_eq!(span["traceId"], id.replace('-', ""));
        assert_eq!(span["spanId"].as_str().map(str::len), Some(16));
        if span != root {
            assert_eq!(span["parentSpanId"], root["spanId"]);
        }
    }
    let names: Vec<&str> = spans
        .iter()
        .map(|span| span["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"execute_tool save_note"), "{names:?}");
    assert_eq!(
        names
            .iter()
            .filter(|name| name.starts_with("chat "))
            .count(),
        2
    );
}

#[test]
fn the_key_of_the_environment_is_in_no_file() {
    let leak = format!("the key {KEY} is on the list");
    let program = Program::with([
        Round::call("save_note", json!({"title": "x", "text": leak})),
        Round::text(["ok"]),
    ]);
    assert!(program.run(&["chat", "-m", "hi"]).ok);
    let traces = program.home.data_root().join("traces.db");
    for file in [traces.clone(), traces.with_extension("db-wal")] {
        let bytes = fs_err::read(file).unwrap_or_default();
        assert!(
            !bytes
                .windows(KEY.len())
                .any(|window| window == KEY.as_bytes())
        );
    }
}

#[test]
fn a_turn_without_a_trace_is_not_found() {
    let program = Program::with([]);
    let unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
    for (id, code) in [(unknown, "not_found"), ("../x", "invalid_input")] {
        let ran = program.run(&["--json", "trace", "show", id]);
        assert!(!ran.ok);
        assert_eq!(ran.last()["code"], code);
    }
}

#[test]
fn traces_that_are_damaged_stop_no_turn() {
    let program = Program::with([Round::text(["one"])]);
    assert!(program.run(&["note", "list"]).ok);
    fs_err::write(program.home.data_root().join("traces.db"), [0xFF; 9000]).unwrap();
    let last = program.run(&["--json", "chat", "-m", "hi"]).last();
    assert_eq!(last["text"], "one");
    assert_eq!(list(&program, "").len(), 1);
}
