use serde_json::{Value, json};
use talaria_domain::{
    Attachment, AttachmentId, Message, ModelName, ModelRequest, ToolCall, ToolChoice, ToolSpec,
};

use super::wire_id;
use crate::attachment::{Files, Reading};
use crate::dialect::{Dialect, Quirk};
use crate::echo::Maker;
use crate::history::History;

fn maker() -> Maker {
    Maker::model("h", "m")
}

/// The body with the history settled, as the client has it.
fn body(mut request: ModelRequest, dialect: &Dialect) -> Value {
    let files = Files::new();
    let mut reading = Reading::new(&files, dialect, true);
    let messages = std::mem::take(&mut request.messages);
    let history = History::settle(messages, &mut reading).expect("no files");
    super::body(&request, history.adapted(dialect), &maker(), dialect)
}

fn request(messages: Vec<Message>) -> ModelRequest {
    ModelRequest {
        model: ModelName::new("model-1").unwrap(),
        messages,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    }
}

fn user(text: &str) -> Message {
    Message::User {
        text: text.to_owned(),
        attachments: Vec::new(),
    }
}

fn model(text: &str, ids: &[&str]) -> Message {
    let call = |id: &&str| ToolCall {
        id: (*id).to_owned(),
        name: "now".to_owned(),
        arguments: json!({"zone": "UTC"}),
        echo: None,
        recovered: false,
    };
    Message::Assistant {
        text: text.to_owned(),
        reasoning: Some("hm".to_owned()),
        echo: None,
        calls: ids.iter().map(call).collect(),
    }
}

fn with_a_tool() -> ModelRequest {
    ModelRequest {
        tools: vec![ToolSpec {
            name: "now".to_owned(),
            description: "The time.".to_owned(),
            parameters: json!({"type": "object", "properties": {}}),
        }],
        tool_choice: ToolChoice::Required,
        max_output_tokens: Some(16),
        ..request(vec![user("a")])
    }
}

/// A member of the body.
fn part(request: ModelRequest, dialect: &Dialect, member: &str) -> Option<Value> {
    body(request, dialect).get(member).cloned()
}

#[test]
fn a_plain_request_keeps_nothing_at_the_service() {
    let messages = vec![
        Message::System {
            text: "Be kind.".to_owned(),
        },
        user("你好"),
    ];
    assert_eq!(
        body(request(messages), &Dialect::default()),
        json!({
            "model": "model-1",
            "instructions": "Be kind.",
            "input": [{"type": "message", "role": "user", "content": [
                {"type": "input_text", "text": "你好"},
            ]}],
            "stream": true,
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "reasoning": {"summary": "auto"},
        })
    );
}

#[test]
fn calls_and_their_results_are_items_of_their_own() {
    let messages = vec![
        user("when?"),
        model("Let me see.", &["call_1", "call_2"]),
        Message::Tool {
            call_id: "call_2".to_owned(),
            name: "now".to_owned(),
            text: "noon".to_owned(),
            is_error: false,
        },
        user("well?"),
    ];
    let input = part(request(messages), &Dialect::default(), "input").unwrap();
    let items: Vec<Value> = input.as_array().unwrap().clone();
    let kinds: Vec<&str> = items
        .iter()
        .map(|item| item["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "message",
            "message",
            "function_call",
            "function_call",
            "function_call_output",
            "function_call_output",
            "message"
        ]
    );
    assert_eq!(
        items[1],
        json!({"type": "message", "role": "assistant", "content": [
            {"type": "output_text", "text": "Let me see."},
        ]})
    );
    assert_eq!(
        items[2],
        json!({
            "type": "function_call", "call_id": "call_1", "name": "now",
            "arguments": "{\"zone\":\"UTC\"}",
        })
    );
    assert!(items[4]["output"].as_str().unwrap().contains("interrupted"));
    assert_eq!(
        items[5],
        json!({"type": "function_call_output", "call_id": "call_2", "output": "noon"})
    );
}

#[test]
fn tools_are_flat_and_not_strict() {
    let body = body(with_a_tool(), &Dialect::default());
    assert_eq!(
        body["tools"],
        json!([{
            "type": "function",
            "name": "now",
            "description": "The time.",
            "parameters": {"type": "object", "properties": {}},
            "strict": false,
        }])
    );
    assert_eq!(body["tool_choice"], "required");
    assert_eq!(body["max_output_tokens"], 16);
}

#[test]
fn what_a_service_refuses_is_left_out() {
    let refused = [
        Quirk::NoSealedReasoning,
        Quirk::NoSummary,
        Quirk::NoStore,
        Quirk::NoStrict,
        Quirk::NoMaxCompletionTokens,
        Quirk::NoToolChoice,
    ];
    let refused = refused.into_iter().fold(Dialect::default(), Dialect::with);
    let body = body(with_a_tool(), &refused);
    let mut members: Vec<&String> = body.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["input", "model", "stream", "tools"]);
    assert_eq!(body["tools"][0].get("strict"), None);
}

#[test]
fn ids_of_other_services_are_made_to_fit() {
    assert_eq!(wire_id("call_aB-9"), "call_aB-9");
    for odd in ["functions.now:0", "", "呼", &"x".repeat(65)] {
        let id = wire_id(odd);
        assert!(id.starts_with("call_") && id.len() < 64, "{odd} {id}");
        assert_eq!(id, wire_id(odd), "{odd}");
    }
    assert_ne!(wire_id("a.b"), wire_id("a:b"));
}

#[test]
fn files_stand_before_the_words_they_came_with() {
    let attachment = |media_type: &str, byte: u8| Attachment {
        id: AttachmentId::from_bytes([byte; 16]),
        name: "a.x".to_owned(),
        media_type: media_type.to_owned(),
        size: 1,
    };
    let sent = Message::User {
        text: "look".to_owned(),
        attachments: vec![attachment("image/png", 1), attachment("application/pdf", 2)],
    };
    let files = Files::from([1, 2].map(|byte| {
        let id = AttachmentId::from_bytes([byte; 16]);
        (id, vec![0].into())
    }));
    let dialect = Dialect::default();
    let mut reading = Reading::new(&files, &dialect, true);
    let history = History::settle(vec![sent], &mut reading).unwrap();
    let body = super::body(&request(Vec::new()), history, &maker(), &dialect);
    assert_eq!(
        body.pointer("/input/0/content"),
        Some(&json!([
            {"type": "input_image", "image_url": "data:image/png;base64,AA=="},
            {"type": "input_file", "filename": "a.x",
                "file_data": "data:application/pdf;base64,AA=="},
            {"type": "input_text", "text": "look"},
        ]))
    );
}

#[test]
fn what_is_sealed_goes_back_in_its_place_to_its_maker_only() {
    let thought =
        |seal: &str| json!({"type": "reasoning", "encrypted_content": seal, "summary": []});
    let outline = json!([
        {"kept": thought("one")},
        {"words": {"bytes": 5, "mark": "commentary"}},
        {"kept": thought("two")},
        "call",
    ]);
    let said = |maker: &Maker, dialect: &Dialect| {
        let Message::Assistant { calls, .. } = model("", &["a"]) else {
            unreachable!("it is the model's");
        };
        let messages = vec![
            user("when?"),
            Message::Assistant {
                text: "Wait.".to_owned(),
                reasoning: None,
                echo: Some(maker.seal(outline.clone())),
                calls,
            },
        ];
        let input = part(request(messages), dialect, "input").unwrap();
        input.as_array().unwrap().clone()
    };
    let plain = Dialect::default();
    let items = said(&maker(), &plain);
    assert_eq!(items[1], thought("one"));
    assert_eq!(
        items[2],
        json!({"type": "message", "role": "assistant", "phase": "commentary",
            "content": [{"type": "output_text", "text": "Wait."}]})
    );
    assert_eq!(items[3], thought("two"));
    assert_eq!(items[4]["type"], "function_call");
    assert_eq!(items[5]["type"], "function_call_output");
    for (maker, dialect) in [
        (Maker::model("h", "n"), plain.clone()),
        (Maker::model("i", "m"), plain.clone()),
        (maker(), plain.with(Quirk::NoEcho)),
    ] {
        let items = said(&maker, &dialect);
        let kinds: Vec<&Value> = items.iter().map(|item| &item["type"]).collect();
        assert_eq!(
            kinds,
            [
                "message",
                "message",
                "function_call",
                "function_call_output"
            ],
            "{maker:?}"
        );
        assert_eq!(items[1].get("phase"), None);
    }
}
