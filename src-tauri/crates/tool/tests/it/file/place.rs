//! What is no ordinary file, and what others may read while a file is changed.

use serde_json::json;

use super::Desk;

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_is_refused_and_holds_nobody_up() {
    let desk = Desk::new();
    let pipe = desk.work().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for (tool, arguments) in [
        ("read_file", json!({"path": "pipe"})),
        ("write_file", json!({"path": "pipe", "content": "x"})),
        (
            "edit_file",
            json!({"path": "pipe", "old_text": "a", "new_text": "b"}),
        ),
    ] {
        let result = desk.run(tool, arguments).await;
        assert!(
            result.is_error && result.text.contains("no ordinary file"),
            "{}",
            result.text
        );
    }
    let found = desk.run("search_files", json!({"text": "x"})).await;
    assert_eq!(found.text, "Nothing was found.");
}

#[cfg(unix)]
#[tokio::test]
async fn a_changed_file_can_be_read_by_whom_it_could_before_and_by_nobody_else() {
    use std::os::unix::fs::PermissionsExt;

    for mode in [0o600, 0o640, 0o755] {
        let desk = Desk::new();
        desk.put("a.sh", "one\n");
        let file = desk.work().join("a.sh");
        let permissions = std::fs::Permissions::from_mode(mode);
        fs_err::set_permissions(&file, permissions).unwrap();
        desk.read("a.sh").await;
        let edit = json!({"path": "a.sh", "old_text": "one", "new_text": "two"});
        let result = desk.run("edit_file", edit).await;
        assert!(!result.is_error, "{}", result.text);
        let now = fs_err::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!((desk.get("a.sh").as_str(), now), ("two\n", mode));
    }
}

#[tokio::test]
async fn a_file_with_a_line_too_long_to_be_shown_is_not_replaced_whole() {
    let desk = Desk::new();
    desk.put("a.txt", format!("one\n{}\n", "x".repeat(5_000)));
    desk.read("a.txt").await;
    let write = json!({"path": "a.txt", "content": "x"});
    let result = desk.run("write_file", write).await;
    assert!(result.text.contains("not read whole"), "{}", result.text);
    let edit = json!({"path": "a.txt", "old_text": "one", "new_text": "1"});
    assert!(!desk.run("edit_file", edit).await.is_error);
}

#[tokio::test]
async fn a_file_is_changed_on_a_thread_that_may_block() {
    let desk = Desk::new();
    let write = json!({"path": "a.txt", "content": "x"});
    assert!(!desk.run("write_file", write).await.is_error);
    let thread = desk.log.thread.lock().unwrap().unwrap();
    assert_ne!(thread, std::thread::current().id());
}
