//! Files that a turn changed: with leave, shown as a diff, and put back.

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::{Open, open};

/// A session that may change files in Talaria's own folder without being asked.
async fn at_work(open: &Open) -> Value {
    let session = open.session().await;
    let mode = json!({"session_id": session, "mode": "edit_files"});
    open.call("set_session_mode", mode).await;
    session
}

async fn writes(open: &Open, session: &Value) {
    let turn = json!({"session_id": session, "text": "write it"});
    let events = open.stream("start_turn", turn).await;
    let end = events.last().unwrap();
    assert_eq!(end["tool_calls"][0]["is_error"], false, "{end}");
}

#[tokio::test]
async fn a_changed_file_is_listed_undone_and_marked() {
    let open = open().await;
    let service = ScriptedService::start([
        Round::call("write_file", json!({"path": "计划.md", "content": "one\n"})),
        Round::text(["written"]),
    ])
    .unwrap();
    open.set_up(&service).await;
    let session = at_work(&open).await;
    writes(&open, &session).await;
    let file = open.home.data_root().join("files/计划.md");
    assert_eq!(fs_err::read_to_string(&file).unwrap(), "one\n");

    let of_session = json!({ "session_id": session });
    let changes = open.call("list_file_changes", of_session.clone()).await;
    assert_eq!(changes[0]["diff"]["change"], "created");
    assert_eq!(changes[0]["undone"], false);

    let ids = json!({"ids": [changes[0]["id"]]});
    let left = open.call("undo_file_changes", ids.clone()).await;
    assert_eq!(left[0]["undone"], true);
    assert!(!file.exists());
    assert_eq!(
        open.refusal("undo_file_changes", ids).await["code"],
        "not_found"
    );
}

#[tokio::test]
async fn a_file_that_was_changed_since_is_left_alone() {
    let open = open().await;
    let service = ScriptedService::start([
        Round::call("write_file", json!({"path": "a.md", "content": "one\n"})),
        Round::text(["written"]),
    ])
    .unwrap();
    open.set_up(&service).await;
    let session = at_work(&open).await;
    writes(&open, &session).await;
    let file = open.home.data_root().join("files/a.md");
    fs_err::write(&file, "mine\n").unwrap();
    let changes = open
        .call("list_file_changes", json!({ "session_id": session }))
        .await;
    let refused = open
        .refusal("undo_file_changes", json!({"ids": [changes[0]["id"]]}))
        .await;
    assert_eq!(refused["code"], "conflict");
    assert!(refused["message"].as_str().unwrap().contains("a.md"));
    assert_eq!(fs_err::read_to_string(&file).unwrap(), "mine\n");
}

#[tokio::test]
async fn a_change_that_was_built_upon_is_not_undone_alone() {
    let open = open().await;
    let edit = json!({"path": "a.md", "old_text": "one", "new_text": "two"});
    let service = ScriptedService::start([
        Round::call("write_file", json!({"path": "a.md", "content": "one\n"})),
        Round::call("edit_file", edit),
        Round::text(["written"]),
    ])
    .unwrap();
    open.set_up(&service).await;
    let session = at_work(&open).await;
    writes(&open, &session).await;
    let changes = open
        .call("list_file_changes", json!({ "session_id": session }))
        .await;
    let id = |at: usize| changes[at]["id"].clone();
    let refused = open
        .refusal("undo_file_changes", json!({"ids": [id(0)]}))
        .await;
    assert_eq!(refused["code"], "conflict", "{refused}");
    open.call("undo_file_changes", json!({"ids": [id(1)]}))
        .await;
    let file = open.home.data_root().join("files/a.md");
    assert_eq!(fs_err::read_to_string(&file).unwrap(), "one\n");
    open.call("undo_file_changes", json!({"ids": [id(0)]}))
        .await;
    assert!(!file.exists());
}

#[tokio::test]
async fn a_search_of_a_granted_folder_shows_nothing_of_a_file_with_secrets() {
    let open = open().await;
    let service = ScriptedService::start([
        Round::call("search_files", json!({"text": "bean"})),
        Round::text(["found"]),
    ])
    .unwrap();
    open.set_up(&service).await;
    let session = at_work(&open).await;
    let files = open.home.data_root().join("files");
    fs_err::create_dir_all(&files).unwrap();
    fs_err::write(files.join(".env"), "TOKEN=bean-42\n").unwrap();
    fs_err::write(files.join("a.txt"), "a bean\n").unwrap();
    let turn = json!({"session_id": session, "text": "look"});
    let events = open.stream("start_turn", turn).await;
    let result = &events.last().unwrap()["tool_calls"][0]["result"];
    let result = result.as_str().unwrap();
    assert!(
        result.contains("a bean") && !result.contains("TOKEN"),
        "{result}"
    );
}
