use serde_json::json;
use talaria_domain::{
    Attachment, AttachmentId, ItemContent, Notice, Timestamp, ToolCall, ToolResult,
};

use super::{Columns, INTERRUPTED, closed_call, from_columns, to_columns};

fn call(result: Option<ToolResult>) -> ItemContent {
    let call = ToolCall {
        id: "c1".into(),
        name: "save_note".into(),
        arguments: json!({"title": "雨"}),
        echo: Some(json!("sig")),
        recovered: true,
    };
    ItemContent::ToolCall {
        call,
        result,
        round: 2,
        approval: None,
    }
}

#[test]
fn every_kind_comes_back_as_it_was() {
    let result = ToolResult::success("ok");
    for content in [
        ItemContent::UserText {
            text: "你好".into(),
            attachments: Vec::new(),
        },
        ItemContent::UserText {
            text: "what is it?".into(),
            attachments: vec![Attachment {
                id: AttachmentId::from_parts(Timestamp::from_millis(1), [1; 10]),
                name: "猫.png".into(),
                media_type: "image/png".into(),
                size: 3,
            }],
        },
        ItemContent::ModelText {
            text: "{\"kind\":1}".into(),
        },
        ItemContent::Reasoning {
            text: String::new(),
            echo: Some(json!({"blocks": []})),
        },
        ItemContent::Reasoning {
            text: "hm".into(),
            echo: None,
        },
        ItemContent::Notice {
            notice: Notice::ToolsLeftOut,
        },
        call(None),
        call(Some(result)),
    ] {
        let Columns { kind, body, beside } = to_columns(&content).unwrap();
        assert_eq!(
            from_columns(kind, body.into_owned(), beside.as_deref()).unwrap(),
            content
        );
    }
}

#[test]
fn a_call_without_a_result_is_closed_and_one_with_a_result_is_left() {
    let close = |content: &ItemContent| {
        let Columns { kind, body, .. } = to_columns(content).unwrap();
        from_columns(kind, closed_call(&body).unwrap(), None).unwrap()
    };
    let closed = ToolResult::failure(INTERRUPTED);
    assert_eq!(close(&call(None)), call(Some(closed)));
    let done = call(Some(ToolResult::success("saved")));
    assert_eq!(close(&done), done);
}

#[test]
fn an_unknown_kind_is_an_error() {
    assert!(from_columns("hologram", String::new(), None).is_err());
}
