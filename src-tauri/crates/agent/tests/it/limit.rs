//! When a turn has had enough: too many rounds or calls, or no progress.

use std::sync::Arc;

use talaria_agent::Limits;
use talaria_domain::{FinishReason, Message};

use crate::authority::Nobody;
use crate::hands::{asks_for, play, play_within};
use crate::scripted::{Round, calls, says};
use crate::turn::{self, limits};

#[tokio::test]
async fn the_round_limit_ends_with_what_was_reached() {
    let played = turn::play_within(
        vec![calls(&["a"]), calls(&["b"]), says("reached a and b")],
        2,
        None,
    )
    .await;
    assert_eq!(played.turn.finish, Some(FinishReason::RoundLimit));
    assert_eq!(played.log.last_event()["text"], "reached a and b");
    let requests = played.model.requests.lock().unwrap();
    let Some(Message::Tool { text, .. }) = requests[2].messages.last() else {
        panic!("a result")
    };
    assert!(text.contains("no further tool calls"));
}

#[tokio::test]
async fn a_call_after_the_limit_is_closed_and_not_run() {
    let played = turn::play_within(vec![calls(&["a"]), calls(&["b"])], 1, None).await;
    let end = played.log.last_event();
    assert_eq!(end["tool_calls"][1]["is_error"], true);
    assert!(
        end["tool_calls"][1]["result"]
            .as_str()
            .unwrap()
            .starts_with("not run")
    );
}

#[tokio::test]
async fn a_turn_that_goes_round_in_circles_is_told_and_then_ends() {
    let mut rounds: Vec<Round> = (0..5).map(|_| asks_for(&["list"])).collect();
    rounds.push(says("nothing new to be found"));
    let played = play(rounds, Arc::new(Nobody)).await;
    assert_eq!(played.turn.finish, Some(FinishReason::NoProgress));
    assert!(!played.told(1).contains("Do something else"));
    assert!(played.told(2).contains("Do something else"));
    assert!(played.told(4).contains("Answer now"));
    assert_eq!(played.log.last_event()["text"], "nothing new to be found");
    assert!(
        played
            .log
            .lines()
            .contains(&"write begun notice".to_owned())
    );
}

#[tokio::test]
async fn one_answer_full_of_the_same_call_is_not_going_round_in_circles() {
    let rounds = vec![asks_for(&["list"; 9]), says("listed")];
    let played = play(rounds, Arc::new(Nobody)).await;
    assert_eq!(played.turn.finish, Some(FinishReason::Stop));
    assert!(!played.told(8).contains("Do something else"));
}

#[tokio::test]
async fn a_turn_that_goes_to_and_fro_is_told_and_then_ends() {
    let mut rounds: Vec<Round> = (0..5)
        .flat_map(|_| [asks_for(&["list"]), asks_for(&["other"])])
        .take(9)
        .collect();
    rounds.push(says("they are the same as ever"));
    let played = play(rounds, Arc::new(Nobody)).await;
    assert_eq!(played.turn.finish, Some(FinishReason::NoProgress));
    assert!(played.told(4).contains("Do something else"));
    assert!(played.told(8).contains("Answer now"));
}

#[tokio::test]
async fn a_refused_call_that_is_made_again_and_again_ends_the_turn() {
    let mut rounds: Vec<Round> = (0..5).map(|_| asks_for(&["unknown"])).collect();
    rounds.push(says("there is no such tool"));
    let played = play(rounds, Arc::new(Nobody)).await;
    assert_eq!(played.turn.finish, Some(FinishReason::NoProgress));
}

#[tokio::test]
async fn an_answer_with_too_many_calls_gets_the_rest_back() {
    let names: Vec<String> = (0..40).map(|at| format!("list{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let played = play(vec![asks_for(&names), says("done")], Arc::new(Nobody)).await;
    assert_eq!(played.calls().len(), 40);
    assert_eq!(played.hands.done().len(), 2 * 32);
    assert!(played.told(39).contains("make it again"));
}

#[tokio::test]
async fn the_call_limit_of_a_turn_ends_with_what_was_reached() {
    let few = Limits {
        calls: 3,
        ..limits(24)
    };
    let rounds = vec![
        asks_for(&["one", "two"]),
        asks_for(&["three", "four"]),
        says("reached three"),
    ];
    let played = play_within(rounds, Arc::new(Nobody), few).await;
    assert_eq!(played.turn.finish, Some(FinishReason::RoundLimit));
    assert_eq!(played.hands.done().len(), 2 * 3);
    assert!(!played.told(1).contains("no further tool calls"));
    assert!(played.told(2).contains("no further tool calls"));
    assert!(played.told(3).starts_with("not run"));
    assert_eq!(played.log.last_event()["text"], "reached three");
}

#[tokio::test]
async fn a_model_that_only_calls_on_has_its_silence_told() {
    let rounds = vec![calls(&["a"]), calls(&["b"])];
    let played = turn::play_within(rounds, 1, None).await;
    let end = played.log.last_event();
    assert_eq!(end["text"], "");
    let notices = |lines: &[String]| lines.iter().any(|line| line == "write finished notice");
    assert!(notices(&played.log.lines()));
    let rounds = vec![calls(&["a"]), says("got as far as a")];
    let played = turn::play_within(rounds, 1, None).await;
    assert!(!notices(&played.log.lines()));
}
