//! How sessions were shortened, and what of it was taken back.

use talaria_domain::{Compaction, CompactionId, ErrorCode, Session};

use crate::fixture::{Root, later, report};

fn compaction(session: &Session, seed: u8, summary: &str) -> Compaction {
    Compaction {
        id: CompactionId::from_parts(later(i64::from(seed)), [seed; 10]),
        session_id: session.id,
        at: later(i64::from(seed)),
        steps_through: None,
        summary_through: None,
        summary: summary.into(),
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
