//! `talaria chat`.

use serde_json::json;
use talaria_testkit::{Round, Step};

use crate::program::{KEY, Program};

#[test]
fn a_turn_prints_its_answer() {
    let program = Program::with([Round::text(["Hel", "lo."])]);
    let ran = program.run(&["chat", "-m", "Hi"]);
    assert!(ran.ok && ran.out.trim() == "Hello.", "{ran:?}");
}

#[test]
fn the_last_event_tells_the_whole_turn() {
    let save = json!({"title": "会议纪要", "content": "# 会议纪要\n"});
    let program = Program::with([Round::call("save_note", save), Round::text(["Saved."])]);
    let ran = program.run(&["--json", "chat", "-m", "把要点存成笔记"]);
    let last = ran.last();
    assert_eq!(last["type"], "turn_finished", "{ran:?}");
    assert_eq!(last["text"], "Saved.");
    assert_eq!(last["finish"], "stop");
    assert_eq!(last["tool_calls"][0]["name"], "save_note");
    assert_eq!(last["tool_calls"][0]["arguments"]["title"], "会议纪要");
    assert_eq!(last["tool_calls"][0]["is_error"], false);
    assert!(program.home.data_root().join("notes/会议纪要.md").is_file());
}

#[test]
fn a_call_that_was_printed_as_text_is_run_and_told_as_that() {
    let printed = "Saving.\n<tool_call>\n{\"name\": \"save_note\", \"arguments\": {\"title\": \"雨\", \"content\": \"# 雨\"}}\n</tool_call>";
    let rounds = || {
        [
            Round::text(printed.split_inclusive(' ')),
            Round::text(["Saved."]),
        ]
    };
    let program = Program::with(rounds());
    let ran = program.run(&["--json", "chat", "-m", "Hi"]);
    assert_eq!(
        ran.last()["tool_calls"][0]["arguments"]["title"],
        "雨",
        "{ran:?}"
    );
    assert!(ran.out.contains("\"recovered\":true"), "{ran:?}");
    assert!(!ran.out.contains("<tool_call>"), "{ran:?}");
    assert!(program.home.data_root().join("notes/雨.md").is_file());
    // The model sees its words and its call as if it had made it in the usual way.
    let sent = program.service.requests().pop().unwrap().body["messages"].clone();
    let answer = sent
        .as_array()
        .unwrap()
        .iter()
        .rfind(|message| message["role"] == "assistant");
    let answer = answer.unwrap();
    assert_eq!(answer["content"], "Saving.");
    assert_eq!(answer["tool_calls"][0]["function"]["name"], "save_note");
    let ran = Program::with(rounds()).run(&["chat", "-m", "Hi"]);
    assert!(ran.err.contains("recovered"), "{ran:?}");
}

#[test]
fn words_that_turn_out_to_be_reasoning_are_no_answer() {
    let rounds = || [Round::text(["Hm, ", "so.\n</thi", "nk>\n\nYes."])];
    let ran = Program::with(rounds()).run(&["--json", "chat", "-m", "Hi"]);
    assert_eq!(ran.last()["text"], "Yes.", "{ran:?}");
    let ran = Program::with(rounds()).run(&["chat", "-m", "Hi"]);
    assert!(ran.out.ends_with("\nYes.\n"), "{ran:?}");
    assert!(ran.err.contains("reasoning"), "{ran:?}");
}

#[test]
fn the_key_reaches_the_service_and_nothing_on_disk() {
    let program = Program::with([Round::text(["ok"])]);
    assert!(program.run(&["chat", "-m", "Hi"]).ok);
    let requests = program.service.requests();
    let authorization = requests.first().and_then(|it| it.authorization.clone());
    assert_eq!(authorization, Some(format!("Bearer {KEY}")));
    let found = program
        .home
        .command("grep")
        .arg("-r")
        .arg(KEY)
        .arg(program.home.path())
        .output();
    assert_eq!(found.unwrap().stdout, b"", "the key lies on the disk");
}

#[test]
fn a_session_goes_on_with_what_was_said() {
    let program = Program::with([Round::text(["One."]), Round::text(["Two."])]);
    let first = program
        .run(&["--json", "chat", "-m", "first question"])
        .last();
    let session = first["session_id"].as_str().unwrap();
    assert!(
        program
            .run(&["chat", "-s", session, "-m", "second question"])
            .ok
    );
    let sent = program.service.requests().pop().unwrap().body["messages"].to_string();
    for said in ["first question", "One.", "second question"] {
        assert!(sent.contains(said), "{said} is missing in {sent}");
    }
}

#[test]
fn a_message_can_come_through_standard_input() {
    let program = Program::with([Round::text(["ok"])]);
    assert!(
        program
            .run_with(&["chat", "-m", "-"], &[], "from a pipe")
            .ok
    );
    let sent = program.service.requests().pop().unwrap().body["messages"].to_string();
    assert!(sent.contains("from a pipe"), "{sent}");
}

#[test]
fn a_cut_answer_is_kept_and_told_with_its_code() {
    let cut = || Round::Answer(vec![Step::Text("Half".into()), Step::Cut]);
    let program = Program::with([cut(), cut()]);
    let ran = program.run(&["--json", "chat", "--retries", "0", "-m", "Hi"]);
    let last = ran.last();
    assert!(!ran.ok, "{ran:?}");
    assert_eq!(
        (&last["type"], &last["code"]),
        (&json!("error"), &json!("stream_cut"))
    );
    let session = last["session_id"].as_str().unwrap();
    let shown = program.run(&["session", "show", session]);
    assert!(shown.out.contains("Half"), "{shown:?}");
}

#[test]
fn a_file_goes_along_and_is_carried_over_with_its_session() {
    let program = Program::with([Round::text(["It says hello."])]);
    let file = program.home.path().join("问候.txt");
    fs_err::write(&file, "hello from a file").unwrap();
    let ran = program.run(&[
        "--json",
        "chat",
        "-m",
        "What?",
        "--attach",
        file.to_str().unwrap(),
    ]);
    let id = ran.last()["session_id"].as_str().unwrap().to_owned();
    let sent = program.service.requests()[0].body["messages"][1].to_string();
    assert!(
        sent.contains("问候.txt") && sent.contains("hello from a file"),
        "{sent}"
    );

    let exported = program.home.path().join("session.json");
    fs_err::write(&exported, program.run(&["session", "export", &id]).out).unwrap();
    let imported = program.run(&["--json", "session", "import", exported.to_str().unwrap()]);
    let copy = imported.document()["id"].as_str().unwrap().to_owned();
    program.run(&["session", "delete", &id]);
    let again = program
        .run(&["--json", "session", "export", &copy])
        .document();
    assert_eq!(again["attachments"][0]["data"], "aGVsbG8gZnJvbSBhIGZpbGU=");
    let shown = program
        .run(&["--json", "session", "show", &copy])
        .document();
    assert_eq!(shown["attachments"], serde_json::Value::Null);
}

#[test]
fn a_file_that_no_service_takes_is_refused_before_anything_is_sent() {
    let program = Program::with([]);
    let file = program.home.path().join("a.zip");
    fs_err::write(&file, b"PK\x03\x04\0\0").unwrap();
    let ran = program.run(&[
        "--json",
        "chat",
        "-m",
        "Hi",
        "--attach",
        file.to_str().unwrap(),
    ]);
    assert!(!ran.ok);
    assert_eq!(ran.last()["code"], "invalid_input");
}

#[test]
fn where_nobody_can_be_asked_a_call_that_needs_it_is_not_done() {
    let file = || json!({"path": "雨.md", "content": "雨"});
    let rounds = || {
        [
            Round::call("write_file", file()),
            Round::text(["Not written."]),
        ]
    };
    for json in [true, false] {
        let program = Program::with(rounds());
        let root = program.home.data_root();
        let arguments = ["--json", "chat", "-m", "Hi"];
        let ran = program.run(&arguments[usize::from(!json)..]);
        assert!(ran.ok, "{ran:?}");
        assert!(!root.join("files/雨.md").exists());
        if json {
            let result = ran.last()["tool_calls"][0]["result"].clone();
            assert!(result.as_str().unwrap().contains("Nobody can be asked"));
            assert!(ran.out.contains("\"end\":\"unasked\""), "{ran:?}");
        } else {
            assert!(ran.err.contains("--yes"), "{ran:?}");
        }
    }
}

#[test]
fn a_yes_to_what_there_is_not_lists_what_there_is() {
    let program = Program::with([]);
    let ran = program.run(&["--json", "chat", "--yes", "emails", "-m", "Hi"]);
    let last = ran.last();
    assert_eq!(last["code"], "invalid_input", "{ran:?}");
    for known in ["file", "terminal", "web", "notes", "save_note"] {
        assert!(last["message"].as_str().unwrap().contains(known), "{ran:?}");
    }
    assert!(program.service.requests().is_empty());
}
