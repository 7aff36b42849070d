//! A process killed while it writes: this test binary runs itself as that process.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use talaria_domain::{ItemContent, TurnState};
use talaria_store::{Home, Store};

use crate::fixture::{NOW, call, later, session, text, turn, user, words};

/// Set for the child: the data root it writes to.
const ROOT: &str = "TALARIA_STORE_CRASH_TEST_ROOT";

/// The child's part; in an ordinary run there is nothing to do.
#[test]
fn writes_until_it_is_killed() {
    let Some(root) = std::env::var_os(ROOT) else {
        return;
    };
    let store = Store::open(&Home::at(root), NOW).unwrap().store;
    store.create_session(&session(1)).unwrap();
    let turn = turn(session(1).id, 1);
    store.begin_turn(&turn, &user(&turn, "问")).unwrap();
    store.begin_item(&call(&turn, 1)).unwrap();
    let answer = text(&turn, 2, "");
    store.begin_item(&answer).unwrap();
    for number in 0..100_000 {
        store.append_text(answer.id, &format!("{number} ")).unwrap();
        // What is printed here is what a user was shown: it must still be there afterwards.
        println!("shown {number}");
    }
}

#[test]
fn what_was_shown_before_a_kill_is_there_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::writes_until_it_is_killed", "--nocapture"])
        .env(ROOT, folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Held to the end: a child whose output nobody can read any more would end by itself.
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let shown = lines
        .by_ref()
        .map_while(Result::ok)
        .filter_map(|line| line.split("shown ").nth(1)?.parse::<u32>().ok())
        .find(|number| *number >= 200)
        .expect("the child writes");
    // While it lives, its turn is its own.
    let home = Home::at(folder.path());
    let beside = Store::open(&home, later(1)).unwrap().store;
    let id = turn(session(1).id, 1).id;
    assert_eq!(beside.turn(id).unwrap().turn.state, TurnState::Running);
    child.kill().unwrap();
    child.wait().unwrap();
    drop(lines);

    assert_eq!(beside.recover_interrupted(later(2)).unwrap(), [id]);
    drop(beside);
    let opened = Store::open(&home, later(3)).unwrap();
    assert_eq!(opened.damaged, None);
    let record = opened.store.turn(id).unwrap();
    assert_eq!(record.turn.state, TurnState::Interrupted);
    assert_eq!(record.turn.finished_at, Some(later(2)));
    assert_eq!(words(&record.items[0]), "问");
    let ItemContent::ToolCall {
        result: Some(result),
        ..
    } = &record.items[1].content
    else {
        panic!("the call is answered");
    };
    assert!(result.is_error);
    let numbers: Vec<u32> = words(&record.items[2])
        .split_whitespace()
        .map(|number| number.parse().unwrap())
        .collect();
    assert!(numbers.iter().copied().eq(0..numbers.len() as u32));
    assert!(numbers.len() as u32 > shown);
    // The session can go on.
    let next = turn(session(1).id, 2);
    opened
        .store
        .begin_turn(&next, &user(&next, "再来"))
        .unwrap();
}
