use serde_json::{Value, json};
use talaria_domain::{Message, ModelName, ModelRequest};

use crate::dialect::{Dialect, Quirk};
use crate::echo::Maker;
use crate::sample::{
    calls, request, result, system, tool, user, with_a_tool, written, written_with_files,
};

fn maker() -> Maker {
    Maker::model("h", "m")
}

fn body(request: ModelRequest, dialect: &Dialect) -> Value {
    written(request, dialect, |request, history| {
        super::body(request, history, &maker(), dialect)
    })
}

fn model(text: &str, ids: &[&str]) -> Message {
    crate::sample::model(text, calls(ids))
}

/// A service that keeps no cache, so that no marks stand in the way.
fn unmarked() -> Dialect {
    Dialect::default().with(Quirk::NoCacheMarks)
}

#[test]
fn a_plain_request_has_its_system_text_outside_the_messages() {
    let messages = vec![system(), user("你好")];
    assert_eq!(
        body(request(messages), &unmarked()),
        json!({
            "model": "model-1",
            "max_tokens": 32000,
            "system": [{"type": "text", "text": "Be kind."}],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "你好"}]}],
            "stream": true,
        })
    );
}

#[test]
fn results_come_first_and_together_and_reasoning_stays_here() {
    let messages = vec![
        user("when?"),
        model("Let me see. \n", &["a.1", "b"]),
        result("b", "noon"),
        Message::Tool {
            call_id: "a.1".to_owned(),
            name: "now".to_owned(),
            text: "broken".to_owned(),
            is_error: true,
        },
        user("well?"),
    ];
    let body = body(request(messages), &unmarked());
    assert_eq!(
        *body.get("messages").unwrap(),
        json!([
            {"role": "user", "content": [{"type": "text", "text": "when?"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Let me see. \n"},
                {"type": "tool_use", "id": "a_1", "name": "now", "input": {"zone": "UTC"}},
                {"type": "tool_use", "id": "b", "name": "now", "input": {"zone": "UTC"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a_1", "content": "broken", "is_error": true},
                {"type": "tool_result", "tool_use_id": "b", "content": "noon"},
                {"type": "text", "text": "well?"},
            ]},
        ])
    );
}

#[test]
fn roles_alternate_when_the_model_calls_again() {
    let messages = vec![
        user("when?"),
        model("", &["a"]),
        result("a", "x"),
        model("", &["b"]),
    ];
    let body = body(request(messages), &unmarked());
    let roles: Vec<_> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["role"].clone())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant", "user"]);
}

#[test]
fn tools_and_the_limit_are_sent_when_asked_for() {
    let request = with_a_tool(16, json!({"type": "object", "properties": {}}));
    let body = body(request, &unmarked());
    assert_eq!(body["max_tokens"], 16);
    assert_eq!(body["tool_choice"], json!({"type": "any"}));
    assert_eq!(
        body["tools"][0]["input_schema"],
        json!({"type": "object", "properties": {}})
    );
}

#[test]
fn the_start_and_the_end_of_the_talk_are_marked_for_the_cache() {
    let talk = vec![
        user("when?"),
        model("", &["a", "b"]),
        result("a", "noon"),
        result("b", "night"),
        user("where?"),
        model("Here.", &[]),
        user("why?"),
    ];
    let marks = |messages: Vec<Message>| {
        let request = ModelRequest {
            tools: vec![tool(json!({}))],
            ..request(messages)
        };
        let body = body(request, &Dialect::default());
        let is_marked = |pointer: &&str| {
            let block = body.pointer(pointer).unwrap_or(&Value::Null);
            block.get("cache_control") == Some(&json!({"type": "ephemeral"}))
        };
        let all = body.to_string().matches("cache_control").count();
        let places = [
            "/tools/0",
            "/system/0",
            "/messages/0/content/0",
            "/messages/2/content/1",
            "/messages/2/content/2",
            "/messages/4/content/0",
        ];
        let found: Vec<&str> = places.into_iter().filter(is_marked).collect();
        (found, all)
    };
    let end = ["/messages/2/content/2", "/messages/4/content/0"];
    assert_eq!(marks(talk.clone()), (vec!["/tools/0", end[0], end[1]], 3));
    let whole = [vec![system()], talk].concat();
    assert_eq!(marks(whole), (vec!["/system/0", end[0], end[1]], 3));
}

#[test]
fn a_model_that_thinks_unseen_is_asked_to_tell_its_thoughts() {
    let asked = |name: &str, dialect: &Dialect| {
        let request = ModelRequest {
            model: ModelName::new(name).unwrap(),
            ..request(vec![user("a")])
        };
        body(request, dialect).get("thinking").cloned()
    };
    let thinking = json!({"type": "adaptive", "display": "summarized"});
    let plain = Dialect::default();
    assert_eq!(asked("claude-opus-5-5", &plain), Some(thinking));
    assert_eq!(asked("claude-sonnet-4-5", &plain), None);
    let refused = plain.with(Quirk::NoSummary);
    assert_eq!(asked("claude-opus-5-5", &refused), None);
}

#[test]
fn files_stand_before_the_words_they_came_with() {
    let dialect = unmarked();
    let body = written_with_files(&dialect, |request, history| {
        super::body(request, history, &maker(), &dialect)
    });
    assert_eq!(
        body.pointer("/messages/0/content"),
        Some(&json!([
            {"type": "image", "source": {
                "type": "base64", "media_type": "image/png", "data": "AA==",
            }},
            {"type": "document", "title": "a.x", "source": {
                "type": "base64", "media_type": "application/pdf", "data": "AA==",
            }},
            {"type": "text", "text": "look"},
        ]))
    );
}

/// A called tool, answered, with thoughts around it, under a seal.
fn thoughtful(sealed: Value) -> Vec<Message> {
    vec![
        user("when?"),
        Message::Assistant {
            text: "Let me see.".to_owned(),
            reasoning: None,
            echo: Some(sealed),
            calls: calls(&["a"]),
        },
        result("a", "noon"),
    ]
}

#[test]
fn signed_thoughts_go_back_in_their_places_to_their_maker_only() {
    let thought = |text: &str| json!({"type": "thinking", "thinking": text, "signature": "QUJD"});
    let outline = json!([
        {"kept": thought("one")},
        {"words": {"bytes": 11}},
        {"kept": thought("two")},
        "call",
    ]);
    let said = |maker: &Maker, dialect: &Dialect| {
        let messages = thoughtful(maker.seal(outline.clone()));
        body(request(messages), dialect)["messages"][1]["content"].clone()
    };
    let words = json!({"type": "text", "text": "Let me see."});
    let call = json!({"type": "tool_use", "id": "a", "name": "now", "input": {"zone": "UTC"}});
    let plain = unmarked();
    assert_eq!(
        said(&maker(), &plain),
        json!([thought("one"), words, thought("two"), call])
    );
    for other in [
        Maker::model("h", "n"),
        Maker::model("i", "m"),
        Maker::service("h"),
    ] {
        assert_eq!(said(&other, &plain), json!([words, call]), "{other:?}");
    }
    let refused = plain.with(Quirk::NoEcho);
    assert_eq!(said(&maker(), &refused), json!([words, call]));
}

#[test]
fn thoughts_that_no_longer_fit_are_left_to_the_service() {
    let loose = Dialect::default().with(Quirk::LooseThoughts);
    let asked = |name: &str, dialect: &Dialect| {
        let request = ModelRequest {
            model: ModelName::new(name).unwrap(),
            ..request(vec![user("a")])
        };
        body(request, dialect)["thinking"].clone()
    };
    let binding = json!({"prefix_mismatch_behavior": "drop_block"});
    assert_eq!(
        asked("claude-opus-5-5", &loose),
        json!({"type": "adaptive", "display": "summarized", "block_binding": binding})
    );
    assert_eq!(
        asked("claude-opus-5-5", &loose.clone().with(Quirk::NoSummary)),
        json!({"type": "adaptive", "block_binding": binding})
    );
    assert!(super::beta(&loose).is_some());
    assert_eq!(super::beta(&Dialect::default()), None);
}
