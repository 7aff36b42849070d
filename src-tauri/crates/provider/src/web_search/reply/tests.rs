//! Answers of each service, and answers as no service should give them.

use proptest::prelude::*;
use serde_json::{Value, json};
use talaria_domain::WebHit;

use super::{Unread, day, hits, on_one_line};
use crate::search_service;

fn read(id: &str, answer: &Value) -> Result<Vec<WebHit>, Unread> {
    let form = &search_service(id).unwrap().reply;
    hits(form, answer.to_string().as_bytes(), 10)
}

fn hit(title: &str, url: &str, snippet: &str, date: Option<&str>) -> WebHit {
    WebHit {
        title: title.into(),
        url: url.into(),
        snippet: snippet.into(),
        date: date.map(str::to_owned),
    }
}

#[test]
fn the_hits_of_each_service_are_read() {
    let url = "https://garden.example/beds";
    for (id, answer, date) in [
        (
            "brave",
            json!({"type": "search", "query": {"original": "beds"}, "web": {"type": "search", "results": [
                {"title": "Raised beds", "url": url, "description": "Dig <strong>two</strong> beds.",
                 "age": "3 days ago", "page_age": "2026-11-28T08:00:00", "family_friendly": true}]}}),
            Some("2026-11-28"),
        ),
        (
            "tavily",
            json!({"query": "beds", "answer": null, "images": [], "response_time": 0.8, "results": [
                {"title": "Raised beds", "url": url, "content": "Dig two beds.", "score": 0.9}]}),
            None,
        ),
        (
            "exa",
            json!({"requestId": "r", "results": [
                {"id": url, "title": "Raised beds", "url": url, "author": null,
                 "publishedDate": "2026-11-28T08:00:00.000Z", "highlights": ["Dig two beds."]}]}),
            Some("2026-11-28"),
        ),
        (
            "serper",
            json!({"searchParameters": {"q": "beds"}, "organic": [
                {"title": "Raised beds", "link": url, "snippet": "Dig two beds.",
                 "date": "Nov 28, 2026", "position": 1}], "peopleAlsoAsk": []}),
            Some("Nov 28, 2026"),
        ),
        (
            "bocha",
            json!({"code": 200, "log_id": "l", "msg": null, "data": {"_type": "SearchResponse",
                "webPages": {"value": [
                {"name": "Raised beds", "url": url, "snippet": "Dig.", "summary": "Dig two beds.",
                 "siteName": "Garden", "datePublished": "2026-11-28T08:00:00+08:00"}]}}}),
            Some("2026-11-28"),
        ),
        (
            "zhipu",
            json!({"id": "i", "request_id": "r", "search_result": [
                {"title": "Raised beds", "link": url, "content": "Dig two beds.", "media": "Garden",
                 "refer": "ref_1", "publish_date": "2026-11-28"}]}),
            Some("2026-11-28"),
        ),
        (
            "searxng",
            json!({"query": "beds", "number_of_results": 0, "results": [
                {"url": url, "title": "Raised beds", "content": "Dig two beds.", "engine": "x",
                 "publishedDate": "2026-11-28T08:00:00"}], "unresponsive_engines": []}),
            Some("2026-11-28"),
        ),
    ] {
        let expected = vec![hit("Raised beds", url, "Dig two beds.", date)];
        assert_eq!(read(id, &answer), Ok(expected), "{id}");
    }
}

#[test]
fn what_is_missing_costs_the_field_or_the_hit() {
    let answer = json!({"results": [
        {"url": "https://a.example/1"},
        {"title": "no address"},
        {"url": "javascript:alert(1)", "title": "no page"},
        {"url": format!("https://a.example/{}", "x".repeat(3_000))},
        {"url": "https://a.example/2", "title": 7, "content": {"a": 1}, "published_date": ""},
        "not a hit",
        null,
        {"url": " https://a.example/3 ", "title": " three ", "content": null},
    ]});
    let expected = vec![
        hit("a.example", "https://a.example/1", "", None),
        hit("a.example", "https://a.example/2", "", None),
        hit("three", "https://a.example/3", "", None),
    ];
    assert_eq!(read("tavily", &answer), Ok(expected));
}

#[test]
fn no_hits_are_no_failure_but_a_complaint_is_one() {
    for (id, answer, expected) in [
        ("brave", json!({"type": "search", "query": {}}), Ok(())),
        ("brave", json!({"web": {"results": []}}), Ok(())),
        (
            "bocha",
            json!({"code": 200, "msg": null, "data": {"webPages": null}}),
            Ok(()),
        ),
        (
            "bocha",
            json!({"code": "403", "message": "You do not have enough money", "data": null}),
            Err(Unread::Complaint),
        ),
        (
            "zhipu",
            json!({"error": {"code": "1113", "message": "余额不足"}}),
            Err(Unread::Complaint),
        ),
        (
            "tavily",
            json!({"detail": {"error": "over the limit"}}),
            Err(Unread::Complaint),
        ),
        ("serper", json!({"organic": "none"}), Err(Unread::Form)),
        ("exa", json!([1, 2]), Err(Unread::Form)),
    ] {
        let found = read(id, &answer).map(|hits| assert!(hits.is_empty(), "{answer}"));
        assert_eq!(found, expected, "{answer}");
    }
    let form = &search_service("searxng").unwrap().reply;
    assert_eq!(hits(form, b"<html>", 1), Err(Unread::Form));
    assert_eq!(hits(form, b"", 1), Err(Unread::Form));
}

#[test]
fn no_more_hits_are_given_than_were_asked_for() {
    let many: Vec<Value> = (0..30)
        .map(|at| json!({"url": format!("https://a.example/{at}")}))
        .collect();
    let form = &search_service("searxng").unwrap().reply;
    let body = json!({"results": many}).to_string();
    assert_eq!(hits(form, body.as_bytes(), 4).unwrap().len(), 4);
}

#[test]
fn a_text_is_one_line_of_plain_words() {
    for (text, plain) in [
        ("a <b>bold</b> word", "a bold word"),
        ("two\n lines\t", "two lines"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("Tom &amp; Jo&#x27;s &lt;br&gt;", "Tom & Jo's <br>"),
        ("&amp;lt;", "&lt;"),
        ("a <unclosed tag", "a <unclosed tag"),
        ("<em>番茄</em>种植", "番茄种植"),
        ("", ""),
    ] {
        assert_eq!(on_one_line(text, 100), plain, "{text}");
    }
    assert_eq!(on_one_line("番茄种植", 2), "番茄…");
}

#[test]
fn a_moment_is_told_by_its_day_and_other_words_stay() {
    for (date, told) in [
        ("2026-11-28T08:00:00.000Z", "2026-11-28"),
        ("2026-11-28 08:00", "2026-11-28"),
        ("2026-11-28", "2026-11-28"),
        ("Tue, 28 Nov 2026", "Tue, 28 Nov 2026"),
        ("昨天", "昨天"),
    ] {
        assert_eq!(day(date.into()), told);
    }
}

proptest! {
    #[test]
    fn any_text_becomes_one_bounded_line(text in ".{0,200}", most in 0_usize..50) {
        let line = on_one_line(&text, most);
        prop_assert!(line.chars().count() <= most + 1);
        prop_assert!(!line.contains('\n'));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        let form = &search_service("brave").unwrap().reply;
        let _ = hits(form, &bytes, 10);
    }
}
