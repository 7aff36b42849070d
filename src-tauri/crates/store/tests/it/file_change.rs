//! What files held before they were changed: kept, marked, forgotten.

use talaria_domain::{FileChangeId, ItemId, Session, Timestamp, TurnId};
use talaria_store::NewFileChange;

use crate::fixture::{NOW, Root, later};

/// Change `number` of a turn: from its number less one to its number.
fn change(session: &Session, turn: u8, number: u8, at: Timestamp) -> NewFileChange {
    NewFileChange {
        id: FileChangeId::from_parts(at, [number; 10]),
        session_id: session.id,
        turn_id: TurnId::from_parts(NOW, [turn; 10]),
        item_id: ItemId::from_parts(at, [number; 10]),
        path: "/work/计划.md".to_owned(),
        before: number.checked_sub(1).map(|before| vec![before]),
        after: Some(vec![number]),
        at,
    }
}

#[test]
fn a_change_is_kept_then_made_then_taken_back() {
    let root = Root::new();
    let session = root.session(1);
    let (first, second) = (change(&session, 1, 0, NOW), change(&session, 2, 1, NOW));
    for change in [&first, &second] {
        root.store.keep_file_change(change).unwrap();
    }
    root.store.mark_made(first.id).unwrap();
    root.store.mark_undone(&[first.id], NOW).unwrap();
    let kept = root.store.file_changes(session.id, None).unwrap();
    let marks = kept.iter().map(|kept| (kept.made, kept.undone, kept.lost));
    assert!(marks.eq([(true, true, false), (false, false, false)]));
    assert_eq!(kept[0].change, first);
    let of_turn = root.store.file_changes(session.id, Some(second.turn_id));
    assert_eq!(of_turn.unwrap()[0].change, second);
    assert_eq!(
        root.store.session_of_file_change(second.id).unwrap(),
        session.id
    );
}

#[test]
fn a_change_whose_content_was_lost_is_still_known() {
    let root = Root::new();
    let session = root.session(1);
    for number in 0..3 {
        let change = change(&session, 1, number, NOW);
        root.store.keep_file_change(&change).unwrap();
    }
    let raw = rusqlite::Connection::open(root.home().database()).unwrap();
    let lost = raw.execute("DELETE FROM file_content WHERE content = x'00'", []);
    assert_eq!(lost.unwrap(), 1);
    let kept = root.store.file_changes(session.id, None).unwrap();
    let lost: Vec<bool> = kept.iter().map(|kept| kept.lost).collect();
    assert_eq!(lost, [true, true, false]);
    // That there was no file before is known all the same.
    let first = &kept[0].change;
    assert_eq!(
        (first.before.as_deref(), first.after.as_deref()),
        (None, Some([].as_slice()))
    );
}

#[test]
fn a_turn_is_forgotten_whole_once_one_of_its_changes_is_too_old() {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let root = Root::new();
    let session = root.session(1);
    for (turn, number, at) in [(1, 1, 0), (1, 2, 2 * DAY), (2, 3, 2 * DAY)] {
        let change = change(&session, turn, number, later(at));
        root.store.keep_file_change(&change).unwrap();
    }
    let (root, _) = root.reopen(later(31 * DAY));
    let kept = root.store.file_changes(session.id, None).unwrap();
    let left: Vec<_> = kept.iter().map(|kept| kept.change.after.clone()).collect();
    assert_eq!(left, [Some(vec![3])]);
}
