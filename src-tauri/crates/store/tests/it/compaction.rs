//! How sessions were shortened, and what of it was taken back.

use talaria_domain::{Compaction, CompactionId, Cost, ErrorCode, Session, Usage};

use crate::fixture::{Root, later, report};

fn compaction(session: &Session, seed: u8, summary: &str) -> Compaction {
    Compaction {
        id: CompactionId::from_parts(later(i64::from(seed)), [seed; 10]),
        session_id: session.id,
        at: later(i64::from(seed)),
        steps_through: None,
        summary_through: None,
        summary: summary.into(),
        left_out_through: None,
        window: 8_192,
        tokens_before: 9_000,
        tokens_after: 3_000,
        by_hand: seed == 2,
    }
}

#[test]
fn compactions_are_read_back_in_order_with_what_was_undone() {
    let root = Root::new();
    let session = root.session(1);
    let (first, second) = (
        compaction(&session, 1, "first"),
        compaction(&session, 2, "第二次"),
    );
    root.store.keep_compaction(&first).unwrap();
    root.store.keep_compaction(&second).unwrap();
    root.store
        .undo_compaction(session.id, second.id, later(9))
        .unwrap();
    let kept = root.store.compactions(session.id).unwrap();
    assert_eq!(
        kept.iter()
            .map(|kept| (&kept.compaction, kept.undone))
            .collect::<Vec<_>>(),
        [(&first, false), (&second, true)]
    );
}

#[test]
fn only_the_latest_that_still_holds_can_be_taken_back() {
    let root = Root::new();
    let session = root.session(1);
    let (first, second) = (compaction(&session, 1, ""), compaction(&session, 2, ""));
    root.store.keep_compaction(&first).unwrap();
    root.store.keep_compaction(&second).unwrap();
    let refused = root.store.undo_compaction(session.id, first.id, later(9));
    assert_eq!(refused.unwrap_err().code(), ErrorCode::Conflict);
    for id in [second.id, first.id] {
        root.store
            .undo_compaction(session.id, id, later(9))
            .unwrap();
    }
    assert!(
        root.store
            .undo_compaction(session.id, first.id, later(9))
            .is_err()
    );
}

#[test]
fn the_latest_requests_layers_are_kept_with_it() {
    let root = Root::new();
    let session = root.session(1);
    assert_eq!(root.store.last_report(session.id).unwrap(), None);
    let turn = root.exchange(&session, 1, "q", "a");
    root.store.keep_request(turn.id, &[], &report(17)).unwrap();
    assert_eq!(
        root.store.last_report(session.id).unwrap(),
        Some(report(17))
    );
}

#[test]
fn a_compaction_by_hand_is_kept_only_if_nothing_was_shortened_meanwhile() {
    let root = Root::new();
    let session = root.session(1);
    let stand = || root.store.session_stand(session.id).unwrap();
    let [first, second, third] = [1, 2, 3].map(|seed| compaction(&session, seed, "s"));
    let begun = stand();
    root.store.keep_compaction_after(&first, begun).unwrap();
    assert_eq!(stand().compaction, Some(first.id));
    // It was begun before the first one was kept.
    let refused = root.store.keep_compaction_after(&second, begun);
    assert_eq!(refused.unwrap_err().code(), ErrorCode::Conflict);
    root.store.keep_compaction_after(&second, stand()).unwrap();
    let begun = stand();
    root.store
        .undo_compaction(session.id, second.id, later(9))
        .unwrap();
    let refused = root.store.keep_compaction_after(&third, begun);
    assert_eq!(refused.unwrap_err().code(), ErrorCode::Conflict);
    assert_eq!(root.store.compactions(session.id).unwrap().len(), 2);
}

#[test]
fn a_compaction_by_hand_is_not_kept_where_a_turn_came_or_went_meanwhile() {
    let root = Root::new();
    let session = root.session(1);
    let turn = root.exchange(&session, 1, "q", "a");
    let begun = root.store.session_stand(session.id).unwrap();
    assert_eq!(begun.turn, Some(turn.id));
    // It began and has ended.
    root.exchange(&session, 2, "q", "a");
    let kept = compaction(&session, 3, "s");
    let refused = root.store.keep_compaction_after(&kept, begun);
    assert_eq!(refused.unwrap_err().code(), ErrorCode::Conflict);
    let begun = root.store.session_stand(session.id).unwrap();
    root.store.clear_turns(session.id, later(9)).unwrap();
    let refused = root.store.keep_compaction_after(&kept, begun);
    assert_eq!(refused.unwrap_err().code(), ErrorCode::Conflict);
    assert!(root.store.compactions(session.id).unwrap().is_empty());
}

#[test]
fn a_fork_is_shortened_as_its_original_and_by_its_own_items() {
    let root = Root::new();
    let session = root.session(1);
    for seed in 1..=3 {
        root.exchange(&session, seed, "q", "a");
    }
    let items = |id| -> Vec<_> {
        let turns = root.store.turns(id, 9).unwrap().turns;
        let items = turns.into_iter().flat_map(|record| record.items);
        items.map(|item| item.id).collect()
    };
    let own = items(session.id);
    let followed = Compaction {
        steps_through: Some(own[1]),
        summary_through: Some(own[3]),
        left_out_through: Some(own[4]),
        ..compaction(&session, 1, "what was said")
    };
    root.store.keep_compaction(&followed).unwrap();
    let undone = compaction(&session, 2, "taken back");
    root.store.keep_compaction(&undone).unwrap();
    root.store
        .undo_compaction(session.id, undone.id, later(9))
        .unwrap();

    let fork = crate::fixture::session(2);
    let mut count = 0_u8;
    let random = || {
        count += 1;
        [count; 10]
    };
    root.store.fork_session(session.id, &fork, random).unwrap();
    let copied = items(fork.id);
    let kept = root.store.compactions(fork.id).unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(
        kept[0].compaction,
        Compaction {
            id: kept[0].compaction.id,
            session_id: fork.id,
            steps_through: Some(copied[1]),
            summary_through: Some(copied[3]),
            left_out_through: Some(copied[4]),
            ..followed.clone()
        }
    );
    assert_ne!(kept[0].compaction.id, followed.id);
}

#[test]
fn what_was_spent_beside_the_turns_counts_for_the_session() {
    let root = Root::new();
    let session = root.session(1);
    root.exchange(&session, 1, "q", "a");
    let before = root.store.session_usage(session.id).unwrap();
    let usage = Usage {
        input_tokens: 70,
        output_tokens: 5,
        cost: Some(Cost(9)),
        ..Usage::default()
    };
    for usage in [usage, Usage::default()] {
        root.store
            .note_spending(session.id, usage, later(9))
            .unwrap();
    }
    let after = root.store.session_usage(session.id).unwrap();
    assert_eq!(
        (after.input_tokens, after.output_tokens),
        (before.input_tokens + 70, before.output_tokens + 5)
    );
}
