//! What is kept, under bad luck: any query, damage, a newer program's file, no place to write.

use std::io::{Read, Seek, SeekFrom, Write};

use fs_err as fs;
use serde_json::Value;
use talaria_testkit::Round;

use crate::program::Program;

/// Where a database's header has the number of its format.
const FORMAT: u64 = 60;

fn spoken(words: &str) -> (Program, String) {
    let program = Program::with([Round::text([words]), Round::text(["again"])]);
    let last = program.run(&["--json", "chat", "-m", "q"]).last();
    (program, last["session_id"].as_str().unwrap().to_owned())
}

fn hits(program: &Program, query: &str) -> usize {
    let ran = program.run(&["--json", "session", "search", "--", query]);
    assert!(ran.ok, "{query}: {ran:?}");
    ran.document().as_array().map_or(0, Vec::len)
}

#[test]
fn no_query_is_an_error() {
    let (program, _) = spoken("plain words");
    for query in [
        "can't",
        "multi-step",
        "ABC-12",
        "a::b",
        "1.2.3",
        "\"open",
        "x AND",
        "NOT y",
        "NEAR(",
        "*",
        "pl*",
        "(",
        "C++",
        "^p",
        "北京 OR",
        "",
        "  ",
        "key:value",
        "-",
        "%",
        "_",
        "\\",
        "'; --",
    ] {
        hits(&program, query);
    }
    assert_eq!(hits(&program, "pl*"), 1);
}

#[test]
fn words_are_found_where_scripts_meet() {
    let (program, _) = spoken("第3步 重启redis-cache后20个连接恢复，问题已解决");
    for (query, found) in [
        ("连接", 1),
        ("redis", 1),
        ("cache", 1),
        ("解决", 1),
        ("后", 1),
        ("redis 连接", 1),
        ("上海", 0),
        ("redis 上海", 0),
    ] {
        assert_eq!(hits(&program, query), found, "{query}");
    }
}

#[test]
fn a_database_of_a_newer_program_is_refused_and_stays_as_it_is() {
    let (program, _) = spoken("kept");
    let path = program.home.data_root().join("talaria.db");
    let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(FORMAT)).unwrap();
    file.write_all(&2_099_010_100_u32.to_be_bytes()).unwrap();
    drop(file);
    let before = fs::read(&path).unwrap();
    let refused = program.run(&["--json", "session", "list"]);
    assert!(!refused.ok);
    let error = refused.last();
    assert_eq!(error["code"], "storage");
    assert!(
        error["message"].as_str().unwrap().contains("newer Talaria"),
        "{error}"
    );
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn damage_is_set_aside_and_the_program_goes_on() {
    let (program, session) = spoken("kept");
    let path = program.home.data_root().join("talaria.db");
    let mut file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .unwrap();
    file.seek(SeekFrom::Start(4096 * 2)).unwrap();
    file.write_all(&[0xFF; 4096]).unwrap();
    let mut whole = Vec::new();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut whole).unwrap();
    drop(file);
    assert!(program.run(&["session", "list"]).ok);
    let names = fs::read_dir(program.home.data_root()).unwrap();
    let aside = names
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            let path = path.to_string_lossy();
            path.contains("talaria.db.corrupt-")
                && !path.ends_with("-wal")
                && !path.ends_with("-shm")
        })
        .expect("the damaged file is kept");
    assert!(fs::read(aside).unwrap() == whole);
    let listed = program.run(&["--json", "session", "list"]).document();
    let known = |line: &Value| line["id"] == session.as_str();
    let found = listed.as_array().unwrap().iter().any(known);
    let arguments: &[&str] = if found {
        &["--json", "chat", "-s", &session, "-m", "go on"]
    } else {
        &["--json", "chat", "-m", "go on"]
    };
    assert_eq!(program.run(arguments).last()["text"], "again");
}

#[test]
fn a_place_that_can_not_be_written_is_told_plainly() {
    let program = Program::with([]);
    let file = program.home.path().join("a-file");
    fs::write(&file, "in the way").unwrap();
    let root = file.join("data");
    let ran = program.run_with(
        &["--json", "session", "list"],
        &[("TALARIA_HOME", root.to_str().unwrap())],
        "",
    );
    assert!(!ran.ok);
    assert_eq!(ran.last()["code"], "storage", "{ran:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "in the way");
}
