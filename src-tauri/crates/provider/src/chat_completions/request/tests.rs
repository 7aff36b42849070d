mod strict;

use serde_json::{Value, json};
use talaria_domain::{Message, ModelRequest, ToolCall};

use crate::dialect::{Dialect, Quirk};
use crate::echo::Maker;
use crate::sample::{
    call, request, result, system, tool, user, with_a_tool, written, written_with_files,
};

fn body(request: ModelRequest, host: &str, dialect: &Dialect) -> Value {
    written(request, dialect, |request, history| {
        super::body(request, history, host, dialect)
    })
}

fn called(call: ToolCall) -> Vec<Message> {
    let result = result(&call.id, "noon");
    vec![
        user("when?"),
        Message::Assistant {
            text: String::new(),
            reasoning: None,
            echo: None,
            calls: vec![call],
        },
        result,
    ]
}

fn at<'a>(body: &'a Value, pointer: &str) -> &'a Value {
    body.pointer(pointer).unwrap_or(&Value::Null)
}

#[test]
fn a_plain_request_holds_nothing_but_what_is_needed() {
    let messages = vec![system(), user("你好")];
    let body = body(request(messages), "h", &Dialect::default());
    assert_eq!(
        body,
        json!({
            "model": "model-1",
            "messages": [
                {"role": "system", "content": "Be kind."},
                {"role": "user", "content": "你好"},
            ],
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
}

#[test]
fn tools_and_the_limit_are_sent_when_asked_for() {
    let request = with_a_tool(64, json!({"type": "object"}));
    let body = body(request, "h", &Dialect::default());
    assert_eq!(at(&body, "/tool_choice"), "required");
    assert_eq!(at(&body, "/max_tokens"), 64);
    let parameters = at(&body, "/tools/0/function/parameters");
    assert_eq!(*parameters, json!({"type": "object", "properties": {}}));
}

#[test]
fn a_call_and_its_result_stand_one_behind_the_other() {
    let body = body(request(called(call("c1"))), "h", &Dialect::default());
    assert_eq!(
        *at(&body, "/messages/1"),
        json!({
            "role": "assistant",
            "content": "",
            "tool_calls": [{
                "id": "c1",
                "type": "function",
                "function": {"name": "now", "arguments": "{\"zone\":\"UTC\"}"},
            }],
        })
    );
    assert_eq!(
        *at(&body, "/messages/2"),
        json!({"role": "tool", "tool_call_id": "c1", "content": "noon"})
    );
}

/// The request to `host`, as what is known of it wants it.
fn sent_to(host: &str, messages: Vec<Message>) -> Value {
    body(request(messages), host, &Dialect::of_host(host))
}

/// The messages as one sees them who has this quirk.
fn seen_with(quirk: Quirk, messages: Vec<Message>) -> Value {
    let dialect = Dialect::default().with(quirk);
    at(&body(request(messages), "h", &dialect), "/messages").clone()
}

fn thought(reasoning: Option<&str>, calls: Vec<ToolCall>) -> Message {
    Message::Assistant {
        text: "b".to_owned(),
        reasoning: reasoning.map(str::to_owned),
        echo: None,
        calls,
    }
}

#[test]
fn reasoning_goes_back_with_its_calls_and_only_where_it_is_demanded() {
    for (host, calls, sent) in [
        ("api.deepseek.com", vec![call("c1")], json!("hm")),
        ("api.moonshot.ai", vec![call("c1")], json!("hm")),
        ("api.deepseek.com", vec![], Value::Null),
        ("api.openai.com", vec![call("c1")], Value::Null),
        ("notdeepseek.com", vec![call("c1")], Value::Null),
    ] {
        let body = sent_to(host, vec![user("a"), thought(Some("hm"), calls)]);
        assert_eq!(*at(&body, "/messages/1/reasoning_content"), sent, "{host}");
    }
}

#[test]
fn what_was_learnt_about_reasoning_counts_more_than_the_host() {
    let messages = || {
        vec![
            user("a"),
            thought(None, vec![]),
            user("b"),
            thought(Some("hm"), vec![]),
        ]
    };
    let always = seen_with(Quirk::ReasoningAlways, messages());
    assert_eq!(*at(&always, "/1/reasoning_content"), ".");
    assert_eq!(*at(&always, "/3/reasoning_content"), "hm");

    let never = Dialect::of_host("api.deepseek.com").with(Quirk::NoReasoning);
    let messages = vec![user("a"), thought(Some("hm"), vec![call("c1")])];
    let body = body(request(messages), "api.deepseek.com", &never);
    assert_eq!(*at(&body, "/messages/1/reasoning_content"), Value::Null);
}

#[test]
fn an_echo_goes_back_only_to_the_host_it_came_from() {
    let sealed = Maker::service("one.example").seal(json!({"sign": "abc"}));
    let call = ToolCall {
        echo: Some(sealed),
        ..call("c1")
    };
    for (host, expected) in [
        ("one.example", json!({"sign": "abc"})),
        ("two.example", Value::Null),
    ] {
        let body = sent_to(host, called(call.clone()));
        let found = at(&body, "/messages/1/tool_calls/0/extra_content");
        assert_eq!(*found, expected, "{host}");
    }
    let refused = Dialect::default().with(Quirk::NoEcho);
    let body = body(request(called(call)), "one.example", &refused);
    let found = at(&body, "/messages/1/tool_calls/0/extra_content");
    assert_eq!(*found, Value::Null);
}

#[test]
fn a_call_of_another_model_is_marked_as_unsigned_where_signatures_are_demanded() {
    let messages = seen_with(Quirk::SignedCalls, called(call("c1")));
    let signature = at(
        &messages,
        "/1/tool_calls/0/extra_content/google/thought_signature",
    );
    assert_eq!(signature, "skip_thought_signature_validator");
}

#[test]
fn foreign_ids_are_replaced_where_only_nine_characters_are_taken() {
    for (id, kept) in [
        ("abcDEF123", true),
        ("call_PTLP8xhu3", false),
        ("turn1_0", false),
    ] {
        let body = sent_to("api.mistral.ai", called(call(id)));
        let sent = at(&body, "/messages/1/tool_calls/0/id").as_str().unwrap();
        assert_eq!(at(&body, "/messages/2/tool_call_id"), sent);
        assert_eq!(sent.len(), 9);
        assert!(
            sent.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            "{sent}"
        );
        assert_eq!(sent == id, kept, "{id}");
    }
    let body = sent_to("notmistral.ai", called(call("turn1_0")));
    assert_eq!(at(&body, "/messages/2/tool_call_id"), "turn1_0");
}

#[test]
fn each_refused_parameter_is_left_out_or_renamed() {
    let asked = || with_a_tool(9, json!({}));
    let plain = Dialect::default();
    let limited = |dialect: &Dialect| {
        let body = body(asked(), "h", dialect);
        ["max_tokens", "max_completion_tokens"].map(|member| body.get(member).is_some())
    };
    let renamed = plain.clone().with(Quirk::NoMaxTokens);
    let free = renamed.clone().with(Quirk::NoMaxCompletionTokens);
    assert_eq!(limited(&plain), [true, false]);
    assert_eq!(limited(&renamed), [false, true]);
    assert_eq!(limited(&free), [false, false]);

    for (quirk, gone, kept) in [
        (Quirk::NoStreamOptions, "stream_options", "stream"),
        (Quirk::NoToolChoice, "tool_choice", "tools"),
        (Quirk::NoTools, "tools", "messages"),
        (Quirk::NoTools, "tool_choice", "messages"),
    ] {
        let with = body(asked(), "h", &plain);
        let without = body(asked(), "h", &plain.clone().with(quirk));
        assert!(with.get(gone).is_some() && without.get(gone).is_none());
        assert!(without.get(kept).is_some(), "{kept}");
    }
}

#[test]
fn reasoning_is_switched_off_only_beside_tools() {
    let dialect = Dialect::default().with(Quirk::ReasoningOff);
    let plain = body(request(vec![user("a")]), "h", &dialect);
    assert_eq!(*at(&plain, "/reasoning_effort"), Value::Null);
    let asked = ModelRequest {
        tools: vec![tool(json!({}))],
        ..request(vec![user("a")])
    };
    assert_eq!(
        *at(&body(asked, "h", &dialect), "/reasoning_effort"),
        "none"
    );
}

#[test]
fn the_system_text_opens_the_users_first_message_where_it_has_no_role() {
    let messages = seen_with(Quirk::SystemInUser, vec![system(), user("a")]);
    assert_eq!(
        messages,
        json!([{"role": "user", "content": "Be kind.\n\na"}])
    );
}

#[test]
fn calls_are_told_in_words_where_tools_are_refused() {
    let mut messages = called(call("c1"));
    messages.push(user("well?"));
    for quirk in [Quirk::NoTools, Quirk::CallsInWords] {
        let seen = seen_with(quirk, messages.clone());
        let roles: Vec<&str> = seen
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["role"].as_str().unwrap())
            .collect();
        assert_eq!(roles, ["user", "assistant", "user"]);
        assert_eq!(
            seen[1]["content"],
            "(I used the tool now with {\"zone\":\"UTC\"}.)"
        );
        assert_eq!(
            seen[2]["content"],
            "(The tool now answered:)\nnoon\n\nwell?"
        );
    }
}

#[test]
fn calls_stand_one_by_one_where_more_are_refused() {
    let both = thought(None, vec![call("1"), call("2")]);
    let messages = vec![user("a"), both, result("1", "of 1"), result("2", "of 2")];
    let seen = seen_with(Quirk::SingleCalls, messages);
    let line = |at: usize| {
        (
            seen[at]["role"].as_str().unwrap(),
            seen[at]["content"].as_str().unwrap(),
        )
    };
    let lines: Vec<_> = (0..5).map(line).collect();
    assert_eq!(
        lines,
        [
            ("user", "a"),
            ("assistant", "b"),
            ("tool", "of 1"),
            ("assistant", ""),
            ("tool", "of 2"),
        ]
    );
    assert_eq!(seen[1]["tool_calls"].as_array().unwrap().len(), 1);
    assert_eq!(seen[3]["tool_calls"][0]["id"], "2");
}

#[test]
fn the_model_speaks_between_a_result_and_the_user_where_that_is_demanded() {
    let mut messages = called(call("c1"));
    messages.push(user("well?"));
    let seen = seen_with(Quirk::SpokenBridge, messages.clone());
    assert_eq!(seen[3]["role"], "assistant");
    assert_eq!(seen[4], json!({"role": "user", "content": "well?"}));
    let plain = body(request(messages), "h", &Dialect::default());
    assert_eq!(*at(&plain, "/messages/3/role"), "user");
}

#[test]
fn content_beside_calls_is_as_empty_as_the_service_allows() {
    let content = |quirk| seen_with(quirk, called(call("c1")))[1]["content"].clone();
    assert_eq!(content(Quirk::NoStreamOptions), "");
    assert_eq!(content(Quirk::NullContent), Value::Null);
    assert_eq!(content(Quirk::SpokenContent), ".");
}

#[test]
fn files_make_a_list_of_parts_and_words_alone_do_not() {
    let dialect = Dialect::default();
    let body = written_with_files(&dialect, |request, history| {
        super::body(request, history, "h", &dialect)
    });
    assert_eq!(
        *at(&body, "/messages/0/content"),
        json!([
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
            {"type": "file", "file": {
                "filename": "a.x",
                "file_data": "data:application/pdf;base64,AA==",
            }},
            {"type": "text", "text": "look"},
        ])
    );
}
