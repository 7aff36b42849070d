//! What a turn promises whatever happens: each request extends the last, nothing shown is lost,
//! nothing is sent that should not be.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use talaria_testkit::{Round, Step};

use crate::program::{KEY, Program};

/// The last event of a turn.
fn chat(program: &Program, arguments: &[&str]) -> Value {
    program
        .run(&[&["--json", "chat"], arguments].concat())
        .last()
}

#[test]
fn each_request_begins_with_the_one_before() {
    let program = Program::with([Round::text(["one"]), Round::text(["two"])]);
    let first = chat(&program, &["-m", "first"]);
    let session = first["session_id"].as_str().unwrap();
    let second = chat(&program, &["-s", session, "-m", "second"]);
    assert_eq!(second["session_id"], first["session_id"]);
    let requests = program.service.requests();
    let before = requests[0].body["messages"].as_array().unwrap();
    let after = requests[1].body["messages"].as_array().unwrap();
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(after[before.len()]["content"], "one");
}

#[test]
fn retries_are_counted_and_told() {
    let busy = || Round::error(503, "overloaded", "busy");
    let program = Program::with([busy(), Round::text(["at last"])]);
    let ran = program.run(&["--json", "chat", "--retries", "1", "-m", "hi"]);
    assert!(ran.lines().iter().any(|event| event["type"] == "retrying"));
    assert_eq!(ran.last()["text"], "at last");

    let program = Program::with([busy(), busy()]);
    assert_eq!(
        chat(&program, &["--retries", "0", "-m", "hi"])["code"],
        "overloaded"
    );
    assert_eq!(program.service.requests().len(), 1);
}

#[test]
fn an_empty_message_and_a_false_session_are_refused_before_anything_is_sent() {
    let program = Program::with([]);
    assert_eq!(chat(&program, &["-m", "  "])["code"], "invalid_input");
    assert_eq!(
        chat(&program, &["-s", "../x", "-m", "hi"])["code"],
        "invalid_input"
    );
    let unknown = "01890a5d-ac96-774b-bcce-b302099a8057";
    assert_eq!(
        chat(&program, &["-s", unknown, "-m", "hi"])["code"],
        "not_found"
    );
    assert!(program.service.requests().is_empty());
}

#[test]
fn a_service_that_repeats_the_key_does_not_get_it_shown() {
    let leak = format!("your key {KEY} is wrong");
    let program = Program::with([Round::error(401, "invalid_api_key", &leak)]);
    let ran = program.run(&["--json", "chat", "-m", "hi"]);
    assert_eq!(ran.last()["code"], "auth");
    assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{ran:?}");
}

#[test]
fn a_program_killed_while_it_answers_has_kept_what_it_showed() {
    let slow = Round::Answer(vec![
        Step::Text("these words were shown".into()),
        Step::Wait(Duration::from_secs(60)),
    ]);
    let program = Program::with([slow, Round::text(["again"])]);
    let mut child = program
        .home
        .command(env!("CARGO_BIN_EXE_talaria"))
        .env("TALARIA_BASE_URL", program.service.base_url())
        .env("TALARIA_MODEL", program.service.model())
        .args(["--json", "chat", "-m", "tell me"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let shown = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap())
        .find(|event| event["type"] == "text_delta")
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(shown["text"], "these words were shown");

    let session = program.run(&["--json", "session", "list"]).document()[0]["id"].clone();
    let session = session.as_str().unwrap();
    let export = program
        .run(&["--json", "session", "export", session])
        .document();
    assert_eq!(export["turns"][0]["state"], "interrupted");
    assert_eq!(
        export["turns"][0]["items"][1]["content"]["text"],
        "these words were shown"
    );
    assert_eq!(
        chat(&program, &["-s", session, "-m", "go on"])["text"],
        "again"
    );
}
