//! What a turn asks, from the question to what the answer leads to.

use std::time::Duration;

use serde_json::{Value, json};
use talaria_testkit::{Round, ScriptedService};

use crate::fixture::{Open, open};

/// A core whose model wants to write a file, which the mode asks for.
async fn asking() -> (Open, ScriptedService) {
    let file = json!({"path": "雨.md", "content": "雨\n"});
    let rounds = [Round::call("write_file", file), Round::text(["Done."])];
    let (open, service) = (open().await, ScriptedService::start(rounds).unwrap());
    open.set_up(&service).await;
    (open, service)
}

/// The one question that is open, as soon as it is.
async fn question(open: &Open, session: &Value) -> Value {
    loop {
        let asked = json!({"session_id": session});
        let listed = open.call("list_questions", asked).await;
        if let Some(question) = listed.as_array().unwrap().first() {
            return question.clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn answer(open: &Open, question: &Value, answer: Value) {
    let answer = json!({"question_id": question["id"], "answer": answer});
    open.call("answer_question", answer).await;
}

fn is_written(open: &Open) -> bool {
    open.home.data_root().join("files/雨.md").is_file()
}

#[tokio::test]
async fn a_yes_to_what_was_shown_lets_the_call_run() {
    let (open, service) = asking().await;
    let session = open.session().await;
    let turn = json!({"session_id": session, "text": "记下来"});
    let answering = async {
        let question = question(&open, &session).await;
        assert_eq!(question["content"]["reason"], json!({"why": "mode"}));
        let other = json!({"kind": "allow", "digest": "another", "reach": "once"});
        let other = json!({"question_id": question["id"], "answer": other});
        let refused = open.refusal("answer_question", other).await;
        assert_eq!(refused["code"], "conflict");
        assert!(!is_written(&open));
        let sessions = open.call("list_sessions", json!({"archived": false})).await;
        assert_eq!(sessions[0]["waiting"], true, "{sessions}");
        let digest = question["content"]["act"]["digest"].clone();
        let yes = json!({"kind": "allow", "digest": digest, "reach": "once"});
        answer(&open, &question, yes).await;
    };
    let (events, ()) = tokio::join!(open.stream("start_turn", turn), answering);
    assert!(is_written(&open));
    let end = events.last().unwrap();
    assert_eq!(end["tool_calls"][0]["is_error"], false, "{end}");
    let told = |what: &str| events.iter().any(|event| event["type"] == what);
    assert!(told("question_asked") && told("question_closed"));
    let heard = open.front_end.heard.lock().unwrap();
    assert!(heard.contains(&json!({"changed": "questions"})));
    assert!(service.faults().is_empty());
}

#[tokio::test]
async fn a_no_reaches_the_model_with_the_users_words() {
    let (open, service) = asking().await;
    let session = open.session().await;
    let turn = json!({"session_id": session, "text": "记下来"});
    let answering = async {
        let question = question(&open, &session).await;
        answer(&open, &question, json!({"kind": "deny", "words": "先别记"})).await;
    };
    tokio::join!(open.stream("start_turn", turn), answering);
    assert!(!is_written(&open));
    let sent = service.requests().pop().unwrap().body.to_string();
    assert!(sent.contains("先别记"), "{sent}");
}

#[tokio::test]
async fn a_stop_withdraws_the_question() {
    let (open, _service) = asking().await;
    let session = open.session().await;
    let turn = json!({"session_id": session, "text": "记下来"});
    let stopping = async {
        let question = question(&open, &session).await;
        let stop = json!({"turn_id": question["turn_id"]});
        open.call("stop_turn", stop).await;
    };
    let (events, ()) = tokio::join!(open.stream("start_turn", turn), stopping);
    assert_eq!(events.last().unwrap()["finish"], "cancelled");
    assert_eq!(open.call("list_questions", json!({})).await, json!([]));
    assert!(!is_written(&open));
}
