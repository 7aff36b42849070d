//! Search: short Chinese words, glued scripts, hostile queries, and nothing that is gone.

use proptest::prelude::*;
use talaria_domain::{SessionId, TurnState};
use talaria_store::SearchHit;

use crate::fixture::{NOW, Root, later, turn, user};

fn found(root: &Root, query: &str) -> Vec<SessionId> {
    root.store
        .search(query, 50)
        .unwrap()
        .into_iter()
        .map(|hit| hit.session_id)
        .collect()
}

fn marked(hit: &SearchHit) -> String {
    let run = |run: &talaria_store::ExcerptRun| {
        if run.hit {
            format!("[{}]", run.text)
        } else {
            run.text.clone()
        }
    };
    hit.excerpt.iter().map(run).collect()
}

#[test]
fn short_words_and_words_glued_to_another_script_are_found() {
    let root = Root::new();
    let session = root.session(1);
    root.exchange(
        &session,
        1,
        "第3版用build-cache再跑，丢失的20条记录补齐了",
        "今天下雨。데이터베이스, Überblick",
    );
    let table = [
        ("丢失", 1),
        ("雨", 1),
        ("下雨", 1),
        ("补齐", 1),
        ("build", 1),
        ("cache", 1),
        ("3版", 1),
        ("丢失的20条", 1),
        ("记录 BUILD", 1),
        ("데이", 1),
        ("uberblick", 1),
        ("über", 1),
        ("齐补", 0),
        ("没有", 0),
        ("记录 雪", 0),
        ("丢 雨", 0),
        ("版本", 0),
    ];
    for (query, hits) in table {
        assert_eq!(found(&root, query).len(), hits, "{query}");
    }
}

#[test]
fn any_text_is_a_good_query() {
    let root = Root::new();
    let session = root.session(1);
    let text = "it isn't a multi-tool; see KEY-12, std::mem, 4.5 and C#: 中文 AND english OR NOT";
    root.exchange(&session, 1, text, "ok");
    let hits = [
        "isn't",
        "multi-tool",
        "KEY-12",
        "std::mem",
        "4.5",
        "C#",
        "\"english",
        "and",
        "中文 AND",
        "NOT",
        "see*",
        "(tool",
        "^it",
        "col:on 4.5".split(' ').next_back().unwrap(),
        "mu*",
    ];
    for query in hits {
        assert_eq!(found(&root, query).len(), 1, "{query}");
    }
    let none = [
        "",
        "  ",
        "*",
        "\"",
        "''",
        "NEAR(",
        "a\0b",
        "%",
        "_",
        "--",
        "; DROP TABLE item",
        "😀",
    ];
    for query in none {
        root.store.search(query, 50).unwrap();
    }
}

#[test]
fn a_beginning_is_found_when_nothing_matches_whole() {
    let root = Root::new();
    let session = root.session(1);
    root.exchange(&session, 1, "the configuration", "config");
    let hits = root.store.search("config", 9).unwrap();
    assert_eq!(hits.iter().map(marked).collect::<Vec<_>>(), ["[config]"]);
    let hits = root.store.search("configur", 9).unwrap();
    assert_eq!(
        hits.iter().map(marked).collect::<Vec<_>>(),
        ["the [configuration]"]
    );
}

#[test]
fn hits_come_newest_first_with_their_place() {
    let root = Root::new();
    let (a, b) = (root.session(1), root.session(2));
    root.store.rename_session(a.id, "甲").unwrap();
    let first = root.exchange(&a, 1, "关于预算的问题", "好");
    root.exchange(&b, 2, "别的", "预算在这里");
    let hits = root.store.search("预算", 9).unwrap();
    assert_eq!(
        hits.iter().map(|hit| hit.session_id).collect::<Vec<_>>(),
        [b.id, a.id]
    );
    assert_eq!((hits[1].title.as_str(), hits[1].turn_id), ("甲", first.id));
    assert_eq!(marked(&hits[0]), "[预算]在这里");
    assert_eq!(root.store.search("预算", 1).unwrap().len(), 1);
}

#[test]
fn what_is_deleted_cleared_or_replaced_is_not_found() {
    let root = Root::new();
    let (a, b, c) = (root.session(1), root.session(2), root.session(3));
    for session in [&a, &b] {
        root.exchange(session, 1, "目标", "好");
    }
    let old = root.exchange(&c, 1, "目标", "好");
    root.store.delete_session(a.id, NOW).unwrap();
    root.store.clear_turns(b.id, NOW).unwrap();
    let mut new = turn(c.id, 2);
    root.store
        .begin_retry(old.id, &new, &user(&new, "换了"))
        .unwrap();
    new.state = TurnState::Finished;
    root.store.finish_turn(&new).unwrap();
    assert_eq!(found(&root, "目标"), []);
    assert_eq!(found(&root, "换了"), [c.id]);
    root.store.restore_session(a.id).unwrap();
    assert_eq!(found(&root, "目标"), [a.id]);
}

#[test]
fn a_purged_text_gives_no_hit_to_the_row_that_comes_after_it() {
    let root = Root::new();
    let gone = root.session(1);
    root.exchange(&gone, 1, "秘密", "秘密");
    root.store.delete_session(gone.id, NOW).unwrap();
    let (root, _) = root.reopen(later(8 * 24 * 60 * 60 * 1000));
    let next = root.session(2);
    root.exchange(&next, 1, "天气", "晴");
    assert_eq!(found(&root, "秘密"), []);
    assert_eq!(found(&root, "天气"), [next.id]);
}

#[test]
fn the_index_can_be_made_anew() {
    let root = Root::new();
    let session = root.session(1);
    for seed in 1..=5 {
        root.exchange(&session, seed, "重建索引", "好");
    }
    root.store.rebuild_index().unwrap();
    assert_eq!(found(&root, "重建").len(), 5);
}

#[test]
fn a_lost_index_costs_no_turn_and_mends_itself() {
    let root = Root::new();
    let session = root.session(1);
    root.exchange(&session, 1, "之前", "好");
    let raw = rusqlite::Connection::open(root.home().database()).unwrap();
    raw.execute_batch("DELETE FROM search_data; DELETE FROM search_idx;")
        .unwrap();
    drop(raw);
    root.exchange(&session, 2, "之后", "好");
    assert_eq!(root.store.turns(session.id, 9).unwrap().turns.len(), 2);
    for _ in 0..2 {
        assert_eq!(found(&root, "之前"), [session.id]);
        assert_eq!(found(&root, "之后"), [session.id]);
    }
}

#[test]
fn a_lost_index_is_found_at_start() {
    let root = Root::new();
    let session = root.session(1);
    root.exchange(&session, 1, "之前", "好");
    let raw = rusqlite::Connection::open(root.home().database()).unwrap();
    raw.execute_batch("DELETE FROM search_data WHERE id > 10")
        .unwrap();
    drop(raw);
    let (root, opened) = root.reopen(NOW);
    assert_eq!(opened.damaged, None);
    assert_eq!(found(&root, "之前"), [session.id]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_query_is_an_error(queries in prop::collection::vec(any::<String>(), 20)) {
        let root = Root::new();
        root.exchange(&root.session(1), 1, "一些 words", "ok");
        for query in queries {
            prop_assert!(root.store.search(&query, 5).is_ok(), "{query:?}");
        }
    }

    #[test]
    fn any_stretch_of_a_chinese_text_finds_it(
        text in "[一-龥]{2,30}", from in 0_usize..30, length in 1_usize..8,
    ) {
        let root = Root::new();
        root.exchange(&root.session(1), 1, &text, "ok");
        let characters: Vec<char> = text.chars().collect();
        let from = from % characters.len();
        let end = (from + length).min(characters.len());
        let query: String = characters[from..end].iter().collect();
        let hits = root.store.search(&query, 5).unwrap();
        prop_assert_eq!(hits.len(), 1, "{} in {}", query, text);
        prop_assert!(hits[0].excerpt.iter().any(|run| run.hit && run.text == query));
    }
}
