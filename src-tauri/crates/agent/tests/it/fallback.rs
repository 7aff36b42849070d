//! Other models in the place of one that is out, and what the user is told of a turn.

use std::sync::Arc;

use serde_json::json;
use talaria_agent::{Budget, Estimate, Gauge, PastTurn, TurnInput};
use talaria_domain::{
    Attachment, AttachmentId, ErrorCode, FinishReason, Item, ItemContent, ItemId, Message,
    ModelEvent, ModelRequest, Notice, Retry, ServiceFailure, Timestamp, TurnId, TurnState, Usage,
};
use tokio_util::sync::CancellationToken;

use crate::scripted::{Log, Round, ScriptedModel, calls, fails, failure, says};
use crate::turn::{agent, context_of, input, model_named};

async fn play(
    model: ScriptedModel,
    input: TurnInput,
) -> (talaria_domain::Turn, Vec<Notice>, Arc<ScriptedModel>) {
    let (model, log) = (Arc::new(model), Arc::new(Log::default()));
    let turn = agent(&model, &log, 24)
        .run(input, log.as_ref(), &CancellationToken::new())
        .await
        .expect("the turn ends");
    let notices = log
        .events
        .lock()
        .unwrap()
        .iter()
        .filter_map(|event| match event {
            talaria_agent::TurnEvent::ItemFinished { item } => match &item.content {
                talaria_domain::ItemContent::Notice { notice } => Some(notice.clone()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    (turn, notices, model)
}

fn out() -> Round {
    fails(ErrorCode::Overloaded, Retry::Never)
}

fn with_fallbacks(names: &[&str]) -> TurnInput {
    TurnInput {
        fallbacks: names.iter().map(|name| model_named(name)).collect(),
        ..input()
    }
}

#[tokio::test]
async fn the_next_model_answers_for_one_that_is_out_and_the_user_is_told() {
    let script = ScriptedModel::new(vec![out(), out(), says("here")]);
    let (turn, notices, model) = play(script, with_fallbacks(&["second", "third"])).await;
    assert_eq!(turn.state, TurnState::Finished);
    assert_eq!(turn.model, model_named("third"));
    let asked: Vec<String> = model
        .requests
        .lock()
        .unwrap()
        .iter()
        .map(|request| request.model.to_string())
        .collect();
    assert_eq!(asked, ["model", "second", "third"]);
    let switch = |from: &str, to: &str| Notice::ModelSwitched {
        from: model_named(from),
        to: model_named(to),
        code: ErrorCode::Overloaded,
        message: "scripted".into(),
    };
    assert_eq!(
        notices,
        [switch("model", "second"), switch("second", "third")]
    );
}

#[tokio::test]
async fn nothing_falls_back_unless_it_is_set_and_the_service_is_out() {
    for (code, fallbacks) in [
        (ErrorCode::Overloaded, &[][..]),
        (ErrorCode::Auth, &["second"][..]),
        (ErrorCode::Billing, &["second"][..]),
        (ErrorCode::BadRequest, &["second"][..]),
        (ErrorCode::ContextOverflow, &["second"][..]),
        (ErrorCode::Overloaded, &["model"][..]),
    ] {
        let script = ScriptedModel::new(vec![fails(code, Retry::Never)]);
        let (turn, notices, _) = play(script, with_fallbacks(fallbacks)).await;
        assert_eq!(turn.failure.expect("it failed").code, code);
        let switched = |notice: &Notice| matches!(notice, Notice::ModelSwitched { .. });
        assert!(!notices.iter().any(switched), "{code}");
    }
}

#[tokio::test]
async fn a_model_that_took_over_keeps_the_turn_but_not_the_reasoning_of_the_first() {
    let thought = Round::Events(vec![
        Ok(ModelEvent::Reasoning("hm".into())),
        Ok(ModelEvent::Echo(json!("signed"))),
        Ok(ModelEvent::ToolCall(talaria_domain::ToolCall {
            id: "1".into(),
            name: "save_note".into(),
            arguments: json!({}),
            echo: None,
            recovered: false,
        })),
        Ok(ModelEvent::Finished(FinishReason::ToolCalls)),
    ]);
    let mut script = ScriptedModel::new(vec![thought, out(), calls(&["save_note"]), says("done")]);
    script.may_rewrite = true;
    let (turn, _, model) = play(script, with_fallbacks(&["second"])).await;
    assert_eq!(turn.state, TurnState::Finished);
    let requests = model.requests.lock().unwrap();
    let inner = |request: usize| match &requests[request].messages[2] {
        Message::Assistant {
            reasoning, echo, ..
        } => (reasoning.clone(), echo.clone()),
        other => panic!("no answer but {other:?}"),
    };
    assert_eq!(inner(1), (Some("hm".into()), Some(json!("signed"))));
    assert_eq!(inner(2), (None, None));
    assert_eq!(
        requests[3].model.as_str(),
        "second",
        "it stays with the second"
    );
}

#[tokio::test]
async fn an_answer_that_was_begun_is_not_begun_again_by_another_model() {
    let broken = Round::Events(vec![
        Ok(ModelEvent::Text("half".into())),
        Err(failure(ErrorCode::Overloaded, Retry::Soon)),
    ]);
    let (turn, notices, _) = play(
        ScriptedModel::new(vec![broken]),
        with_fallbacks(&["second"]),
    )
    .await;
    assert_eq!(turn.state, TurnState::Failed);
    assert!(notices.is_empty());
}

#[tokio::test]
async fn a_service_that_read_much_less_than_it_was_sent_is_told_of_once() {
    let answer = |read: u64, text: Option<&str>| {
        let mut events = vec![Ok(ModelEvent::Usage(Usage {
            input_tokens: read,
            ..Usage::default()
        }))];
        if let Some(text) = text {
            events.push(Ok(ModelEvent::Text(text.into())));
            events.push(Ok(ModelEvent::Finished(FinishReason::Stop)));
        }
        Round::Events(events)
    };
    let long = || TurnInput {
        context: context_of("字".repeat(6_000), Vec::new(), Budget::default()),
        ..input()
    };
    for (cuts_silently, read, told) in [
        (true, 2_048, 1),
        (true, 5_000, 0),
        (true, 20, 0),
        (true, 0, 0),
        (false, 2_048, 0),
    ] {
        let mut script = ScriptedModel::new(vec![answer(read, Some("ok"))]);
        script.cuts_silently = cuts_silently;
        let (_, notices, model) = play(script, long()).await;
        assert_eq!(notices.len(), told, "{cuts_silently} {read}");
        assert_eq!(model.learnt.lock().unwrap().len(), told);
        if let Some(Notice::InputCut { sent, read }) = notices.first() {
            assert!(*sent >= 4_000 && *read == 2_048);
        }
    }
}

#[tokio::test]
async fn an_overflow_that_names_the_window_teaches_it() {
    let overflow = |limit: Option<u64>| {
        Round::Events(vec![Err(ServiceFailure {
            limit,
            ..failure(ErrorCode::ContextOverflow, Retry::Never)
        })])
    };
    for (limit, learnt) in [
        (Some(8_192), vec![("model".to_owned(), 8_192)]),
        (None, vec![]),
    ] {
        let (.., model) = play(ScriptedModel::new(vec![overflow(limit)]), input()).await;
        assert_eq!(*model.learnt.lock().unwrap(), learnt);
    }
}

#[tokio::test]
async fn what_a_failed_request_took_counts_too() {
    let broken = Round::Events(vec![
        Ok(ModelEvent::Usage(Usage {
            input_tokens: 7,
            ..Usage::default()
        })),
        Err(failure(ErrorCode::Overloaded, Retry::Soon)),
    ]);
    let (turn, ..) = play(ScriptedModel::new(vec![broken, says("ok")]), input()).await;
    assert_eq!(turn.usage.input_tokens, 17);
}

#[tokio::test]
async fn the_files_of_a_message_go_with_it() {
    let file = Attachment {
        id: AttachmentId::from_parts(Timestamp::from_millis(1), [3; 10]),
        name: "图.png".into(),
        media_type: "image/png".into(),
        size: 9,
    };
    let script = ScriptedModel::new(vec![says("a cat")]);
    let sent = TurnInput {
        attachments: vec![file.clone()],
        ..input()
    };
    let (_, _, model) = play(script, sent).await;
    let requests = model.requests.lock().unwrap();
    assert!(matches!(
        requests[0].messages.last(),
        Some(Message::User { attachments, .. }) if *attachments == [file]
    ));
}

/// Turns that only the user spoke in.
fn long_past() -> Vec<PastTurn> {
    let words = "a long story about beds and what grows in them ".repeat(8);
    let turn = |at: u8| PastTurn {
        items: vec![Item {
            id: ItemId::from_parts(Timestamp::from_millis(i64::from(at)), [at; 10]),
            turn_id: TurnId::from_parts(Timestamp::from_millis(i64::from(at)), [at; 10]),
            content: ItemContent::UserText {
                text: words.clone(),
                attachments: Vec::new(),
            },
            started_at: Timestamp::from_millis(i64::from(at)),
            finished_at: Some(Timestamp::from_millis(i64::from(at))),
        }],
        is_own: true,
    };
    (1..=20).map(turn).collect()
}

#[tokio::test]
async fn a_model_that_takes_over_answers_within_its_own_window() {
    // As many summaries of parts as it takes, then the answer.
    let mut rounds = vec![out()];
    rounds.extend((0..12).map(|_| says("ok")));
    let mut script = ScriptedModel::new(rounds);
    script.may_rewrite = true;
    let budget = Budget::new(2_048, Arc::new(Estimate), Gauge::default());
    let second = model_named("second");
    script.budgets.lock().unwrap().insert(second, budget);
    let input = TurnInput {
        context: context_of("rules".into(), long_past(), Budget::default()),
        ..with_fallbacks(&["second"])
    };
    let (turn, _, model) = play(script, input).await;
    assert_eq!(turn.state, TurnState::Finished);
    let requests = model.requests.lock().unwrap();
    let length = |request: &ModelRequest| serde_json::to_string(&request.messages).unwrap().len();
    let (first, last) = (&requests[0], requests.last().unwrap());
    assert!(
        requests[1].tools.is_empty(),
        "the second model makes room first"
    );
    assert!(!last.tools.is_empty() && length(last) * 2 < length(first));
}
