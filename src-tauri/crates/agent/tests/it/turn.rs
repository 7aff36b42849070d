//! Each branch of the loop, one script each.

use std::sync::Arc;
use std::time::Duration;

use talaria_agent::port::{Authority, ModelService, ToolSet};
use talaria_agent::{Agent, Budget, Context, Limits, PastTurn, RetryPolicy, TurnInput};
use talaria_domain::{
    ErrorCode, FinishReason, Message, ModelEvent, ModelName, ModelRef, Retry, SessionId, Timestamp,
    Turn, TurnState,
};
use tokio_util::sync::CancellationToken;

use crate::authority::Nobody;
use crate::scripted::{
    Log, Round, ScriptedModel, ScriptedTools, SteppingClock, calls, fails, failure, says,
};

pub(crate) struct Played {
    pub(crate) turn: Turn,
    pub(crate) log: Arc<Log>,
    pub(crate) model: Arc<ScriptedModel>,
}

pub(crate) fn model_named(name: &str) -> ModelRef {
    ModelRef {
        service: "scripted".parse().unwrap(),
        model: ModelName::new(name).unwrap(),
    }
}

pub(crate) fn session() -> SessionId {
    SessionId::from_parts(Timestamp::from_millis(1), [1; 10])
}

pub(crate) fn context_of(rules: String, past: Vec<PastTurn>, budget: Budget) -> Context {
    Context::new(session(), rules, past, budget)
}

pub(crate) fn input() -> TurnInput {
    TurnInput {
        session_id: session(),
        model: model_named("model"),
        fallbacks: Vec::new(),
        context: context_of("rules".into(), Vec::new(), Budget::default()),
        text: "save it".into(),
        attachments: Vec::new(),
        taint: None,
        notices: Vec::new(),
    }
}

/// So many rounds, and short waits.
pub(crate) fn limits(rounds: u32) -> Limits {
    Limits {
        rounds,
        answer_within: Duration::from_secs(60),
        retry: RetryPolicy {
            attempts: 3,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_secs(60),
            longest_asked: Duration::from_secs(300),
        },
        ..Limits::default()
    }
}

pub(crate) fn agent(model: &Arc<ScriptedModel>, log: &Arc<Log>, rounds: u32) -> Agent {
    agent_with(
        model,
        log,
        Arc::new(ScriptedTools),
        Arc::new(Nobody),
        limits(rounds),
    )
}

pub(crate) fn agent_with(
    model: &Arc<ScriptedModel>,
    log: &Arc<Log>,
    tools: Arc<dyn ToolSet>,
    authority: Arc<dyn Authority>,
    limits: Limits,
) -> Agent {
    agent_over(model.clone(), log.clone(), tools, authority, limits)
}

pub(crate) fn agent_over(
    model: Arc<dyn ModelService>,
    log: Arc<Log>,
    tools: Arc<dyn ToolSet>,
    authority: Arc<dyn Authority>,
    limits: Limits,
) -> Agent {
    Agent::new(
        model,
        tools,
        authority,
        log,
        Arc::new(SteppingClock::default()),
        limits,
    )
}

async fn play(rounds: Vec<Round>) -> Played {
    play_within(rounds, 24, None).await
}

pub(crate) async fn play_within(
    rounds: Vec<Round>,
    limit: u32,
    stop_after: Option<Duration>,
) -> Played {
    let (model, log) = (
        Arc::new(ScriptedModel::new(rounds)),
        Arc::new(Log::default()),
    );
    let stop = CancellationToken::new();
    if let Some(after) = stop_after {
        let stop = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            stop.cancel();
        });
    }
    let turn = agent(&model, &log, limit)
        .run(input(), log.as_ref(), &stop)
        .await
        .expect("the turn ends");
    Played { turn, log, model }
}

#[tokio::test]
async fn an_answer_is_written_down_before_it_is_told() {
    let played = play(vec![says("你好")]).await;
    assert_eq!(
        played.log.lines(),
        [
            "write turn",
            "tell turn_started",
            "write request of 2",
            "write begun model_text",
            "tell item_started",
            "write text 你好",
            "tell text_delta 你好",
            "write finished model_text",
            "tell item_finished",
            "write end Finished",
            "tell turn_finished 你好",
        ]
    );
    assert_eq!(played.turn.usage.input_tokens, 10);
}

#[tokio::test]
async fn a_call_runs_and_its_result_goes_back_to_the_model() {
    let played = play(vec![calls(&["save_note"]), says("saved")]).await;
    let requests = played.model.requests.lock().unwrap();
    assert!(matches!(
        requests[1].messages.last(),
        Some(Message::Tool { call_id, text, is_error: false, .. })
            if call_id == "call-save_note" && text == "did save_note"
    ));
    drop(requests);
    let end = played.log.last_event();
    assert_eq!(end["finish"], "stop");
    assert_eq!(end["tool_calls"][0]["name"], "save_note");
    assert_eq!(end["tool_calls"][0]["result"], "did save_note");
}

#[tokio::test]
async fn a_failed_tool_is_a_result_that_the_model_sees() {
    let played = play(vec![calls(&["broken"]), says("could not")]).await;
    assert_eq!(played.turn.state, TurnState::Finished);
    assert_eq!(played.log.last_event()["tool_calls"][0]["is_error"], true);
}

#[tokio::test]
async fn several_calls_of_one_answer_go_back_together() {
    let played = play(vec![calls(&["a", "b"]), calls(&["c"]), says("done")]).await;
    let requests = played.model.requests.lock().unwrap();
    let sizes: Vec<usize> = requests
        .iter()
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(
        sizes,
        [2, 5, 7],
        "system and user, then an answer with its results each time"
    );
}

#[tokio::test]
async fn an_overloaded_service_is_asked_again() {
    let played = play(vec![
        fails(ErrorCode::Overloaded, Retry::Soon),
        says("here"),
    ])
    .await;
    assert_eq!(played.turn.state, TurnState::Finished);
    assert!(played.log.lines().contains(&"tell retrying".to_owned()));
}

#[tokio::test]
async fn a_wrong_key_is_not_tried_again() {
    let played = play(vec![fails(ErrorCode::Auth, Retry::Never)]).await;
    assert_eq!(played.turn.state, TurnState::Failed);
    assert_eq!(played.log.last_event()["code"], "auth");
}

#[tokio::test]
async fn retries_come_to_an_end() {
    let overloaded = || fails(ErrorCode::Overloaded, Retry::Soon);
    let played = play(vec![overloaded(), overloaded(), overloaded()]).await;
    assert_eq!(played.model.requests.lock().unwrap().len(), 3);
    assert_eq!(played.log.last_event()["code"], "overloaded");
}

#[tokio::test]
async fn a_cut_stream_keeps_its_text_and_runs_no_call() {
    let cut = Round::Events(vec![
        Ok(ModelEvent::Text("half a sen".into())),
        Err(failure(ErrorCode::StreamCut, Retry::Soon)),
    ]);
    let played = play(vec![cut]).await;
    assert_eq!(played.turn.state, TurnState::Failed);
    assert_eq!(played.log.last_event()["code"], "stream_cut");
    assert!(
        played
            .log
            .lines()
            .contains(&"write text half a sen".to_owned())
    );
    assert_eq!(
        played.model.requests.lock().unwrap().len(),
        1,
        "shown text is not asked for twice"
    );
}

#[tokio::test]
async fn a_stream_that_merely_stops_is_cut_too() {
    let played = play(vec![Round::Events(vec![Ok(ModelEvent::Text(
        "half".into(),
    ))])])
    .await;
    assert_eq!(played.log.last_event()["code"], "stream_cut");
}

#[tokio::test]
async fn an_empty_answer_is_asked_again_once_and_then_reported() {
    let empty = || Round::Events(vec![Ok(ModelEvent::Finished(FinishReason::Stop))]);
    let played = play(vec![empty(), empty(), empty()]).await;
    assert_eq!(played.log.last_event()["code"], "bad_response");
    assert_eq!(played.model.requests.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn an_answer_that_was_withheld_or_cut_whole_says_so() {
    for (finish, code) in [
        (FinishReason::ContentFilter, "content_policy"),
        (FinishReason::Length, "output_limit"),
    ] {
        let played = play(vec![Round::Events(vec![Ok(ModelEvent::Finished(finish))])]).await;
        assert_eq!(played.log.last_event()["code"], code);
        assert_eq!(played.model.requests.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_stop_keeps_what_came() {
    let hang = Round::Hang(vec![ModelEvent::Text("so far".into())]);
    let played = play_within(vec![hang], 24, Some(Duration::from_millis(20))).await;
    assert_eq!(played.turn.state, TurnState::Cancelled);
    let end = played.log.last_event();
    assert_eq!(
        (end["text"].as_str(), end["finish"].as_str()),
        (Some("so far"), Some("cancelled"))
    );
}

#[tokio::test]
async fn a_stop_ends_a_running_tool_and_closes_its_call() {
    let played = play_within(vec![calls(&["slow"])], 24, Some(Duration::from_millis(20))).await;
    assert_eq!(played.turn.state, TurnState::Cancelled);
    assert_eq!(played.log.last_event()["tool_calls"][0]["is_error"], true);
}

#[tokio::test]
async fn a_stop_works_while_waiting_for_another_attempt() {
    let wait = Retry::After(Duration::from_secs(60));
    let rounds = vec![fails(ErrorCode::RateLimited, wait)];
    let played = play_within(rounds, 24, Some(Duration::from_millis(20))).await;
    assert_eq!(played.turn.state, TurnState::Cancelled);
}

#[tokio::test]
async fn reasoning_and_answer_are_items_of_their_own() {
    let round = Round::Events(vec![
        Ok(ModelEvent::Reasoning("hm".into())),
        Ok(ModelEvent::Text("yes".into())),
        Ok(ModelEvent::Finished(FinishReason::Stop)),
    ]);
    let lines = play(vec![round]).await.log.lines();
    let begun: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("write begun"))
        .collect();
    assert_eq!(begun, ["write begun reasoning", "write begun model_text"]);
}

#[tokio::test]
async fn an_answer_that_turns_out_to_be_reasoning_is_kept_as_that() {
    let round = Round::Events(vec![
        Ok(ModelEvent::Text("hm".into())),
        Ok(ModelEvent::WasReasoning),
        Ok(ModelEvent::Text("yes".into())),
        Ok(ModelEvent::Finished(FinishReason::Stop)),
    ]);
    let log = play(vec![round]).await.log;
    let lines = log.lines();
    let items: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("write begun") || line.starts_with("write finished"))
        .collect();
    let expected = [
        "write begun model_text",
        "write finished reasoning",
        "write begun model_text",
        "write finished model_text",
    ];
    assert_eq!(items, expected);
    assert_eq!(log.last_event()["text"], "yes");
}

#[tokio::test]
async fn a_message_that_can_not_be_kept_is_not_sent() {
    let (model, log) = (
        Arc::new(ScriptedModel::new(Vec::new())),
        Arc::new(Log::default()),
    );
    *log.fail_writes_of.lock().unwrap() = Some("turn");
    let ended = agent(&model, &log, 24)
        .run(input(), log.as_ref(), &CancellationToken::new())
        .await;
    assert!(ended.is_err());
    assert!(model.requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_full_disk_in_the_middle_is_told() {
    let (model, log) = (
        Arc::new(ScriptedModel::new(vec![says("words")])),
        Arc::new(Log::default()),
    );
    *log.fail_writes_of.lock().unwrap() = Some("text");
    let ended = agent(&model, &log, 24)
        .run(input(), log.as_ref(), &CancellationToken::new())
        .await;
    assert!(ended.is_err());
    assert_eq!(log.last_event()["code"], "storage");
}

#[tokio::test]
async fn damaged_arguments_are_recorded_and_sent_back_as_they_were_meant() {
    let damaged = Round::Events(vec![
        Ok(ModelEvent::ToolCall(talaria_domain::ToolCall {
            id: "1".into(),
            name: "save_note".into(),
            arguments: "title: 雨".into(),
            echo: None,
            recovered: false,
        })),
        Ok(ModelEvent::Finished(FinishReason::ToolCalls)),
    ]);
    let played = play(vec![damaged, says("saved")]).await;
    assert_eq!(
        played.log.last_event()["tool_calls"][0]["arguments"]["title"],
        "雨"
    );
    let requests = played.model.requests.lock().unwrap();
    assert!(requests[1].messages.iter().any(|message| matches!(
        message,
        Message::Assistant { calls, .. } if calls[0].arguments["title"] == "雨"
    )));
}
