//! `talaria provider` and `talaria doctor`.

use serde_json::json;
use talaria_testkit::Round;

use crate::program::Program;

fn proving() -> Program {
    // The key and the answer each ask once, the tool call twice.
    Program::with([
        Round::text(["Hello."]),
        Round::text(["Hello."]),
        Round::call("look_up_word", json!({"topic": "talaria"})),
        Round::text(["kingfisher"]),
    ])
}

#[test]
fn the_models_of_the_service_are_listed() {
    let program = Program::with([]);
    let ran = program.run(&["--json", "provider", "models"]);
    let listed = ran.document()[0].clone();
    assert_eq!(listed["name"], program.service.model(), "{ran:?}");
    assert_eq!(listed["facts"]["context_window"], 32_768, "{ran:?}");
    // It runs on this computer.
    assert_eq!(listed["facts"]["price"]["usual"]["output"], 0, "{ran:?}");
}

#[test]
fn a_proof_goes_through_all_its_steps() {
    let ran = proving().run(&["--json", "provider", "test"]);
    let lines = ran.lines();
    let passed: Vec<_> = lines
        .iter()
        .filter(|line| line["state"] == "passed")
        .map(|line| line["step"].as_str().unwrap())
        .collect();
    assert!(ran.ok, "{ran:?}");
    assert_eq!(
        passed,
        ["reach", "key", "models", "answer", "tool_call", "window"],
        "{ran:?}"
    );
}

#[test]
fn a_refused_key_fails_the_proof() {
    let program = Program::with([Round::error(401, "invalid_api_key", "No such key.")]);
    let ran = program.run(&["--json", "provider", "test"]);
    let failed = ran
        .lines()
        .into_iter()
        .find(|line| line["state"] == "failed");
    assert!(!ran.ok, "{ran:?}");
    assert_eq!(failed.map(|line| line["code"].clone()), Some(json!("auth")));
}

#[test]
fn the_doctor_says_what_to_do_where_something_is_wrong() {
    let program = Program::with([]);
    let ran = program.run(&["--json", "doctor"]);
    let checks = ran.document();
    assert!(
        !ran.ok,
        "a service that answers nothing is not healthy: {ran:?}"
    );
    for check in checks.as_array().unwrap() {
        let hinted = check["hint"].as_str().is_some_and(|hint| !hint.is_empty());
        assert_eq!(check["passed"] == false, hinted, "{check}");
    }
}
