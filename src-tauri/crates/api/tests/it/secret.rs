//! Secrets for commands: kept by name, never told, taken out of what tools bring.

use serde_json::json;
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::open;

const VALUE: &str = "s3cr3t-9f2a77";

#[tokio::test]
async fn a_secret_is_known_by_its_name_alone() {
    let open = open().await;
    let save = json!({"name": "GITHUB_TOKEN", "value": VALUE});
    open.call("save_tool_secret", save).await;
    let listed = open.call("list_tool_secrets", json!({})).await;
    assert_eq!(listed, json!([{"name": "GITHUB_TOKEN"}]));
    let settings = fs_err::read_to_string(open.home.data_root().join("settings.yaml")).unwrap();
    assert!(settings.contains("GITHUB_TOKEN") && !settings.contains(VALUE));
    open.call("remove_tool_secret", json!({"name": "GITHUB_TOKEN"}))
        .await;
    assert_eq!(open.call("list_tool_secrets", json!({})).await, json!([]));
    for name in ["", "A B", "密钥"] {
        let refused = open
            .refusal("save_tool_secret", json!({"name": name, "value": VALUE}))
            .await;
        assert_eq!(refused["code"], "invalid_input", "{name}");
    }
}

#[tokio::test]
async fn a_file_that_holds_a_secret_is_read_without_it() {
    let open = open().await;
    let service = ScriptedService::start([
        Round::call("read_file", json!({"path": "config.txt"})),
        Round::text(["read"]),
    ])
    .unwrap();
    open.set_up(&service).await;
    open.call("save_tool_secret", json!({"name": "TOKEN", "value": VALUE}))
        .await;
    let files = open.home.data_root().join("files");
    fs_err::create_dir_all(&files).unwrap();
    fs_err::write(files.join("config.txt"), format!("token = {VALUE}\n")).unwrap();
    let events = open.say("read it").await;
    let result = &events.last().unwrap()["tool_calls"][0]["result"];
    assert!(result.as_str().unwrap().contains("[secret]"), "{result}");
    let sent = serde_json::to_string(
        &service
            .requests()
            .iter()
            .map(|it| it.body.clone())
            .collect::<Vec<_>>(),
    )
    .unwrap();
    assert!(!sent.contains(VALUE));
}
