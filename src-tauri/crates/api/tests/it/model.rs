//! What is known of models, what they teach, what they cost, and who stands in for them.

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::{Open, open, open_at};

const POINT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

async fn model(open: &Open) -> Value {
    open.call("read_settings", json!({})).await["model"].clone()
}

fn overflow() -> Round {
    Round::error(
        400,
        "context_length_exceeded",
        "This model's maximum context length is 4096 tokens. However, your messages resulted in \
         5000 tokens.",
    )
}

#[tokio::test]
async fn the_users_word_on_a_model_goes_before_what_was_learnt_and_can_be_taken_back() {
    let (open, service) = (open().await, ScriptedService::start([overflow()]).unwrap());
    open.set_up(&service).await;
    let model = model(&open).await;
    let window = async || {
        let view = open.call("read_model", json!({"model": model})).await;
        (
            view["window"].clone(),
            view["known"]["context_window"]["source"].clone(),
        )
    };
    assert_eq!(window().await, (json!(32_768), json!("service")));

    let events = open.say("a long story").await;
    assert_eq!(events.last().unwrap()["code"], "context_overflow");
    assert_eq!(events.last().unwrap()["limit"], 4_096);
    // What was learnt is written down behind the turn.
    for _ in 0..100 {
        if window().await == (json!(4_096), json!("learned")) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(window().await, (json!(4_096), json!("learned")));

    let facts = json!({"context_window": 16_384, "images": false});
    let set = open
        .call("set_model_facts", json!({"model": model, "facts": facts}))
        .await;
    assert_eq!(set["set"]["context_window"], 16_384);
    assert_eq!(window().await, (json!(16_384), json!("user")));
    let path = open.home.data_root().join("settings.yaml");
    let settings = fs_err::read_to_string(path).unwrap();
    assert!(
        settings.contains("context_window: 16384") && !settings.contains("null"),
        "{settings}"
    );

    open.call("set_model_facts", json!({"model": model, "facts": {}}))
        .await;
    assert_eq!(window().await, (json!(4_096), json!("learned")));
}

#[tokio::test]
async fn a_window_that_holds_nothing_is_refused() {
    let (open, service) = (open().await, ScriptedService::start([]).unwrap());
    open.set_up(&service).await;
    let model = model(&open).await;
    let facts = json!({"context_window": 12});
    let refusal = open
        .refusal("set_model_facts", json!({"model": model, "facts": facts}))
        .await;
    assert_eq!(refusal["code"], "invalid_input");
}

#[tokio::test]
async fn a_turn_and_its_session_tell_what_they_cost() {
    let rounds = [Round::text(["one"]), Round::text(["two"])];
    let (open, service) = (open().await, ScriptedService::start(rounds).unwrap());
    open.set_up(&service).await;
    let model = model(&open).await;
    let session = open.session().await;
    let say = json!({"session_id": session, "text": "hi"});
    let free = open.stream("start_turn", say.clone()).await;
    assert_eq!(
        free.last().unwrap()["usage"]["cost"],
        0,
        "a model of one's own is free"
    );

    // 20 tokens at 3 dollars and 10 at 15 dollars a million.
    let rates = json!({"input": 3_000_000, "output": 15_000_000, "cached_input": null, "cache_written": null});
    let facts = json!({"price": {"usual": rates, "long": null}});
    open.call("set_model_facts", json!({"model": model, "facts": facts}))
        .await;
    let paid = open.stream("start_turn", say).await;
    assert_eq!(paid.last().unwrap()["usage"]["cost"], 210_000);
    let opened = open
        .call("open_session", json!({"session_id": session}))
        .await;
    assert_eq!(opened["usage"]["cost"], 210_000);
    assert_eq!(opened["usage"]["input_tokens"], 40);
}

#[tokio::test]
async fn a_second_service_answers_while_the_first_is_overloaded() {
    let open = open().await;
    let first = ScriptedService::start([Round::error(503, "overloaded", "busy")]).unwrap();
    let second = ScriptedService::start([Round::text(["from the second"])]).unwrap();
    open.set_up(&first).await;
    let fallback = open.add(&second, "Second").await;
    open.call("update_settings", json!({"fallbacks": [fallback]}))
        .await;
    let events = open.say("hi").await;
    assert_eq!(events.last().unwrap()["text"], "from the second");
    let notice = events
        .iter()
        .find(|event| event["item"]["content"]["kind"] == "notice")
        .expect("the user is told");
    let notice = &notice["item"]["content"]["notice"];
    assert_eq!(notice["about"], "model_switched");
    assert_eq!(notice["to"], fallback);

    open.call("remove_service", json!({"id": fallback["service"]}))
        .await;
    let settings = open.call("read_settings", json!({})).await;
    assert_eq!(settings["fallbacks"], json!([]), "it went with its service");
}

#[tokio::test]
async fn what_a_refusal_taught_is_known_after_a_restart() {
    let refusal = Round::error(
        400,
        "invalid",
        "stream_options: Extra inputs are not permitted",
    );
    let rounds = [refusal, Round::text(["one"]), Round::text(["two"])];
    let (before, service) = (open().await, ScriptedService::start(rounds).unwrap());
    before.set_up(&service).await;
    let asked = |request: usize| service.requests()[request].body["stream_options"].clone();
    before.say("hi").await;
    assert_ne!(asked(0), Value::Null);
    assert_eq!(asked(1), Value::Null);
    before.core.close().await;

    let Open { home, core, .. } = before;
    drop(core);
    let after = open_at(home).await;
    after.set_up(&service).await;
    after.say("hi").await;
    assert_eq!(service.requests().len(), 3);
    assert_eq!(asked(2), Value::Null);
}

#[tokio::test]
async fn a_model_that_is_known_to_be_blind_is_sent_no_picture() {
    let (open, service) = (open().await, ScriptedService::start([]).unwrap());
    open.set_up(&service).await;
    let model = model(&open).await;
    let facts = json!({"images": false});
    open.call("set_model_facts", json!({"model": model, "facts": facts}))
        .await;
    let picture = open
        .call("add_attachment", json!({"name": "a.png", "data": POINT}))
        .await;
    let session = open.session().await;
    let turn =
        json!({"session_id": session, "text": "what is it?", "attachments": [picture["id"]]});
    let refusal = open.refuse_stream("start_turn", turn).await;
    assert_eq!(refusal["code"], "invalid_input");
    assert!(service.requests().is_empty());
}
