//! What is done where there is little room, or more of it again.

use std::sync::Arc;
use std::time::Duration;

use talaria_agent::{Budget, Context, Estimate, Gauge, PastTurn, TurnInput};
use talaria_domain::{
    Compaction, CompactionId, FinishReason, ItemId, Message, ModelEvent, Timestamp, Usage,
};
use tokio_util::sync::CancellationToken;

use super::{Look, Session, Worker};
use crate::authority::Nobody;
use crate::turn::{agent_over, input, limits};

fn texts(messages: &[Message]) -> String {
    let text = |message: &Message| match message {
        Message::User { text, .. } | Message::System { text } => text.clone(),
        _ => String::new(),
    };
    messages.iter().map(text).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn no_summary_is_asked_for_in_vain_turn_after_turn() {
    // A fifth of the window is left for the conversation, and summaries get as long as they may.
    let long_summary = || {
        let text = "They spoke of beds. ".repeat(60);
        vec![
            Ok(ModelEvent::Text(text)),
            Ok(ModelEvent::Finished(FinishReason::Stop)),
        ]
    };
    let mut session = Session::new(Worker {
        summary: long_summary,
        ..Worker::new(8_192)
    });
    session.rules = "Plan gardens, and mind every rule. ".repeat(480);
    for at in 0..40 {
        let words = format!("{at}: {}", "what else? ".repeat(25));
        session.turn(&words, 0).await;
    }
    let asked = session.worker.state.lock().unwrap().summaries;
    let compactions = session.compactions();
    let kept = compactions.iter().filter(|it| !it.summary.is_empty());
    assert!(asked <= kept.count() + 1, "{asked} {}", compactions.len());
    for it in &compactions {
        // A fifth of what is not rules.
        assert!(it.tokens_before - it.tokens_after > 200, "{it:?}");
    }
}

/// Turns of words alone until so many summaries were asked for, or there were enough turns.
async fn talk_until(session: &mut Session, summaries: usize) {
    for at in 0..40 {
        let words = format!("{at}: {}", "tell me more ".repeat(60));
        let turn = session.turn(&words, 0).await;
        assert_eq!(turn.finish, Some(FinishReason::Stop), "{at}");
        if session.worker.state.lock().unwrap().summaries >= summaries {
            return;
        }
    }
    panic!("no summary was asked for");
}

#[tokio::test]
async fn a_summary_that_could_not_be_written_is_not_asked_for_again_in_the_next_turn() {
    let mut session = Session::new(Worker {
        summary: || vec![Ok(ModelEvent::Finished(FinishReason::Stop))],
        ..Worker::new(8_192)
    });
    talk_until(&mut session, 1).await;
    assert!(
        session.compactions().is_empty(),
        "a failure changes nothing"
    );
    let turn = session.turn("And now?", 0).await;
    assert_eq!(turn.finish, Some(FinishReason::Stop));
    assert_eq!(session.worker.state.lock().unwrap().summaries, 1);
    let left_out = session.compactions().pop().unwrap();
    assert!(left_out.left_out_through.is_some() && left_out.summary.is_empty());
    // When there is no room again, it is worth another try.
    talk_until(&mut session, 2).await;
}

#[tokio::test]
async fn a_summary_as_long_as_what_it_stands_for_gives_way_to_leaving_out_the_oldest() {
    let mut session = Session::new(Worker {
        summary: || {
            let text = "They spoke of beds, and of what grows in them. ".repeat(300);
            vec![
                Ok(ModelEvent::Text(text)),
                Ok(ModelEvent::Finished(FinishReason::Stop)),
            ]
        },
        ..Worker::new(8_192)
    });
    let mut asked = vec![0];
    for at in 0..40 {
        let words = format!("{at}: {}", "tell me more ".repeat(60));
        let turn = session.turn(&words, 0).await;
        assert_eq!(turn.finish, Some(FinishReason::Stop), "{at}");
        asked.push(session.worker.state.lock().unwrap().summaries);
    }
    let in_a_row = asked.windows(3).filter(|it| it[0] < it[1] && it[1] < it[2]);
    assert_eq!(in_a_row.count(), 0, "{asked:?}");
    let last = session.compactions().pop().unwrap();
    assert!(last.left_out_through.is_some() && last.summary.is_empty());
}

/// Eight turns, each with words of its own.
async fn eight_turns() -> Session {
    let mut session = Session::new(Worker::new(200_000));
    for at in 0..8 {
        session.turn(&format!("words {at}"), 0).await;
    }
    session
}

fn last_item(past: &[PastTurn], turn: usize) -> Option<ItemId> {
    past[turn].items.last().map(|item| item.id)
}

#[tokio::test]
async fn what_is_left_out_leaves_the_summary_and_comes_back_with_a_larger_window() {
    let session = eight_turns().await;
    let compaction = Compaction {
        id: CompactionId::from_parts(Timestamp::from_millis(1), [0; 10]),
        session_id: crate::turn::session(),
        at: Timestamp::from_millis(1),
        steps_through: None,
        summary_through: last_item(&session.past, 1),
        summary: "THE SUMMARY".into(),
        left_out_through: last_item(&session.past, 5),
        window: 8_192,
        tokens_before: 2,
        tokens_after: 1,
        by_hand: false,
    };
    for (window, left_out) in [(4_096, true), (8_192, true), (32_768, false)] {
        let budget = Budget::new(window, Arc::new(Estimate), Gauge::default());
        let context = Context::new(
            crate::turn::session(),
            "Rules.".into(),
            session.past.clone(),
            budget,
        );
        let context = context.shortened(Some(compaction.clone()));
        let sent = texts(&context.messages(&[]));
        assert!(sent.contains("THE SUMMARY"), "{window}: {sent}");
        assert!(
            !sent.contains("words 1") && sent.contains("words 6"),
            "{window}: {sent}"
        );
        assert_eq!(sent.contains("were left out"), left_out, "{window}: {sent}");
        assert_eq!(!sent.contains("words 4"), left_out, "{window}: {sent}");
    }
}

#[tokio::test]
async fn where_there_is_next_to_no_room_the_oldest_is_left_out_and_the_summary_stays() {
    let mut session = Session::new(Worker::new(8_192));
    for at in 0..30 {
        session
            .turn(&format!("{at}: {}", "tell me more ".repeat(60)), 0)
            .await;
    }
    let summary = session.compactions().pop().unwrap().summary;
    assert!(!summary.is_empty());
    let before = session.worker.state.lock().unwrap().summaries;
    session.rules = "Plan gardens, and mind every rule. ".repeat(600);
    for at in 0..6 {
        session
            .turn(&format!("{at}: {}", "and now? ".repeat(30)), 0)
            .await;
    }
    let last = session.compactions().pop().unwrap();
    assert_eq!((last.summary, last.window), (summary.clone(), 8_192));
    assert!(last.left_out_through.is_some());
    let state = session.worker.state.lock().unwrap();
    assert_eq!(state.summaries, before);
    let sent = texts(&state.requests.last().unwrap().messages);
    assert!(
        sent.contains(&summary) && sent.contains("were left out"),
        "{sent}"
    );
}

#[tokio::test]
async fn a_summary_that_is_stopped_is_counted_all_the_same() {
    let spent = || {
        vec![Ok(ModelEvent::Usage(Usage {
            input_tokens: 777,
            ..Usage::default()
        }))]
    };
    let mut session = Session::new(Worker {
        summary: spent,
        hangs: true,
        ..Worker::new(8_192)
    });
    // Words alone, so that only a summary can make room.
    let mut usage = 0;
    for at in 0..30 {
        let words = format!("{at}: {}", "tell me more ".repeat(60));
        session.log.events.lock().unwrap().clear();
        let input = TurnInput {
            text: words,
            context: session.context(),
            ..input()
        };
        let agent = agent_over(
            session.worker.clone(),
            session.log.clone(),
            Arc::new(Look),
            Arc::new(Nobody),
            limits(60),
        );
        let stop = CancellationToken::new();
        let stopping = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(150)).await;
            stopping.cancel();
        });
        let turn = agent.run(input, session.log.as_ref(), &stop).await.unwrap();
        let items = session.items();
        session.past.push(PastTurn {
            items,
            is_own: true,
        });
        if session.worker.state.lock().unwrap().summaries > 0 {
            usage = turn.usage.input_tokens;
            break;
        }
    }
    assert_eq!(usage, 777);
    assert!(session.compactions().is_empty());
}

#[tokio::test]
async fn a_summary_by_hand_is_handed_back_with_what_it_took_and_not_written_down() {
    let session = eight_turns().await;
    let agent = agent_over(
        Arc::new(Worker {
            summary: || {
                vec![
                    Ok(ModelEvent::Usage(Usage {
                        input_tokens: 50,
                        ..Usage::default()
                    })),
                    Ok(ModelEvent::Text("ok".into())),
                    Ok(ModelEvent::Finished(FinishReason::Stop)),
                ]
            },
            ..Worker::new(200_000)
        }),
        session.log.clone(),
        Arc::new(Look),
        Arc::new(Nobody),
        limits(60),
    );
    let model = input().model;
    let stop = CancellationToken::new();
    let done = agent
        .compact(&session.context(), &model, "beds", &stop)
        .await;
    assert_eq!(done.usage.input_tokens, 50);
    let compaction = done.compaction.unwrap();
    assert!(compaction.by_hand && compaction.summary == "ok");
    assert_eq!(compaction.session_id, crate::turn::session());
    assert!(session.compactions().is_empty());
    stop.cancel();
    let stopped = agent.compact(&session.context(), &model, "", &stop).await;
    assert!(stopped.compaction.is_none());
}
