use std::time::SystemTime;

use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::failure::from_answer;

/// What the services are known to say: a status, what it means with the window it tells, a body.
const SAID: &str = include_str!("said.tsv");

#[test]
fn what_services_are_known_to_say_is_understood() {
    let mut service = "";
    let mut count = 0;
    for line in SAID.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("# ") {
            service = name;
            continue;
        }
        let [status, meaning, body] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line of three fields, not {line}")
        };
        let status = StatusCode::from_bytes(status.as_bytes()).expect("a status");
        let failure = from_answer(
            status,
            &HeaderMap::new(),
            body.as_bytes(),
            SystemTime::UNIX_EPOCH,
        );
        let limit = failure.limit.map(|limit| format!(" {limit}"));
        let found = format!("{}{}", failure.code, limit.unwrap_or_default());
        assert_eq!(found, meaning, "{service}: {status} {body}");
        assert!(!failure.message.is_empty(), "{service}: {status} {body}");
        assert!(!failure.message.contains("<html"), "{service}: {body}");
        count += 1;
    }
    assert!(count > 100, "the table is read");
}
