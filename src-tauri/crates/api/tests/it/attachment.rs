//! Files that go with a message, from the front end to the database and back.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::open;

/// A picture of one red point.
const POINT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

#[tokio::test]
async fn a_file_that_was_taken_in_goes_with_its_message_and_can_be_read_back() {
    let (open, service) = (
        open().await,
        ScriptedService::start([Round::text(["red"])]).unwrap(),
    );
    open.set_up(&service).await;
    let session = open.session().await;
    let added = open
        .call("add_attachment", json!({"name": "点.png", "data": POINT}))
        .await;
    assert_eq!(added["media_type"], "image/png");
    let ids = json!([added["id"]]);
    open.call(
        "save_draft",
        json!({"session_id": session, "text": "", "attachments": ids}),
    )
    .await;
    let drafted = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(drafted["draft_attachments"], json!([added]));

    open.stream(
        "start_turn",
        json!({"session_id": session, "text": "", "attachments": ids}),
    )
    .await;
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(
        opened["turns"][0]["items"][0]["content"]["attachments"],
        json!([added])
    );
    assert_eq!(opened["draft_attachments"], json!([]));
    assert_eq!(opened["session"]["title"], "点.png");
    let read = open
        .call("read_attachment", json!({"id": added["id"]}))
        .await;
    assert_eq!(read["attachment"], added);
    let bytes = STANDARD.decode(read["data"].as_str().unwrap()).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    let sent = service.requests()[0].body["messages"][1].to_string();
    assert!(sent.contains("data:image/png;base64,iVBOR"), "{sent}");
}

#[tokio::test]
async fn what_can_not_be_sent_is_refused_with_what_to_do() {
    let open = open().await;
    for (data, words) in [
        (STANDARD.encode(b"PK\x03\x04\0\0"), "PNG, JPEG"),
        (String::new(), "empty"),
        ("not base64!".to_owned(), ""),
    ] {
        let refusal = open
            .refusal("add_attachment", json!({"name": "f", "data": data}))
            .await;
        assert_eq!(refusal["code"], "invalid_input");
        assert!(
            refusal["message"].as_str().unwrap().contains(words),
            "{refusal}"
        );
    }
    let session = open.session().await;
    let unknown = json!({
        "session_id": session, "text": "hi",
        "attachments": ["01890000-0000-7000-8000-000000000000"],
    });
    let refusal = open.refusal("save_draft", unknown).await;
    assert_eq!(refusal["code"], "not_found");
}

#[tokio::test]
async fn a_picture_in_the_clipboard_can_be_pasted() {
    let open = open().await;
    assert_eq!(open.call("paste_image", json!({})).await, Value::Null);
    *open.front_end.clipboard.lock().unwrap() = Some(STANDARD.decode(POINT).unwrap());
    let pasted = open.call("paste_image", json!({})).await;
    assert_eq!(pasted["name"], "image.png");
    assert_eq!(pasted["media_type"], "image/png");
}
