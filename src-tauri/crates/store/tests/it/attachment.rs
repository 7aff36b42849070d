//! The files that came with messages: kept, copied along, purged.

use talaria_domain::{ItemContent, TurnState};
use talaria_store::{Draft, StoreError};

use crate::fixture::{NOW, Root, file, later, session, turn, user_with};

const WEEK: i64 = 7 * 24 * 60 * 60 * 1000;

fn is_there(root: &Root, seed: u8) -> bool {
    match root.store.attachment(file(seed).id) {
        Ok((found, content)) => {
            assert_eq!(found, file(seed));
            assert_eq!(content, b"abc");
            true
        }
        Err(StoreError::NotFound(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_file_that_nothing_names_is_purged_after_a_week() {
    let mut root = Root::new();
    for seed in 1..=3 {
        root.store.add_attachment(&file(seed), b"abc", NOW).unwrap();
    }
    let talk = root.session(1);
    let sent = turn(talk.id, 1);
    root.store
        .begin_turn(&sent, &user_with(&sent, "what is it?", vec![file(1)]))
        .unwrap();
    let draft = Draft {
        text: String::new(),
        attachments: vec![file(2)],
    };
    root.store.set_draft(talk.id, &draft).unwrap();

    (root, _) = root.reopen(later(WEEK - 1));
    assert!(is_there(&root, 1) && is_there(&root, 2) && is_there(&root, 3));
    (root, _) = root.reopen(later(WEEK + 1));
    assert!(is_there(&root, 1) && is_there(&root, 2) && !is_there(&root, 3));
}

#[test]
fn a_file_stays_as_long_as_any_copy_of_its_message() {
    let mut root = Root::new();
    root.store.add_attachment(&file(1), b"abc", NOW).unwrap();
    let talk = root.session(1);
    let mut sent = turn(talk.id, 1);
    root.store
        .begin_turn(&sent, &user_with(&sent, "look", vec![file(1)]))
        .unwrap();
    sent.state = TurnState::Finished;
    root.store.finish_turn(&sent).unwrap();
    let copy = session(2);
    let mut seed = 0;
    root.store
        .fork_session(talk.id, &copy, || {
            seed += 1;
            [seed; 10]
        })
        .unwrap();
    root.store.delete_session(talk.id, NOW).unwrap();

    (root, _) = root.reopen(later(WEEK + 1));
    assert!(is_there(&root, 1));
    let items = root.store.turns(copy.id, 9).unwrap().turns.remove(0).items;
    assert!(matches!(
        &items[0].content,
        ItemContent::UserText { attachments, .. } if *attachments == [file(1)]
    ));
    root.store.delete_session(copy.id, later(WEEK + 1)).unwrap();
    (root, _) = root.reopen(later(3 * WEEK));
    (root, _) = root.reopen(later(3 * WEEK));
    assert!(!is_there(&root, 1));
}

#[test]
fn a_message_whose_file_is_not_there_can_be_kept_all_the_same() {
    let root = Root::new();
    let talk = root.session(1);
    let sent = turn(talk.id, 1);
    let user = user_with(&sent, "look", vec![file(9)]);
    root.store.begin_turn(&sent, &user).unwrap();
    assert_eq!(root.store.turn(sent.id).unwrap().items, [user]);
}
