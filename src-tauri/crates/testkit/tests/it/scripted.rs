//! The scripted service as a client meets it.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService, Step};

/// Sends one request and reads the whole answer.
fn ask(service: &ScriptedService, head: &str, body: &str) -> String {
    let url = service.base_url();
    let address = url.trim_start_matches("http://").trim_end_matches("/v1");
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(stream, "{head} HTTP/1.1\r\nauthorization: Bearer k\r\n").unwrap();
    write!(stream, "content-length: {length}\r\n\r\n{body}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn chat(service: &ScriptedService) -> String {
    ask(
        service,
        "POST /v1/chat/completions",
        &json!({"model": "scripted"}).to_string(),
    )
}

/// The events' data of an answer, without the end mark.
fn events(answer: &str) -> Vec<Value> {
    let data = answer
        .lines()
        .filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| serde_json::from_str(data).ok())
        .collect()
}

fn text(answer: &str) -> String {
    let pieces = events(answer);
    let contents = pieces
        .iter()
        .filter_map(|event| event.pointer("/choices/0/delta/content"));
    contents.filter_map(Value::as_str).collect()
}

#[test]
fn rounds_are_played_in_order() {
    let rounds = [
        Round::text(["Hel", "lo"]),
        Round::call("list_notes", json!({})),
    ];
    let service = ScriptedService::start(rounds).unwrap();
    assert_eq!(text(&chat(&service)), "Hello");
    let second = chat(&service);
    assert!(
        second.contains("list_notes") && second.contains("tool_calls"),
        "{second}"
    );
}

#[test]
fn an_answer_ends_with_usage_and_the_end_mark() {
    let service = ScriptedService::start([Round::text(["ok"])]).unwrap();
    let answer = chat(&service);
    assert!(
        answer.ends_with("data: [DONE]\n\n\r\n0\r\n\r\n"),
        "{answer}"
    );
    let usage = events(&answer)
        .into_iter()
        .find_map(|event| event.get("usage")?.as_object().cloned());
    assert!(usage.is_some());
}

#[test]
fn a_cut_answer_has_no_end() {
    let steps = vec![
        Step::Text("half".into()),
        Step::Cut,
        Step::Text("never".into()),
    ];
    let service = ScriptedService::start([Round::Answer(steps)]).unwrap();
    let answer = chat(&service);
    assert_eq!(text(&answer), "half");
    assert!(
        !answer.contains("[DONE]") && !answer.ends_with("0\r\n\r\n"),
        "{answer}"
    );
}

#[test]
fn an_error_has_its_status_and_body() {
    let service = ScriptedService::start([Round::error(401, "invalid_api_key", "no")]).unwrap();
    let answer = chat(&service);
    assert!(
        answer.starts_with("HTTP/1.1 401 ") && answer.contains("invalid_api_key"),
        "{answer}"
    );
}

#[test]
fn a_request_beyond_the_script_is_told_so() {
    let service = ScriptedService::start([]).unwrap();
    assert!(chat(&service).contains("no more rounds"));
    service.push(Round::text(["again"]));
    assert_eq!(text(&chat(&service)), "again");
}

#[test]
fn requests_are_kept_with_their_authorization() {
    let service = ScriptedService::start([Round::text(["ok"])]).unwrap();
    chat(&service);
    let requests = service.requests();
    let seen: Vec<_> = requests
        .iter()
        .map(|it| (it.authorization.as_deref(), &it.body))
        .collect();
    assert_eq!(seen, [(Some("Bearer k"), &json!({"model": "scripted"}))]);
}

#[test]
fn its_model_is_listed() {
    let service = ScriptedService::start([]).unwrap();
    let answer = ask(&service, "GET /v1/models", "");
    assert!(answer.contains(service.model()), "{answer}");
}

#[test]
fn the_port_is_free_again_when_the_service_is_dropped() {
    let service = ScriptedService::start([]).unwrap();
    let url = service.base_url();
    let address = url
        .trim_start_matches("http://")
        .trim_end_matches("/v1")
        .to_owned();
    drop(service);
    let free = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        std::net::TcpListener::bind(&address).is_ok()
    });
    assert!(free, "{address} is still taken");
}
