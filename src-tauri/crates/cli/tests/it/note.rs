//! `talaria note`.

use serde_json::json;

use crate::program::Program;

#[test]
fn a_note_is_saved_listed_read_and_found() {
    let program = Program::with([]);
    let saved = program.run(&[
        "note",
        "save",
        "西湖: 三日",
        "--text",
        "# 西湖: 三日\n\n喝茶\n",
    ]);
    assert!(saved.ok, "{saved:?}");
    let listed = program.run(&["--json", "note", "list"]).document();
    assert_eq!(listed[0]["title"], "西湖: 三日");
    let read = program.run(&["note", "read", "西湖: 三日"]);
    assert!(read.out.contains("喝茶"), "{read:?}");
    let search = |words| program.run(&["--json", "note", "search", words]).document();
    assert_eq!(search("喝茶")[0]["path"], listed[0]["path"]);
    assert_eq!(search("咖啡"), json!([]));
}

#[test]
fn a_text_can_come_through_standard_input() {
    let program = Program::with([]);
    assert!(
        program
            .run_with(&["note", "save", "Plan"], &[], "from a pipe\n")
            .ok
    );
    assert!(
        program
            .run(&["note", "read", "Plan"])
            .out
            .contains("from a pipe")
    );
}

#[test]
fn saving_again_replaces_the_text_of_the_same_note() {
    let program = Program::with([]);
    for text in ["first", "second"] {
        assert!(program.run(&["note", "save", "Plan", "--text", text]).ok);
    }
    let listed = program.run(&["--json", "note", "list"]).document();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert!(
        program
            .run(&["note", "read", "Plan"])
            .out
            .contains("second")
    );
}
