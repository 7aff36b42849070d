//! What a session may do, and where, as a front end says it.

use serde_json::{Value, json};

use crate::fixture::{Open, open};

/// A folder outside the data root.
fn place(open: &Open, name: &str) -> String {
    let path = open.home.data_root().with_file_name(name);
    fs_err::create_dir_all(&path).unwrap();
    fs_err::canonicalize(path).unwrap().display().to_string()
}

fn folder(path: &str) -> Value {
    json!({"path": path, "access": "write", "trusted": false})
}

#[tokio::test]
async fn a_session_begins_with_talarias_folder_for_files() {
    let open = open().await;
    let session = open.session().await;
    let folders = open
        .call("list_folders", json!({"session_id": session}))
        .await;
    let files = fs_err::canonicalize(open.home.data_root().join("files")).unwrap();
    assert_eq!(folders, json!([folder(&files.display().to_string())]));
}

#[tokio::test]
async fn a_granted_folder_comes_first_and_can_be_taken_away() {
    let open = open().await;
    let (session, site) = (open.session().await, place(&open, "网站"));
    let granted = json!({"session_id": session, "folder": folder(&format!("{site}/./../网站"))});
    open.call("grant_folder", granted).await;
    let listed = open
        .call("list_folders", json!({"session_id": session}))
        .await;
    assert_eq!(listed[0], folder(&site));
    let gone = json!({"session_id": session, "path": site});
    open.call("revoke_folder", gone.clone()).await;
    assert_eq!(
        open.refusal("revoke_folder", gone).await["code"],
        "not_found"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_granted_as_what_it_leads_to() {
    let open = open().await;
    let (session, site) = (open.session().await, place(&open, "site"));
    let link = open.home.data_root().with_file_name("link");
    std::os::unix::fs::symlink(&site, &link).unwrap();
    let granted = json!({"session_id": session, "folder": folder(&link.display().to_string())});
    open.call("grant_folder", granted).await;
    let listed = open
        .call("list_folders", json!({"session_id": session}))
        .await;
    assert_eq!(listed[0], folder(&site));
}

#[tokio::test]
async fn folders_that_hold_too_much_are_not_granted() {
    let open = open().await;
    let session = open.session().await;
    let root = open.home.data_root().display().to_string();
    let inside = open.home.data_root().join("notes").display().to_string();
    for path in ["/", "/etc", "relative", "/no/such/folder", &root, &inside] {
        let asked = json!({"session_id": session, "folder": folder(path)});
        let refused = open.refusal("grant_folder", asked).await;
        assert_eq!(refused["code"], "invalid_input", "{path}");
    }
}

#[tokio::test]
async fn new_sessions_begin_in_the_mode_of_the_settings() {
    let open = open().await;
    let rule = json!({"tool": "terminal", "pattern": "git push", "verdict": "deny"});
    let update = json!({"default_mode": "edit_files", "rules": [rule]});
    let settings = open.call("update_settings", update).await;
    assert_eq!(settings["default_mode"], "edit_files");
    assert_eq!(settings["rules"], json!([rule]));
    let session = open.session().await;
    let mode = |opened: Value| opened["session"]["mode"].clone();
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(mode(opened), "edit_files");
    let act_freely = json!({"session_id": session, "mode": "act_freely"});
    open.call("set_session_mode", act_freely).await;
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(mode(opened), "act_freely");
}
