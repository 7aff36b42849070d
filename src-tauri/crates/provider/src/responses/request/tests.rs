use serde_json::{Value, json};
use talaria_domain::{Message, ModelRequest};

use super::wire_id;
use crate::dialect::{Dialect, Quirk};
use crate::echo::Maker;
use crate::sample::{calls, model, request, result, system, user, written, written_with_files};

fn maker() -> Maker {
    Maker::model("h", "m")
}

fn body(request: ModelRequest, dialect: &Dialect) -> Value {
    written(request, dialect, |request, history| {
        super::body(request, history, &maker(), dialect)
    })
}

fn with_a_tool() -> ModelRequest {
    crate::sample::with_a_tool(16, json!({"type": "object", "properties": {}}))
}

/// A member of the body.
fn part(request: ModelRequest, dialect: &Dialect, member: &str) -> Option<Value> {
    body(request, dialect).get(member).cloned()
}

#[test]
fn a_plain_request_keeps_nothing_at_the_service() {
    let messages = vec![system(), user("你好")];
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
        model("Let me see.", calls(&["call_1", "call_2"])),
        result("call_2", "noon"),
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
    let dialect = Dialect::default();
    let body = written_with_files(&dialect, |request, history| {
        super::body(request, history, &maker(), &dialect)
    });
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
        let messages = vec![
            user("when?"),
            Message::Assistant {
                text: "Wait.".to_owned(),
                reasoning: None,
                echo: Some(maker.seal(outline.clone())),
                calls: calls(&["a"]),
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
