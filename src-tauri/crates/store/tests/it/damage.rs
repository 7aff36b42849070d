//! Damaged, newer and unwritable databases.

use std::io::{Seek, SeekFrom, Write};

use fs_err as fs;
use talaria_store::{Home, Store, StoreError};

use crate::fixture::{NOW, Root, later, session, words};

/// Fills a stretch of the database file with bytes that mean nothing.
fn overwrite(home: &Home, page: u64, pages: usize) {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .open(home.database())
        .unwrap();
    file.seek(SeekFrom::Start(page * 4096)).unwrap();
    file.write_all(&vec![0xFF; pages * 4096]).unwrap();
}

fn with_many_sessions() -> Root {
    let root = Root::new();
    for seed in 1..=20 {
        let session = root.session(seed);
        for turn in 1..=5 {
            root.exchange(
                &session,
                turn,
                &format!("问题 {seed}/{turn}"),
                &"回答。".repeat(60),
            );
        }
    }
    root
}

/// The page on which a table's tree begins, from 0.
fn root_page(home: &Home, table: &str) -> u64 {
    let raw = rusqlite::Connection::open(home.database()).unwrap();
    let page: i64 = raw
        .query_row(
            "SELECT rootpage FROM sqlite_schema WHERE name = ?",
            [table],
            |row| row.get(0),
        )
        .unwrap();
    u64::try_from(page).unwrap() - 1
}

#[test]
fn a_damaged_page_costs_only_the_rows_on_it() {
    let root = with_many_sessions();
    let home = root.home();
    let Root { folder, store } = root;
    drop(store);
    let pages = fs::metadata(home.database()).unwrap().len() / 4096;
    overwrite(&home, pages / 2, 1);
    let opened = Store::open(&home, later(1)).unwrap();
    let aside = opened.damaged.expect("the damage is found");
    assert!(
        aside
            .file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("talaria.db.corrupt-")
    );
    assert_eq!(fs::metadata(&aside).unwrap().len(), pages * 4096);
    let sessions = opened.store.sessions(99).unwrap();
    assert!(sessions.len() >= 15, "{}", sessions.len());
    let turns: usize = sessions
        .iter()
        .map(|listed| {
            opened
                .store
                .turns(listed.session.id, 99)
                .unwrap()
                .turns
                .len()
        })
        .sum();
    assert!(turns >= 80, "{turns}");
    assert!(opened.store.search("回答", 200).unwrap().len() >= 60);
    opened.store.create_session(&session(99)).unwrap();
    drop(opened.store);
    assert_eq!(Store::open(&home, later(2)).unwrap().damaged, None);
    drop(folder);
}

#[test]
fn turns_outlive_the_loss_of_all_sessions() {
    let root = with_many_sessions();
    let home = root.home();
    let page = root_page(&home, "session");
    let Root { folder, store } = root;
    drop(store);
    overwrite(&home, page, 1);
    let opened = Store::open(&home, later(1)).unwrap();
    assert!(opened.damaged.is_some());
    let sessions = opened.store.sessions(99).unwrap();
    assert_eq!(sessions.len(), 20);
    for listed in sessions {
        let turns = opened.store.turns(listed.session.id, 99).unwrap().turns;
        assert_eq!(turns.len(), 5);
        assert!(words(&turns[0].items[0]).starts_with("问题"));
    }
    drop(folder);
}

#[test]
fn the_damaged_file_is_kept_byte_for_byte() {
    let root = with_many_sessions();
    let home = root.home();
    let Root { folder, store } = root;
    drop(store);
    overwrite(&home, root_page(&home, "item"), 1);
    let before = fs::read(home.database()).unwrap();
    let opened = Store::open(&home, later(1)).unwrap();
    assert!(fs::read(opened.damaged.unwrap()).unwrap() == before);
    // The new database has a log of its own, which the closing of the old one must not take away.
    opened.store.create_session(&session(77)).unwrap();
    let raw = rusqlite::Connection::open(home.database()).unwrap();
    let seen: i64 = raw
        .query_row(
            "SELECT count(*) FROM session WHERE id = ?",
            [session(77).id.to_bytes()],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(seen, 1);
    drop(folder);
}

#[test]
fn a_file_that_is_no_database_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    let text = "not a database, but long enough to be looked at".repeat(40);
    fs::write(home.database(), &text).unwrap();
    let opened = Store::open(&home, NOW).unwrap();
    assert_eq!(fs::read_to_string(opened.damaged.unwrap()).unwrap(), text);
    assert!(opened.store.sessions(9).unwrap().is_empty());
}

#[test]
fn a_database_damaged_while_another_uses_it_is_left_where_it_is() {
    let root = with_many_sessions();
    let home = root.home();
    let page = root_page(&home, "turn");
    // What is in the log goes into the file first, so that the damage is not covered by it.
    let raw = rusqlite::Connection::open(home.database()).unwrap();
    raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    drop(raw);
    overwrite(&home, page, 1);
    let error = Store::open(&home, NOW).err().expect("it is refused");
    assert!(matches!(error, StoreError::DamagedInUse(_)), "{error}");
    assert!(home.database().exists());
}

#[test]
fn an_empty_file_is_a_new_database() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    fs::write(home.database(), "").unwrap();
    assert_eq!(Store::open(&home, NOW).unwrap().damaged, None);
}

#[test]
fn a_newer_database_is_refused_and_stays_as_it_is() {
    let root = Root::new();
    let home = root.home();
    let Root { folder, store } = root;
    drop(store);
    let raw = rusqlite::Connection::open(home.database()).unwrap();
    raw.pragma_update(None, "user_version", 2_100_000_000)
        .unwrap();
    drop(raw);
    let before = fs::read(home.database()).unwrap();
    let error = Store::open(&home, NOW).err().expect("it is refused");
    assert!(matches!(
        error,
        StoreError::Newer {
            found: 2_100_000_000,
            ..
        }
    ));
    assert_eq!(fs::read(home.database()).unwrap(), before);
    drop(folder);
}

#[cfg(unix)]
#[test]
fn one_data_root_reached_by_two_paths_is_one_database() {
    let root = Root::new();
    let session = root.session(1);
    let links = tempfile::tempdir().unwrap();
    let link = links.path().join("link");
    std::os::unix::fs::symlink(root.folder.path(), &link).unwrap();
    let other = Store::open(&Home::at(link), NOW).unwrap().store;
    other.rename_session(session.id, "through a link").unwrap();
    assert_eq!(
        root.store.session(session.id).unwrap().title,
        "through a link"
    );
}

/// Leaves what a process leaves that ended without closing the database.
fn pretend_a_kill(home: &Home) {
    fs::write(home.root().join("run/1-1-0.live"), "").unwrap();
}

#[test]
fn a_large_database_is_looked_through_behind_the_start_that_follows_a_kill() {
    let root = Root::new();
    for seed in 1..=4 {
        let session = root.session(seed);
        root.exchange(&session, 1, "q", &"很长的回答。".repeat(60_000));
    }
    let home = root.home();
    let Root { folder, store } = root;
    drop(store);
    assert!(fs::metadata(home.database()).unwrap().len() > 3_000_000);
    pretend_a_kill(&home);
    let opened = Store::open(&home, later(1)).unwrap();
    assert!(opened.unchecked && opened.damaged.is_none());
    opened.store.check().unwrap();
    drop(opened.store);
    assert!(!Store::open(&home, later(2)).unwrap().unchecked);

    overwrite(&home, root_page(&home, "item"), 1);
    pretend_a_kill(&home);
    let opened = Store::open(&home, later(3)).unwrap();
    assert!(opened.unchecked, "the start waits for nothing");
    assert!(opened.store.check().is_err());
    drop(opened.store);
    assert!(Store::open(&home, later(4)).unwrap().damaged.is_some());
    drop(folder);
}
