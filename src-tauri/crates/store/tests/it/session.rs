//! Sessions: the list, titles, deletion and its undoing, drafts, copies.

use talaria_domain::{Message, TitleOrigin, TurnState};
use talaria_store::{Draft, StoreError, TurnRecord};

use crate::fixture::{
    NOW, Root, file, finished, later, model, report, session, text, turn, user, words,
};

const WEEK: i64 = 7 * 24 * 60 * 60 * 1000;

fn ids(root: &Root) -> Vec<talaria_domain::SessionId> {
    root.store
        .sessions(20)
        .unwrap()
        .into_iter()
        .map(|listed| listed.session.id)
        .collect()
}

#[test]
fn a_session_comes_back_as_it_was_written() {
    let root = Root::new();
    let mut written = session(1);
    written.title = "关于 \"雨\"".into();
    written.title_origin = TitleOrigin::User;
    written.pinned = true;
    written.model = None;
    root.store.create_session(&written).unwrap();
    assert_eq!(root.store.session(written.id).unwrap(), written);
}

#[test]
fn the_list_shows_pinned_ones_first_then_the_latest() {
    let root = Root::new();
    let (a, b, c) = (root.session(1), root.session(2), root.session(3));
    assert_eq!(ids(&root), [c.id, b.id, a.id]);
    root.exchange(&b, 500, "hello", "hi");
    root.store.pin_session(a.id, true).unwrap();
    assert_eq!(ids(&root), [a.id, b.id, c.id]);
    root.store.archive_session(b.id, true).unwrap();
    assert_eq!(ids(&root), [a.id, c.id]);
    assert_eq!(
        root.store.archived_sessions(20).unwrap()[0].session.id,
        b.id
    );
    assert_eq!(root.store.sessions(1).unwrap().len(), 1);
}

#[test]
fn the_list_shows_the_last_words_and_what_runs() {
    let root = Root::new();
    let session = root.session(1);
    let listed = || root.store.listed_session(session.id).unwrap();
    assert_eq!((listed().last_words.as_str(), listed().running), ("", None));
    root.exchange(&session, 1, "问", "第一行\n第二行");
    assert_eq!(listed().last_words, "第一行 第二行");
    let next = turn(session.id, 2);
    root.store.begin_turn(&next, &user(&next, "再问")).unwrap();
    assert_eq!(
        (listed().last_words.as_str(), listed().running),
        ("再问", Some(next.id))
    );
    assert_eq!(root.store.sessions(5).unwrap(), [listed()]);
}

#[test]
fn an_automatic_title_never_replaces_the_users() {
    let root = Root::new();
    let id = root.session(1).id;
    let title = || {
        let session = root.store.session(id).unwrap();
        (session.title, session.title_origin)
    };
    root.store.set_automatic_title(id, "auto").unwrap();
    assert_eq!(title(), ("auto".into(), TitleOrigin::Automatic));
    root.store.rename_session(id, "  我的  ").unwrap();
    root.store.set_automatic_title(id, "other").unwrap();
    assert_eq!(title(), ("我的".into(), TitleOrigin::User));
    root.store.rename_session(id, " ").unwrap();
    assert_eq!(title(), (String::new(), TitleOrigin::None));
}

#[test]
fn the_model_can_change_in_the_middle() {
    let root = Root::new();
    let id = root.session(1).id;
    root.store
        .set_session_model(id, &model("qwen3:4b"))
        .unwrap();
    assert_eq!(
        root.store.session(id).unwrap().model,
        Some(model("qwen3:4b"))
    );
}

#[test]
fn the_first_system_prompt_stays() {
    let root = Root::new();
    let id = root.session(1).id;
    assert_eq!(root.store.freeze_system_prompt(id, "one").unwrap(), "one");
    assert_eq!(root.store.freeze_system_prompt(id, "two").unwrap(), "one");
}

#[test]
fn a_deleted_session_is_gone_until_it_is_restored() {
    let root = Root::new();
    let session = root.session(1);
    root.exchange(&session, 1, "q", "a");
    root.store.delete_session(session.id, NOW).unwrap();
    assert!(matches!(
        root.store.session(session.id),
        Err(StoreError::NotFound("session"))
    ));
    assert!(matches!(
        root.store.turns(session.id, 9),
        Err(StoreError::NotFound("session"))
    ));
    assert!(matches!(
        root.store.rename_session(session.id, "x"),
        Err(StoreError::NotFound(_))
    ));
    assert!(ids(&root).is_empty());
    root.store.restore_session(session.id).unwrap();
    assert_eq!(root.store.turns(session.id, 9).unwrap().turns.len(), 1);
}

#[test]
fn a_deletion_can_be_undone_for_a_week_and_no_longer() {
    let root = Root::new();
    let session = root.session(1);
    root.exchange(&session, 1, "q", "a");
    root.store.delete_session(session.id, NOW).unwrap();
    let (root, _) = root.reopen(later(WEEK - 1000));
    root.store.restore_session(session.id).unwrap();
    root.store.delete_session(session.id, NOW).unwrap();
    let (root, _) = root.reopen(later(WEEK + 1000));
    assert!(matches!(
        root.store.restore_session(session.id),
        Err(StoreError::NotFound(_))
    ));
}

#[test]
fn a_draft_survives_a_restart() {
    let root = Root::new();
    let (a, b) = (root.session(1), root.session(2));
    let draft = Draft {
        text: "写了一半".into(),
        attachments: vec![file(1)],
    };
    root.store.set_draft(a.id, &draft).unwrap();
    let (root, _) = root.reopen(NOW);
    assert_eq!(root.store.draft(a.id).unwrap(), draft);
    assert_eq!(root.store.draft(b.id).unwrap(), Draft::default());
    root.store.set_draft(a.id, &Draft::default()).unwrap();
    assert_eq!(root.store.draft(a.id).unwrap(), Draft::default());
}

#[test]
fn only_the_last_request_of_a_session_is_kept() {
    let root = Root::new();
    let session = root.session(1);
    assert_eq!(root.store.last_request(session.id).unwrap(), None);
    let messages = |text: &str| {
        vec![Message::User {
            text: text.into(),
            attachments: Vec::new(),
        }]
    };
    let first = root.exchange(&session, 1, "q", "a");
    let second = root.exchange(&session, 2, "q", "a");
    root.store
        .keep_request(first.id, &messages("one"), &report(1))
        .unwrap();
    root.store
        .keep_request(second.id, &messages("二"), &report(2))
        .unwrap();
    let kept = root.store.last_request(session.id).unwrap();
    assert_eq!(kept, Some((second.id, messages("二"))));
}

#[test]
fn a_fork_has_the_same_words_under_new_ids() {
    let root = Root::new();
    let original = root.session(1);
    for seed in 1..=3 {
        root.exchange(&original, seed, &format!("问{seed}"), "答");
    }
    root.store
        .freeze_system_prompt(original.id, "rules")
        .unwrap();
    let fork = session(2);
    let mut count = 0_u8;
    let random = || {
        count += 1;
        [count; 10]
    };
    root.store.fork_session(original.id, &fork, random).unwrap();
    let said = |id| -> Vec<String> {
        let turns = root.store.turns(id, 99).unwrap().turns;
        turns
            .iter()
            .flat_map(|record| &record.items)
            .map(|item| words(item).to_owned())
            .collect()
    };
    assert_eq!(said(fork.id), said(original.id));
    assert_eq!(
        root.store.freeze_system_prompt(fork.id, "other").unwrap(),
        "rules"
    );
    let turns = root.store.turns(fork.id, 99).unwrap().turns;
    assert!(turns.iter().all(|record| record.turn.session_id == fork.id));
}

#[test]
fn an_import_is_written_whole_or_not_at_all() {
    let root = Root::new();
    let session = session(1);
    let record = |seed| {
        let turn = turn(session.id, seed);
        let items = vec![user(&turn, "q"), finished(text(&turn, 1, "a"))];
        TurnRecord { turn, items }
    };
    root.store
        .import_session(&session, vec![record(1), record(2)], numbered(100))
        .unwrap();
    let turns = root.store.turns(session.id, 9).unwrap().turns;
    assert!(
        turns
            .iter()
            .all(|record| record.turn.state == TurnState::Interrupted)
    );
    // The same session again is refused, and nothing of it is added.
    let again = root
        .store
        .import_session(&session, vec![record(3)], numbered(200));
    assert!(again.is_err());
    assert_eq!(root.store.turns(session.id, 9).unwrap().turns.len(), 2);
}

#[test]
fn one_export_can_be_imported_beside_its_original() {
    let root = Root::new();
    let original = session(1);
    let turn = turn(original.id, 1);
    let record = TurnRecord {
        items: vec![user(&turn, "q")],
        turn,
    };
    for (seed, session) in [(50, original), (60, session(2))] {
        root.store
            .import_session(&session, vec![record.clone()], numbered(seed))
            .unwrap();
        let turns = root.store.turns(session.id, 9).unwrap().turns;
        assert_eq!(words(&turns[0].items[0]), "q");
    }
}

/// Ids one after the other.
fn numbered(from: u8) -> impl FnMut() -> [u8; 10] {
    let mut next = from;
    move || {
        next += 1;
        [next; 10]
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_the_database() {
    use std::os::unix::fs::PermissionsExt;
    let root = Root::new();
    root.session(1);
    for name in ["talaria.db", "talaria.db-wal"] {
        let mode = fs_err::metadata(root.folder.path().join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
}
