//! Failures: an object on standard output with `--json`, words on standard error without.

use talaria_testkit::Round;

use crate::program::Program;

#[test]
fn a_service_failure_has_a_code_a_message_and_a_hint() {
    let cases = [
        (401, "invalid_api_key", "auth"),
        (404, "model_not_found", "model_not_found"),
        (402, "insufficient_quota", "billing"),
    ];
    for (status, said, code) in cases {
        let program = Program::with([Round::error(status, said, "The service says no.")]);
        let ran = program.run(&["--json", "chat", "--retries", "0", "-m", "Hi"]);
        let last = ran.last();
        assert!(!ran.ok && last["type"] == "error", "{ran:?}");
        assert_eq!(last["code"], code, "{ran:?}");
        assert!(
            last["hint"].as_str().is_some_and(|hint| !hint.is_empty()),
            "{ran:?}"
        );
    }
}

#[test]
fn a_hint_is_in_the_users_language() {
    let program = Program::with([]);
    let ran = program.run_with(&["note", "read", "nothing"], &[("LANG", "zh_CN.UTF-8")], "");
    assert!(!ran.ok && ran.err.starts_with("错误"), "{ran:?}");
}

#[test]
fn what_is_not_there_is_told_so() {
    let program = Program::with([]);
    let absent = "0198c0de-0000-7000-8000-000000000000";
    for (arguments, code) in [
        (&["--json", "session", "show", absent][..], "not_found"),
        (&["--json", "session", "show", "../../etc"], "invalid_input"),
        (&["--json", "note", "read", "nothing"], "not_found"),
    ] {
        let ran = program.run(arguments);
        assert!(!ran.ok, "{ran:?}");
        assert_eq!(ran.last()["code"], code, "{arguments:?}");
    }
}

#[test]
fn without_a_model_the_way_to_one_is_told() {
    let program = Program::with([]);
    let none = [
        ("TALARIA_BASE_URL", ""),
        ("TALARIA_MODEL", ""),
        ("TALARIA_API_KEY", ""),
    ];
    let ran = program.run_with(&["chat", "-m", "Hi"], &none, "");
    assert!(
        !ran.ok && ran.err.contains("talaria provider add"),
        "{ran:?}"
    );
}
