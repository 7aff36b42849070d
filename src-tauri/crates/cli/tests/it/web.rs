//! `talaria web`: a service is chosen, shown, asked and forgotten.

use serde_json::{Value, json};

use crate::program::Program;

/// An address of this computer where nobody answers.
const NOWHERE: &str = "http://127.0.0.1:9";

#[test]
fn a_search_service_is_chosen_shown_and_forgotten() {
    let program = Program::with([]);
    let shown = || program.run(&["--json", "web", "show"]).document();
    assert_eq!(shown()["service"], Value::Null);

    let set = program.run(&["web", "set", "searxng", "--address", NOWHERE]);
    assert!(set.ok, "{set:?}");
    let view = shown();
    assert_eq!(
        (&view["service"], &view["base_url"], &view["has_key"]),
        (&json!("searxng"), &json!(NOWHERE), &json!(false))
    );
    let listed = program.run(&["web", "show"]).out;
    let marked: Vec<&str> = listed
        .lines()
        .filter(|line| line.starts_with('*'))
        .collect();
    assert!(
        marked.len() == 1 && marked[0].contains("searxng"),
        "{listed}"
    );

    assert!(program.run(&["web", "remove"]).ok);
    assert_eq!(shown()["service"], Value::Null);
}

#[test]
fn a_search_that_can_not_be_made_says_why() {
    let program = Program::with([]);
    let none = program.run(&["web", "search", "raised beds"]);
    assert!(
        !none.ok && none.err.contains("choose a service"),
        "{none:?}"
    );
    let keyless = program.run(&["web", "set", "brave"]);
    assert!(
        !keyless.ok && keyless.err.contains("needs a key"),
        "{keyless:?}"
    );
    let unknown = program.run(&["web", "set", "altavista"]);
    assert!(
        !unknown.ok && unknown.err.contains("searxng"),
        "{unknown:?}"
    );

    assert!(
        program
            .run(&["web", "set", "searxng", "--address", NOWHERE])
            .ok
    );
    let unreached = program.run(&["--json", "web", "search", "raised beds"]);
    assert!(!unreached.ok, "{unreached:?}");
    assert_eq!(unreached.last()["code"], "network");
}
