//! `talaria session`.

use serde_json::{Value, json};
use talaria_testkit::Round;

use crate::program::Program;

/// A program with one session, and that session's id.
fn spoken() -> (Program, String) {
    let program = Program::with([Round::text(["杭州的三天行程。"])]);
    let last = program.run(&["--json", "chat", "-m", "Plan a trip"]).last();
    let id = last["session_id"].as_str().unwrap().to_owned();
    (program, id)
}

fn count(listed: &Value) -> usize {
    listed.as_array().map_or(0, Vec::len)
}

#[test]
fn a_session_is_listed_with_a_title_of_its_first_words() {
    let (program, id) = spoken();
    let listed = program.run(&["--json", "session", "list"]).document();
    assert_eq!(count(&listed), 1);
    assert_eq!(
        (&listed[0]["id"], &listed[0]["title"]),
        (&json!(id), &json!("Plan a trip"))
    );
}

#[test]
fn two_chinese_characters_are_found() {
    let (program, id) = spoken();
    let hits = program
        .run(&["--json", "session", "search", "行程"])
        .document();
    assert_eq!(hits[0]["session_id"], json!(id));
    assert_eq!(
        program
            .run(&["--json", "session", "search", "上海"])
            .document(),
        json!([])
    );
}

#[test]
fn the_messages_that_were_sent_can_be_seen() {
    let (program, id) = spoken();
    let ran = program.run(&["--json", "session", "show", &id, "--sent"]);
    let sent = ran.document();
    assert_eq!(sent[0]["role"], "system", "{ran:?}");
    assert!(sent.to_string().contains("Plan a trip"));
}

#[test]
fn an_exported_session_comes_back_as_a_new_one() {
    let (program, id) = spoken();
    let exported = program.run(&["session", "export", &id]);
    let file = program.home.path().join("session.json");
    fs_err::write(&file, &exported.out).unwrap();
    let imported = program.run(&["--json", "session", "import", file.to_str().unwrap()]);
    assert!(imported.ok, "{imported:?}");
    assert_ne!(imported.document()["id"], json!(id));
    assert_eq!(
        count(&program.run(&["--json", "session", "list"]).document()),
        2
    );
}

#[test]
fn a_fork_is_a_session_of_its_own() {
    let (program, id) = spoken();
    let forked = program.run(&["--json", "session", "fork", &id]).document();
    let fork = forked["id"].as_str().unwrap();
    assert!(program.run(&["session", "show", fork]).out.contains("杭州"));
    assert!(program.run(&["session", "delete", &id]).ok);
    let left = program.run(&["--json", "session", "list"]).document();
    assert_eq!((count(&left), &left[0]["id"]), (1, &json!(fork)));
}
