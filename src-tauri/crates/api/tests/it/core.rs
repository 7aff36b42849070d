//! The contract over the wire: what a front end sends and what it gets.

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::{KEY, open};

#[tokio::test]
async fn a_key_goes_in_and_never_comes_back() {
    let (open, service) = (
        open().await,
        ScriptedService::start([Round::text(["ok"])]).unwrap(),
    );
    open.set_up(&service).await;
    let settings = open.call("read_settings", json!({})).await;
    assert_eq!(settings["services"][0]["has_key"], true);
    let session = open.session().await;
    let events = open
        .stream("start_turn", json!({"session_id": session, "text": "hi"}))
        .await;
    assert_eq!(
        service.requests()[0].authorization,
        Some(format!("Bearer {KEY}"))
    );
    for seen in [
        settings,
        json!(events),
        open.call("read_setup", json!({})).await,
    ] {
        assert!(!seen.to_string().contains(KEY), "{seen}");
    }
}

#[tokio::test]
async fn a_key_in_the_environment_is_offered_and_taken_only_when_asked_for() {
    let open = open().await;
    let setup = open.call("read_setup", json!({})).await;
    assert_eq!(
        setup["environment_keys"],
        json!([{"variable": "OPENAI_API_KEY", "preset": "openai"}])
    );
    let service = |variable: &str| {
        json!({
            "id": null, "name": "OpenAI", "preset": "openai", "protocol": "openai_chat",
            "base_url": "https://api.openai.com", "key": {"from": "environment", "variable": variable},
        })
    };
    assert_eq!(
        open.call("save_service", service("OPENAI_API_KEY")).await["has_key"],
        true
    );
    let refused = open.refusal("save_service", service("HOME")).await;
    assert_eq!(refused["code"], "invalid_input");
}

#[tokio::test]
async fn a_text_comes_with_the_blocks_that_changed() {
    let service = ScriptedService::start([Round::text(["# Ti", "tle\n\nwords"])]).unwrap();
    let open = open().await;
    open.set_up(&service).await;
    let session = open.session().await;
    let events = open
        .stream("start_turn", json!({"session_id": session, "text": "hi"}))
        .await;
    let mut blocks: Vec<Value> = Vec::new();
    for patch in events.iter().filter_map(|event| event.get("patch")) {
        let from = usize::try_from(patch["from"].as_u64().unwrap()).unwrap();
        blocks.truncate(from);
        blocks.extend(patch["blocks"].as_array().unwrap().iter().cloned());
    }
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(json!(blocks), opened["turns"][0]["items"][1]["blocks"]);
    assert_eq!(blocks[0]["html"], "<h1>Title</h1>");
    assert_eq!(opened["session"]["title"], "hi");
}

#[tokio::test]
async fn a_retried_turn_takes_the_place_of_the_one_that_failed() {
    let rounds = [
        Round::error(401, "invalid_api_key", "no"),
        Round::text(["better"]),
    ];
    let service = ScriptedService::start(rounds).unwrap();
    let open = open().await;
    open.set_up(&service).await;
    let session = open.session().await;
    let failed = open
        .stream("start_turn", json!({"session_id": session, "text": "hi"}))
        .await;
    let turn = failed.last().unwrap()["turn_id"].clone();
    let retried = open.stream("retry_turn", json!({"turn_id": turn})).await;
    assert_eq!(retried.last().unwrap()["text"], "better");
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(opened["turns"].as_array().map(Vec::len), Some(1));
    assert_eq!(opened["turns"][0]["state"], "finished");
}

#[tokio::test]
async fn a_draft_is_kept_until_it_is_sent() {
    let service = ScriptedService::start([Round::text(["ok"])]).unwrap();
    let open = open().await;
    open.set_up(&service).await;
    let session = open.session().await;
    open.call(
        "save_draft",
        json!({"session_id": session, "text": "half a thou"}),
    )
    .await;
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(opened["draft"], "half a thou");
    open.stream(
        "start_turn",
        json!({"session_id": session, "text": "half a thought"}),
    )
    .await;
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(opened["draft"], "");
}

#[tokio::test]
async fn a_removed_service_takes_its_key_along() {
    let (open, service) = (open().await, ScriptedService::start([]).unwrap());
    open.set_up(&service).await;
    open.call("remove_service", json!({"id": "scripted"})).await;
    let settings = open.call("read_settings", json!({})).await;
    assert_eq!(
        (&settings["services"], &settings["model"]),
        (&json!([]), &Value::Null)
    );
    open.set_up(&service).await;
    let changed = open.front_end.heard.lock().unwrap().clone();
    assert!(changed.contains(&json!({"changed": "settings"})));
}

#[tokio::test]
async fn what_is_not_in_the_contract_is_refused_plainly() {
    let open = open().await;
    for (command, arguments) in [
        ("drop_tables", json!({})),
        ("open_session", json!({"session_id": "../../etc/passwd"})),
        ("read_note", json!({"path": "../settings.yaml"})),
        ("read_note", json!({"path": "/etc/passwd"})),
        ("update_settings", json!({"notes_folder": "relative"})),
        ("begin_authorization", json!({"preset": "openai"})),
    ] {
        assert_eq!(
            open.refusal(command, arguments).await["code"],
            "invalid_input",
            "{command}"
        );
    }
    let image = open
        .refusal("load_image", json!({"url": "http://127.0.0.1:1/x.png"}))
        .await;
    assert_eq!(image["code"], "denied");
}

#[tokio::test]
async fn settings_change_one_at_a_time() {
    let open = open().await;
    open.call("update_settings", json!({"theme": "dark", "zoom": 150}))
        .await;
    let settings = open
        .call("update_settings", json!({"language": "zh-CN"}))
        .await;
    assert_eq!(settings["theme"], "dark");
    assert_eq!(settings["zoom"], 150);
    assert_eq!(settings["effective_language"], "zh-CN");
    let traces = json!({"trace_days": 0, "trace_bodies": true});
    let settings = open.call("update_settings", traces).await;
    assert_eq!(
        (
            &settings["trace_days"],
            &settings["trace_bodies"],
            &settings["zoom"]
        ),
        (&json!(1), &json!(true), &json!(150))
    );
}

#[tokio::test]
async fn the_users_word_on_a_window_goes_before_what_the_service_says() {
    // The key and the answer each ask once, the tool call twice.
    let rounds = [
        Round::text(["Hello."]),
        Round::text(["Hello."]),
        Round::call("look_up_word", json!({"topic": "talaria"})),
        Round::text(["kingfisher"]),
    ];
    let (open, service) = (open().await, ScriptedService::start(rounds).unwrap());
    open.set_up(&service).await;
    let refused = open
        .refusal(
            "set_context_window",
            json!({"id": "scripted", "tokens": 12}),
        )
        .await;
    assert_eq!(refused["code"], "invalid_input");
    open.call(
        "set_context_window",
        json!({"id": "scripted", "tokens": 16_384}),
    )
    .await;
    let proof = json!({"id": "scripted", "model": service.model()});
    let steps = open.stream("prove_service", proof).await;
    let window = steps
        .iter()
        .rfind(|event| event["step"] == "window")
        .unwrap();
    assert_eq!(
        (&window["state"], &window["detail"]),
        (&json!("passed"), &json!("16384"))
    );
}
