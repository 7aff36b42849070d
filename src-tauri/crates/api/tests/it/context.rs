//! A session that its user shortens by hand.

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::{Open, open};

const SUMMARY: &str = "They planned three beds.";

async fn talk(open: &Open, session: &Value) {
    for at in 0..3 {
        let text = format!(
            "Bed {at}: {}",
            "what grows in the shade of a wall? ".repeat(20)
        );
        let turn = json!({"session_id": session, "text": text});
        open.stream("start_turn", turn).await;
    }
}

fn rounds(last: Vec<Round>) -> Vec<Round> {
    let mut rounds: Vec<Round> = (0..3).map(|_| Round::text(["Ferns."])).collect();
    rounds.extend(last);
    rounds
}

#[tokio::test]
async fn a_session_is_shortened_sent_so_and_counted() {
    let open = open().await;
    let last = vec![Round::text([SUMMARY]), Round::text(["Ivy."])];
    let service = ScriptedService::start(rounds(last)).unwrap();
    open.set_up(&service).await;
    let session = open.session().await;
    talk(&open, &session).await;
    let usage = |view: Value| view["usage"]["input_tokens"].as_u64().unwrap();
    let before = usage(
        open.call("open_session", json!({"session_id": session}))
            .await,
    );

    let by_hand = json!({"session_id": session, "keep": "the beds"});
    let view = open.call("compact_session", by_hand).await;
    assert_eq!(
        (&view["summary"], &view["by_hand"]),
        (&json!(SUMMARY), &json!(true))
    );
    let asked = service.requests().pop().unwrap().body;
    assert!(asked["tools"].is_null() && asked.to_string().contains("the beds"));
    let after = usage(
        open.call("open_session", json!({"session_id": session}))
            .await,
    );
    assert!(after > before, "{after} {before}");

    let turn = json!({"session_id": session, "text": "And the wall?"});
    open.stream("start_turn", turn.clone()).await;
    let sent = service.requests().pop().unwrap().body.to_string();
    assert!(sent.contains(SUMMARY) && !sent.contains("Bed 0"), "{sent}");

    // A copy of the session goes on from the same summary.
    let fork = open
        .call("fork_session", json!({"session_id": session}))
        .await;
    let kept = json!({"session_id": fork["session"]["id"]});
    let kept = open.call("list_compactions", kept).await;
    assert_eq!(kept[0]["summary"], SUMMARY);
}

#[tokio::test]
async fn a_shortening_that_comes_to_nothing_changes_nothing_and_is_told() {
    let open = open().await;
    let last = vec![Round::error(500, "server_error", "out")];
    let service = ScriptedService::start(rounds(last)).unwrap();
    open.set_up(&service).await;
    let session = open.session().await;
    let by_hand = json!({"session_id": session, "keep": ""});
    let refused = open.refusal("compact_session", by_hand.clone()).await;
    assert_eq!(refused["code"], "invalid_input", "there is nothing yet");
    talk(&open, &session).await;
    let refused = open.refusal("compact_session", by_hand).await;
    assert_eq!(refused["code"], "invalid_input");
    let kept = open
        .call("list_compactions", json!({"session_id": session}))
        .await;
    assert_eq!(kept, json!([]));
    // Nothing is going on: there is nothing to stop, and that is no fault.
    open.call("stop_compaction", json!({"session_id": session}))
        .await;
}
