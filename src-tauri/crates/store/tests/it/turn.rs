//! Turns: what is written while one runs, pages of them, retrying, clearing.

use talaria_domain::{
    Cost, ErrorCode, FinishReason, ItemContent, ToolResult, TurnFailure, TurnState, Usage,
};
use talaria_store::StoreError;

use crate::fixture::{NOW, Root, call, finished, item, later, report, text, turn, user, words};

#[test]
fn a_turn_comes_back_as_it_ended() {
    let root = Root::new();
    let session = root.session(1);
    let mut written = turn(session.id, 1);
    root.store
        .begin_turn(&written, &user(&written, "问"))
        .unwrap();
    written.state = TurnState::Failed;
    written.usage = Usage {
        input_tokens: 10,
        cached_tokens: 4,
        cache_written_tokens: 3,
        output_tokens: 2,
        cost: Some(Cost(1_250)),
    };
    written.finish = Some(FinishReason::Length);
    written.failure = Some(TurnFailure {
        code: ErrorCode::StreamCut,
        message: "cut".into(),
    });
    written.finished_at = Some(later(9));
    root.store.finish_turn(&written).unwrap();
    let record = root.store.turn(written.id).unwrap();
    assert_eq!(record.turn, written);
    assert_eq!(record.items, [user(&written, "问")]);
    assert_eq!(root.store.session(session.id).unwrap().updated_at, later(9));
}

#[test]
fn text_that_streams_can_be_read_at_once() {
    let root = Root::new();
    let session = root.session(1);
    let turn = turn(session.id, 1);
    root.store.begin_turn(&turn, &user(&turn, "q")).unwrap();
    let answer = text(&turn, 1, "");
    root.store.begin_item(&answer).unwrap();
    for piece in ["一", "二", "", "三"] {
        root.store.append_text(answer.id, piece).unwrap();
    }
    let read = || root.store.turn(turn.id).unwrap().items[1].clone();
    assert_eq!(words(&read()), "一二三");
    assert_eq!(read().finished_at, None);
    let whole = finished(text(&turn, 1, "一二三。"));
    root.store.finish_item(&whole).unwrap();
    assert_eq!(read(), whole);
}

#[test]
fn a_tool_call_is_written_when_issued_and_when_finished() {
    let root = Root::new();
    let session = root.session(1);
    let turn = turn(session.id, 1);
    root.store.begin_turn(&turn, &user(&turn, "q")).unwrap();
    let mut call = call(&turn, 1);
    root.store.begin_item(&call).unwrap();
    assert_eq!(root.store.turn(turn.id).unwrap().items[1], call);
    if let ItemContent::ToolCall { result, .. } = &mut call.content {
        *result = Some(ToolResult::success("saved"));
    }
    let call = finished(call);
    root.store.finish_item(&call).unwrap();
    assert_eq!(root.store.turn(turn.id).unwrap().items[1], call);
}

#[test]
fn what_has_no_turn_or_session_is_refused() {
    let root = Root::new();
    let session = root.session(1);
    let stray = turn(session.id, 7);
    let item = text(&stray, 1, "x");
    assert!(matches!(
        root.store.begin_item(&item),
        Err(StoreError::NotFound("turn"))
    ));
    assert!(matches!(
        root.store.append_text(item.id, "x"),
        Err(StoreError::NotFound("item"))
    ));
    assert!(matches!(
        root.store.finish_turn(&stray),
        Err(StoreError::NotFound("turn"))
    ));
    assert!(matches!(
        root.store.keep_request(stray.id, &[], &report(1)),
        Err(StoreError::NotFound("turn"))
    ));
    let lost = turn(crate::fixture::session(9).id, 1);
    let begun = root.store.begin_turn(&lost, &user(&lost, "q"));
    assert!(matches!(begun, Err(StoreError::NotFound("session"))));
}

#[test]
fn a_turn_that_ends_leaves_nothing_open() {
    let root = Root::new();
    let session = root.session(1);
    let mut turn = turn(session.id, 1);
    root.store.begin_turn(&turn, &user(&turn, "q")).unwrap();
    root.store
        .begin_item(&item(
            &turn,
            1,
            ItemContent::Reasoning {
                text: "想".into(),
                echo: None,
            },
        ))
        .unwrap();
    let answer = text(&turn, 2, "");
    root.store.begin_item(&answer).unwrap();
    root.store.append_text(answer.id, "half").unwrap();
    root.store.begin_item(&call(&turn, 3)).unwrap();
    turn.state = TurnState::Cancelled;
    turn.finished_at = Some(later(5));
    root.store.finish_turn(&turn).unwrap();
    let items = root.store.turn(turn.id).unwrap().items;
    assert!(items.iter().all(|item| item.finished_at.is_some()));
    assert_eq!((words(&items[1]), words(&items[2])), ("想", "half"));
    let ItemContent::ToolCall {
        result: Some(result),
        ..
    } = &items[3].content
    else {
        panic!("{items:?}");
    };
    assert!(result.is_error && result.text.starts_with("Interrupted"));
}

#[test]
fn one_turn_at_a_time_runs_in_a_session() {
    let root = Root::new();
    let (a, b) = (root.session(1), root.session(2));
    let first = turn(a.id, 1);
    root.store.begin_turn(&first, &user(&first, "q")).unwrap();
    let second = turn(a.id, 2);
    let refused = root.store.begin_turn(&second, &user(&second, "q"));
    assert!(matches!(refused, Err(StoreError::TurnRunning)));
    assert!(matches!(
        root.store.clear_turns(a.id, NOW),
        Err(StoreError::TurnRunning)
    ));
    let elsewhere = turn(b.id, 1);
    root.store
        .begin_turn(&elsewhere, &user(&elsewhere, "q"))
        .unwrap();
}

#[test]
fn turns_come_in_pages_from_the_latest_back() {
    let root = Root::new();
    let session = root.session(1);
    let turns: Vec<_> = (1..=7)
        .map(|seed| root.exchange(&session, seed, &format!("q{seed}"), "a"))
        .collect();
    let said = |page: &talaria_store::TurnPage| -> Vec<String> {
        page.turns
            .iter()
            .map(|record| words(&record.items[0]).to_owned())
            .collect()
    };
    let last = root.store.turns(session.id, 3).unwrap();
    assert_eq!(
        (said(&last), last.has_earlier),
        (vec!["q5".into(), "q6".into(), "q7".into()], true)
    );
    let before = root.store.turns_before(session.id, turns[4].id, 3).unwrap();
    assert_eq!(said(&before), ["q2", "q3", "q4"]);
    assert!(before.has_earlier);
    let first = root.store.turns_before(session.id, turns[1].id, 3).unwrap();
    assert_eq!(
        (said(&first), first.has_earlier),
        (vec!["q1".into()], false)
    );
    assert_eq!(
        root.store
            .turns_before(session.id, turns[0].id, 3)
            .unwrap()
            .turns,
        []
    );
    assert!(last.turns.iter().all(|record| record.items.len() == 2));
    let none = root.store.turns(session.id, 0).unwrap();
    assert!(none.turns.is_empty() && none.has_earlier);
}

#[test]
fn a_retry_takes_the_place_of_the_last_turn() {
    let root = Root::new();
    let session = root.session(1);
    let kept = root.exchange(&session, 1, "one", "a");
    let old = root.exchange(&session, 2, "two", "wrong");
    let mut new = turn(session.id, 3);
    let refused = root.store.begin_retry(kept.id, &new, &user(&new, "two"));
    assert!(matches!(refused, Err(StoreError::NotLastTurn)));
    root.store
        .begin_retry(old.id, &new, &user(&new, "two"))
        .unwrap();
    let running = root
        .store
        .begin_retry(new.id, &turn(session.id, 4), &user(&new, "two"));
    assert!(matches!(running, Err(StoreError::TurnRunning)));
    new.state = TurnState::Finished;
    root.store.finish_turn(&new).unwrap();
    let seen: Vec<_> = root
        .store
        .turns(session.id, 9)
        .unwrap()
        .turns
        .iter()
        .map(|r| r.turn.id)
        .collect();
    assert_eq!(seen, [kept.id, new.id]);
    assert_eq!(root.store.turn(old.id).unwrap().items.len(), 2);
}

#[test]
fn a_clearing_can_be_undone_and_does_not_bring_back_replaced_turns() {
    let root = Root::new();
    let session = root.session(1);
    let old = root.exchange(&session, 1, "q", "wrong");
    let mut new = turn(session.id, 2);
    root.store
        .begin_retry(old.id, &new, &user(&new, "q"))
        .unwrap();
    new.state = TurnState::Finished;
    root.store.finish_turn(&new).unwrap();
    root.store.clear_turns(session.id, later(10)).unwrap();
    assert!(root.store.turns(session.id, 9).unwrap().turns.is_empty());
    assert_eq!(
        root.store.listed_session(session.id).unwrap().last_words,
        ""
    );
    root.exchange(&session, 3, "after", "a");
    root.store.clear_turns(session.id, later(20)).unwrap();
    let seen = || -> Vec<_> {
        root.store
            .turns(session.id, 9)
            .unwrap()
            .turns
            .iter()
            .map(|r| r.turn.started_at)
            .collect()
    };
    root.store.restore_turns(session.id).unwrap();
    assert_eq!(seen(), [later(3)]);
    root.store.restore_turns(session.id).unwrap();
    assert_eq!(seen(), [later(2), later(3)]);
}

#[test]
fn what_was_cleared_is_purged_after_a_week() {
    let root = Root::new();
    let session = root.session(1);
    let cleared = root.exchange(&session, 1, "q", "a");
    root.store.clear_turns(session.id, NOW).unwrap();
    let (root, _) = root.reopen(later(8 * 24 * 60 * 60 * 1000));
    assert!(matches!(
        root.store.turn(cleared.id),
        Err(StoreError::NotFound("turn"))
    ));
    assert!(root.store.session(session.id).is_ok());
}

#[test]
fn the_usage_of_a_session_is_the_sum_of_all_its_turns() {
    let root = Root::new();
    let talk = root.session(1);
    let used = |seed: u16, input_tokens: u64, cost: Option<u64>| {
        let mut turn = turn(talk.id, seed);
        root.store.begin_turn(&turn, &user(&turn, "问")).unwrap();
        turn.state = TurnState::Finished;
        turn.usage = Usage {
            input_tokens,
            cost: cost.map(Cost),
            ..Usage::default()
        };
        root.store.finish_turn(&turn).unwrap();
    };
    used(1, 10, Some(5));
    used(2, 20, Some(7));
    root.store.clear_turns(talk.id, NOW).unwrap();
    let sum = root.store.session_usage(talk.id).unwrap();
    assert_eq!((sum.input_tokens, sum.cost), (30, Some(Cost(12))));
    used(3, 1, None);
    assert_eq!(root.store.session_usage(talk.id).unwrap().cost, None);
}

#[test]
fn a_turn_keeps_the_model_that_took_over() {
    let root = Root::new();
    let talk = root.session(1);
    let mut turn = turn(talk.id, 1);
    root.store.begin_turn(&turn, &user(&turn, "问")).unwrap();
    turn.model = crate::fixture::model("other");
    turn.state = TurnState::Finished;
    root.store.finish_turn(&turn).unwrap();
    assert_eq!(root.store.turn(turn.id).unwrap().turn.model, turn.model);
}
