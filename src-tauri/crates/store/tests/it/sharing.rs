//! Several stores on one data root: nothing is lost, and nobody's turn is taken for dead.

use talaria_domain::TurnState;
use talaria_store::{Home, Store, StoreError};

use crate::fixture::{NOW, Root, session, turn, user};

#[test]
fn writers_and_readers_side_by_side_lose_nothing() {
    let root = Root::new();
    let home = root.home();
    std::thread::scope(|scope| {
        for writer in 1..=2_u8 {
            let home = home.clone();
            scope.spawn(move || {
                let store = Store::open(&home, NOW).unwrap().store;
                for number in 0..100_u8 {
                    let mut session = session(number);
                    session.id = talaria_domain::SessionId::from_parts(
                        NOW,
                        [writer, number, 0, 0, 0, 0, 0, 0, 0, 0],
                    );
                    store.create_session(&session).unwrap();
                }
            });
        }
        let store = root.store.clone();
        scope.spawn(move || {
            for _ in 0..100 {
                store.sessions(20).unwrap();
            }
        });
    });
    assert_eq!(root.store.sessions(999).unwrap().len(), 200);
}

#[test]
fn programs_that_start_at_once_begin_one_new_database() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let opened: Vec<_> = std::thread::scope(|scope| {
            let begin = || scope.spawn(|| Store::open(&home, NOW).map(|opened| opened.damaged));
            let started: Vec<_> = (0..4).map(|_| begin()).collect();
            started.into_iter().map(|it| it.join().unwrap()).collect()
        });
        for opened in opened {
            assert_eq!(opened.unwrap(), None);
        }
    }
}

#[test]
fn a_turn_of_a_live_process_is_never_declared_interrupted() {
    let root = Root::new();
    let session = root.session(1);
    let running = turn(session.id, 1);
    root.store
        .begin_turn(&running, &user(&running, "q"))
        .unwrap();
    let other = Store::open(&root.home(), NOW).unwrap().store;
    assert_eq!(
        other.turn(running.id).unwrap().turn.state,
        TurnState::Running
    );
    assert_eq!(other.recover_interrupted(NOW).unwrap(), []);
    let next = turn(session.id, 2);
    let refused = other.begin_turn(&next, &user(&next, "q"));
    assert!(matches!(refused, Err(StoreError::TurnRunning)));
}

#[test]
fn a_turn_whose_store_was_closed_is_interrupted_by_the_next_to_look() {
    let root = Root::new();
    let session = root.session(1);
    let other = Store::open(&root.home(), NOW).unwrap().store;
    let left = turn(session.id, 1);
    other.begin_turn(&left, &user(&left, "q")).unwrap();
    drop(other);
    // A new turn in the session finds it, without anybody asking for a recovery.
    let next = turn(session.id, 2);
    root.store.begin_turn(&next, &user(&next, "again")).unwrap();
    assert_eq!(
        root.store.turn(left.id).unwrap().turn.state,
        TurnState::Interrupted
    );
    assert_eq!(root.store.recover_interrupted(NOW).unwrap(), []);
}

/// Holds the database's writer for a while, as another program's long work does.
fn hold(home: &talaria_store::Home, time: std::time::Duration) -> std::thread::JoinHandle<()> {
    let (path, (begun, held)) = (home.database(), std::sync::mpsc::channel());
    let holder = std::thread::spawn(move || {
        let raw = rusqlite::Connection::open(path).unwrap();
        raw.execute_batch("BEGIN IMMEDIATE").unwrap();
        begun.send(()).unwrap();
        std::thread::sleep(time);
        raw.execute_batch("ROLLBACK").unwrap();
    });
    held.recv().unwrap();
    holder
}

#[test]
fn a_write_waits_for_another_program_and_reading_does_not() {
    let root = Root::new();
    root.session(1);
    let holder = hold(&root.home(), std::time::Duration::from_millis(700));
    let begun = std::time::Instant::now();
    assert_eq!(root.store.sessions(9).unwrap().len(), 1);
    assert!(
        begun.elapsed().as_millis() < 500,
        "reading waits for nobody"
    );
    root.session(2);
    holder.join().unwrap();
    assert_eq!(root.store.sessions(9).unwrap().len(), 2);
}

#[test]
fn a_program_that_keeps_the_writer_too_long_is_told_plainly() {
    let root = Root::new();
    let holder = hold(&root.home(), std::time::Duration::from_millis(6500));
    let refused = root.store.create_session(&session(1));
    assert!(matches!(refused, Err(StoreError::Busy)), "{refused:?}");
    assert!(refused.unwrap_err().to_string().contains("busy"));
    holder.join().unwrap();
    root.store.create_session(&session(1)).unwrap();
}
