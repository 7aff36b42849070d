//! The traces: kept beside the sessions, found by any word, bounded, and harmless when damaged.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fs_err as fs;
use serde_json::json;
use talaria_domain::{
    Cost, FinishReason, ItemId, RequestTrace, SessionId, Span, SpanContent, SpanId, Timestamp,
    TurnId, TurnState, Usage,
};
use talaria_store::{Clean, Home, Retention, Store, StoreError, TraceLog};

use crate::fixture::{NOW, later, model};

fn clean() -> Clean {
    Arc::new(|text| text.replace("sk-secret-1", "[secret]"))
}

fn log(home: &Home) -> TraceLog {
    TraceLog::new(home, Retention::default(), clean())
}

fn root() -> (tempfile::TempDir, Home) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    (folder, home)
}

fn turn(seed: u8) -> TurnId {
    TurnId::from_bytes([seed; 16])
}

fn span(seed: u8, at: i64, content: SpanContent) -> Span {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    let mut random = [0; 10];
    random[2..].copy_from_slice(&next);
    Span {
        id: SpanId::from_parts(NOW, random),
        parent: None,
        turn_id: turn(seed),
        session_id: SessionId::from_bytes([seed; 16]),
        started_at: later(at),
        ended_at: later(at + 5),
        content,
    }
}

fn call(name: &str, argument: &str, result: &str) -> SpanContent {
    SpanContent::ToolCall {
        item_id: ItemId::from_bytes([1; 16]),
        call_id: "c".into(),
        name: name.into(),
        arguments: json!({"text": argument}),
        result: Some(result.into()),
        failed: false,
    }
}

fn request(tokens: u64, cost: Option<u64>) -> SpanContent {
    SpanContent::Request {
        request: RequestTrace {
            model: model("gpt-5"),
            messages: 3,
            tools: vec!["save_note".into()],
            bytes: 10,
            sha256: "00".into(),
            estimated_tokens: None,
            usage: Usage {
                input_tokens: tokens,
                cost: cost.map(Cost),
                ..Usage::default()
            },
            first_piece_ms: Some(1),
            finish: Some(FinishReason::Stop),
            calls: Vec::new(),
            retries: Vec::new(),
            failure: None,
            body: None,
        },
    }
}

fn ended() -> SpanContent {
    SpanContent::Turn {
        model: model("gpt-5"),
        state: TurnState::Finished,
        usage: Usage::default(),
        finish: Some(FinishReason::Stop),
        failure: None,
    }
}

fn found(log: &TraceLog, query: &str) -> Vec<TurnId> {
    let turns = log.turns(query, 99).unwrap();
    turns.iter().map(|line| line.turn_id).collect()
}

/// The size of the file on disk, once its log is in it.
fn size(home: &Home) -> u64 {
    let connection = rusqlite::Connection::open(home.traces()).unwrap();
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    fs::metadata(home.traces()).unwrap().len()
}

#[test]
fn a_turn_is_summed_up_and_its_spans_come_back_in_order() {
    let (_folder, home) = root();
    let log = log(&home);
    log.record(span(1, 0, request(10, Some(5))));
    log.record(span(1, 20, request(7, None)));
    log.record(span(1, 10, call("save_note", "雨", "saved")));
    let line = log.turn(turn(1)).unwrap();
    assert_eq!(
        (line.state, line.spans, line.tokens),
        (TurnState::Running, 3, 17)
    );
    assert_eq!(
        (line.cost, line.model),
        (Some(Cost(5)), Some(model("gpt-5")))
    );
    log.record(span(1, 0, ended()));
    let line = log.turn(turn(1)).unwrap();
    assert_eq!(line.state, TurnState::Finished);
    assert_eq!((line.started_at, line.ended_at), (later(0), later(25)));
    let starts: Vec<Timestamp> = log
        .spans(turn(1))
        .unwrap()
        .iter()
        .map(|span| span.started_at)
        .collect();
    assert_eq!(starts, [later(0), later(0), later(10), later(20)]);
}

#[test]
fn any_text_is_a_query_and_short_chinese_words_are_found() {
    let (_folder, home) = root();
    let log = log(&home);
    log.record(span(1, 0, call("save_note", "明天杭州下雨", "ok")));
    log.record(span(
        2,
        1,
        call(
            "terminal",
            "步2 重跑gen-itgc",
            "Permission DENIED: it's \"C++\" 100%_",
        ),
    ));
    for (query, turns) in [
        ("雨", vec![1]),
        ("杭州", vec![1]),
        ("itgc", vec![2]),
        ("permission denied", vec![2]),
        ("TERMINAL 重跑", vec![2]),
        ("save_note 重跑", vec![]),
        ("savexnote", vec![]),
        ("100%_", vec![2]),
        ("it's", vec![2]),
        ("\"c++\"", vec![2]),
        ("", vec![2, 1]),
        ("   ", vec![2, 1]),
        ("NEAR(", vec![]),
        ("* OR 1=1 --", vec![]),
        ("上海", vec![]),
    ] {
        let expected: Vec<TurnId> = turns.into_iter().map(turn).collect();
        assert_eq!(found(&log, query), expected, "{query}");
    }
}

#[test]
fn a_secret_never_reaches_the_disk() {
    let (_folder, home) = root();
    let log = log(&home);
    log.record(span(
        1,
        0,
        call("terminal", "echo sk-secret-1", "sk-secret-1"),
    ));
    log.flush();
    drop(log);
    for entry in fs::read_dir(home.root()).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let secret = b"sk-secret-1";
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

#[test]
fn nothing_is_made_before_something_is_recorded() {
    let (_folder, home) = root();
    let log = log(&home);
    assert_eq!(log.turns("", 9).unwrap(), []);
    assert!(matches!(log.turn(turn(1)), Err(StoreError::NotFound(_))));
    assert!(!home.traces().exists());
}

#[test]
fn what_is_recorded_last_is_kept_when_the_log_is_closed() {
    let (_folder, home) = root();
    let first = log(&home);
    for seed in 1..=50 {
        first.record(span(seed, 0, ended()));
    }
    drop(first);
    assert_eq!(found(&log(&home), "").len(), 50);
}

#[test]
fn turns_that_are_too_old_go_when_newer_ones_come() {
    let (_folder, home) = root();
    let retention = Retention {
        days: 2,
        ..Retention::default()
    };
    let log = TraceLog::new(&home, retention, clean());
    let day = 24 * 60 * 60 * 1000;
    log.record(span(1, 0, ended()));
    log.record(span(2, day, ended()));
    log.flush();
    assert_eq!(found(&log, "").len(), 2);
    log.record(span(3, day * 2 + 60_000, ended()));
    assert_eq!(found(&log, ""), [turn(3), turn(2)]);
    assert_eq!(log.spans(turn(1)).unwrap(), []);
}

#[test]
fn the_file_keeps_to_its_size_and_the_newest_turn_stays() {
    let (_folder, home) = root();
    let retention = Retention {
        bytes: 1024 * 1024,
        ..Retention::default()
    };
    let log = TraceLog::new(&home, retention, clean());
    for seed in 1..=200 {
        for part in 0..5 {
            log.record(span(
                seed,
                i64::from(seed) * 10 + part,
                call("t", &"字".repeat(900), "r"),
            ));
        }
        if seed % 20 == 0 {
            log.flush();
        }
    }
    let left = found(&log, "");
    assert_eq!(left.first(), Some(&turn(200)));
    assert!(left.len() > 10 && left.len() < 199, "{}", left.len());
    assert!(!left.contains(&turn(1)), "the oldest go first");
    drop(log);
    assert!(size(&home) <= 1024 * 1024 + 256 * 1024, "{}", size(&home));

    let one = TraceLog::new(&home, Retention { bytes: 1, days: 30 }, clean());
    one.record(span(201, 99_999, ended()));
    assert_eq!(found(&one, ""), [turn(201)]);
}

#[test]
fn the_traces_of_a_session_can_be_forgotten() {
    let (_folder, home) = root();
    let log = log(&home);
    log.record(span(1, 0, ended()));
    log.record(span(2, 1, ended()));
    assert_eq!(log.sessions().unwrap().len(), 2);
    log.forget(SessionId::from_bytes([1; 16]));
    assert_eq!(found(&log, ""), [turn(2)]);
}

#[test]
fn a_damaged_file_is_set_aside_and_begun_anew() {
    for damage in [vec![0xFF; 8192], b"not a database at all".to_vec()] {
        let (_folder, home) = root();
        fs::write(home.traces(), &damage).unwrap();
        let log = log(&home);
        log.record(span(1, 0, ended()));
        assert_eq!(found(&log, ""), [turn(1)]);
        let aside = fs::read_dir(home.root())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.to_string_lossy().contains("traces.db.corrupt-"))
            .expect("the damaged file is kept");
        assert_eq!(fs::read(aside).unwrap(), damage);
    }
}

#[test]
fn damage_in_the_traces_does_not_touch_the_sessions() {
    let (_folder, home) = root();
    let opened = Store::open(&home, NOW).unwrap();
    fs::write(home.traces(), vec![0xFF; 8192]).unwrap();
    let log = log(&home);
    log.record(span(1, 0, ended()));
    log.flush();
    assert!(opened.store.sessions(9).unwrap().is_empty());
    drop(opened.store);
    assert_eq!(Store::open(&home, NOW).unwrap().damaged, None);
}

#[test]
fn a_file_of_a_newer_program_is_left_alone() {
    let (_folder, home) = root();
    let raw = rusqlite::Connection::open(home.traces()).unwrap();
    raw.execute_batch(
        "PRAGMA journal_mode = WAL; CREATE TABLE future (x); PRAGMA user_version = 2099010100",
    )
    .unwrap();
    drop(raw);
    let before = fs::read(home.traces()).unwrap();
    let log = log(&home);
    log.record(span(1, 0, ended()));
    assert!(matches!(log.turns("", 9), Err(StoreError::Newer { .. })));
    drop(log);
    assert!(fs::read(home.traces()).unwrap() == before);
}

#[test]
fn two_programs_write_one_file() {
    let (_folder, home) = root();
    std::thread::scope(|scope| {
        for half in 0..2_u8 {
            let home = &home;
            scope.spawn(move || {
                let log = log(home);
                for seed in 0..100 {
                    log.record(span(half * 100 + seed, 0, ended()));
                }
            });
        }
    });
    assert_eq!(log(&home).turns("", 999).unwrap().len(), 200);
}

#[test]
fn a_flood_loses_spans_instead_of_time() {
    let (_folder, home) = root();
    let log = log(&home);
    let began = std::time::Instant::now();
    for _ in 0..20_000 {
        log.record(span(1, 0, call("t", "x", "y")));
    }
    assert!(began.elapsed().as_secs() < 3, "{:?}", began.elapsed());
    assert!(log.turn(turn(1)).unwrap().spans > 100);
}

#[cfg(unix)]
#[test]
fn the_file_is_for_this_user_only() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, home) = root();
    let log = log(&home);
    log.record(span(1, 0, ended()));
    log.flush();
    let mode = fs::metadata(home.traces()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
