//! What the turn does with calls: in which order, and with whose leave.

use std::sync::Arc;

use serde_json::{Value, json};
use talaria_domain::{QuestionContent, TurnState};

use crate::authority::{Nobody, Reply, Somebody};
use crate::hands::{asks_for, play, play_until};
use crate::scripted::says;

#[tokio::test]
async fn calls_that_have_nothing_to_do_with_each_other_run_at_once() {
    let rounds = vec![asks_for(&["meet", "meet"]), says("done")];
    let played = play(rounds, Arc::new(Nobody)).await;
    assert_eq!(played.turn.state, TurnState::Finished);
    assert_eq!(
        played.hands.done(),
        ["begin meet", "begin meet", "end meet", "end meet"]
    );
}

#[tokio::test]
async fn changes_of_one_file_are_made_one_after_the_other() {
    let yes = Somebody::who_says([Reply::Yes, Reply::Yes, Reply::Yes]);
    let rounds = vec![asks_for(&["write /a", "write /a", "read /a"]), says("done")];
    let played = play(rounds, Arc::new(yes)).await;
    assert_eq!(
        played.hands.done(),
        [
            "begin write /a",
            "end write /a",
            "begin write /a",
            "end write /a",
            "begin read /a",
            "end read /a"
        ]
    );
}

#[tokio::test]
async fn results_stand_in_the_order_of_their_calls() {
    let rounds = vec![asks_for(&["list", "unknown", "other"]), says("done")];
    let played = play(rounds, Arc::new(Nobody)).await;
    let names: Vec<Value> = played
        .calls()
        .iter()
        .map(|call| call["name"].clone())
        .collect();
    assert_eq!(names, ["list", "unknown", "other"]);
    assert_eq!(played.told(1), "no such tool");
}

#[tokio::test]
async fn what_the_user_answers_decides() {
    let cases = [
        (Reply::Yes, true, "did write /a"),
        (Reply::No(None), false, "the user said no"),
        (Reply::No(Some("put it into b")), false, "put it into b"),
        (
            Reply::YesToSomethingElse,
            false,
            "is not what would be done now",
        ),
        (Reply::Late, false, "did not answer in time"),
    ];
    for (reply, done, told) in cases {
        let rounds = vec![asks_for(&["write /a"]), says("done")];
        let played = play(rounds, Arc::new(Somebody::who_says([reply]))).await;
        assert_eq!(!played.hands.done().is_empty(), done, "{told}");
        assert!(played.told(0).contains(told), "{}", played.told(0));
    }
}

#[tokio::test]
async fn where_nobody_can_be_asked_nothing_is_done() {
    let rounds = vec![asks_for(&["write /a"]), says("I would have written it")];
    let played = play(rounds, Arc::new(Nobody)).await;
    assert!(played.hands.done().is_empty());
    assert!(played.told(0).contains("Nobody can be asked"));
    let lines = played.log.lines();
    assert!(lines.contains(&"tell question_asked".to_owned()));
    assert!(lines.contains(&"tell question_closed".to_owned()));
}

#[tokio::test]
async fn a_question_of_the_models_own_is_answered_and_not_run() {
    let cases = [
        (Reply::Chosen(&["blue"]), "The user answered: blue"),
        (Reply::No(Some("green")), "says: green"),
        (Reply::No(None), "does not want to choose"),
        (Reply::Late, "best judgement"),
    ];
    for (reply, told) in cases {
        let somebody = Arc::new(Somebody::who_says([reply]));
        let rounds = vec![asks_for(&["choose"]), says("done")];
        let played = play(rounds, somebody.clone()).await;
        assert!(played.hands.done().is_empty());
        assert!(played.told(0).contains(told), "{}", played.told(0));
        let asked = somebody.asked.lock().unwrap();
        assert!(
            matches!(&asked[0].content, QuestionContent::Choice { choice } if choice.text == "Which?")
        );
    }
}

#[tokio::test]
async fn a_stop_withdraws_the_question_and_nothing_is_done() {
    let never = Arc::new(Somebody::who_says([Reply::Never]));
    let rounds = vec![asks_for(&["write /a"])];
    let played = play_until(rounds, never, "question_asked").await;
    assert_eq!(played.turn.state, TurnState::Cancelled);
    assert!(played.hands.done().is_empty());
    assert!(played.calls()[0]["is_error"].as_bool().unwrap());
}

#[tokio::test]
async fn a_stop_ends_what_runs_and_shows_what_it_put_out() {
    let rounds = vec![asks_for(&["hang"])];
    let played = play_until(rounds, Arc::new(Nobody), "so far").await;
    assert_eq!(played.turn.state, TurnState::Cancelled);
    assert!(played.told(0).contains("stopped the turn"));
    assert!(
        played
            .log
            .lines()
            .contains(&"tell tool_output so far".to_owned())
    );
}

#[tokio::test]
async fn an_act_after_a_suspicious_page_is_asked_with_its_origin() {
    let yes = Arc::new(Somebody::who_says([Reply::Yes]));
    let rounds = vec![asks_for(&["page"]), asks_for(&["note a"]), says("done")];
    play(rounds, yes.clone()).await;
    assert_eq!(yes.times_asked(), 1);
    let asked = serde_json::to_value(&*yes.asked.lock().unwrap()).unwrap();
    assert_eq!(
        asked[0]["content"]["reason"],
        json!({"why": "after_suspicion", "origin": "https://example.org/"})
    );
}

#[tokio::test]
async fn a_stop_answers_for_what_was_waiting_too() {
    let never = || Arc::new(Somebody::who_says([Reply::Never]));
    let cases = [
        (vec!["write /a", "write /a", "read /a"], "question_asked"),
        (vec!["hang", "plan_hangs", "read /a"], "begun tool_call"),
    ];
    for (names, sign) in cases {
        let played = play_until(vec![asks_for(&names)], never(), sign).await;
        assert_eq!(played.turn.state, TurnState::Cancelled);
        let named: Vec<Value> = played.calls().iter().map(|it| it["name"].clone()).collect();
        assert_eq!(named, names);
        for call in played.calls() {
            assert!(
                call["result"]
                    .as_str()
                    .unwrap()
                    .contains("stopped the turn")
            );
        }
    }
}

#[tokio::test]
async fn several_questions_are_open_at_once_and_each_is_answered_by_itself() {
    let somebody = Arc::new(Somebody::who_says([
        Reply::Together,
        Reply::No(None),
        Reply::Yes,
    ]));
    let rounds = vec![
        asks_for(&["write /a", "write /b", "write /c"]),
        says("done"),
    ];
    let played = play(rounds, somebody.clone()).await;
    assert_eq!(somebody.times_asked(), 3);
    assert!(played.told(0).contains("did write /a"));
    assert!(played.told(1).contains("said no"));
    assert!(played.told(2).contains("did write /c"));
}

#[tokio::test]
async fn a_call_is_written_down_before_it_runs_and_after_with_its_approval() {
    let yes = Arc::new(Somebody::who_says([Reply::Yes]));
    let rounds = vec![asks_for(&["write /a"]), says("done")];
    let played = play(rounds, yes).await;
    let lines = played.log.lines();
    let at = |line: &str| lines.iter().position(|it| it == line).expect("a line");
    assert!(at("write begun tool_call") < at("tell question_asked"));
    assert!(at("tell question_closed") < at("write finished tool_call"));
    let events = played.log.events.lock().unwrap();
    let approvals: Vec<Value> = events
        .iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .filter(|event| event["type"] == "item_finished")
        .map(|event| event["item"]["content"]["approval"].clone())
        .filter(|approval| !approval.is_null())
        .collect();
    assert_eq!(approvals, [json!({"outcome": "allowed", "by": "user"})]);
}

#[tokio::test]
async fn a_no_is_not_to_be_got_round() {
    for reply in [Reply::No(None), Reply::No(Some("later")), Reply::Late] {
        let rounds = vec![asks_for(&["write /a"]), says("done")];
        let played = play(rounds, Arc::new(Somebody::who_says([reply]))).await;
        assert!(
            played.told(0).contains("in another way"),
            "{}",
            played.told(0)
        );
    }
}
