//! What the note tools do.

use serde_json::json;
use talaria_note::{NoteAuthor, NotePath};

use crate::call::{Bench, call, context, session};

#[tokio::test]
async fn a_saved_note_is_the_agents_and_can_be_read_by_title_or_path() {
    let bench = Bench::new();
    let saved = bench
        .json(
            "save_note",
            json!({"title": "京都: 计划", "content": "# 三天\n\n寺"}),
        )
        .await;
    assert_eq!(saved["path"], "京都： 计划.md");
    let note = bench
        .notebook
        .read(&NotePath::parse("京都： 计划.md").unwrap())
        .unwrap();
    assert_eq!(note.summary.author, NoteAuthor::Agent);
    assert_eq!(note.summary.session_id, Some(session()));
    for title in ["京都： 计划.md", "三天", "京都： 计划", "京都: 计划"] {
        let read = bench.call("read_note", json!({"title": title})).await;
        assert!(
            !read.is_error && read.text.contains("寺"),
            "{title}: {}",
            read.text
        );
        assert!(read.text.contains(&note.version));
    }
}

#[tokio::test]
async fn saving_again_replaces_and_says_what_was_kept() {
    let bench = Bench::new();
    let first = bench
        .json("save_note", json!({"title": "A: b", "content": "one"}))
        .await;
    let again = bench
        .json("save_note", json!({"title": "A: b", "content": "two"}))
        .await;
    assert_eq!(again["path"], first["path"]);
    let kept = first["version"].as_str().unwrap();
    assert!(again["note"].as_str().unwrap().contains(kept));
    let path = NotePath::parse(first["path"].as_str().unwrap()).unwrap();
    assert_eq!(bench.notebook.read_version(&path, kept).unwrap(), "one");
    let third = json!({"title": "a: B", "content": "three", "version": again["version"]});
    let third = bench.json("save_note", third).await;
    assert_eq!(third["saved"], "existing note");
    assert!(third.get("note").is_none());
}

#[tokio::test]
async fn a_stale_version_changes_nothing_and_names_the_current_one() {
    let bench = Bench::new();
    let first = bench
        .json("save_note", json!({"title": "a", "content": "one"}))
        .await;
    let second = bench
        .json("save_note", json!({"title": "a", "content": "two"}))
        .await;
    let stale = json!({"title": "a", "content": "x", "version": first["version"]});
    let result = bench.call("save_note", stale).await;
    assert!(result.is_error && result.text.contains(second["version"].as_str().unwrap()));
    assert_eq!(
        bench
            .notebook
            .read(&NotePath::parse("a.md").unwrap())
            .unwrap()
            .text,
        "two"
    );
    let absent = json!({"title": "b", "content": "x", "version": "0123"});
    assert!(
        bench
            .call("save_note", absent)
            .await
            .text
            .contains("no note \"b\"")
    );
}

#[tokio::test]
async fn a_title_that_fits_several_notes_asks_for_a_path() {
    let bench = Bench::new();
    for _ in 0..2 {
        bench
            .notebook
            .create("x", "# Same", NoteAuthor::User, None)
            .unwrap();
    }
    for (name, arguments) in [
        ("read_note", json!({"title": "Same"})),
        ("save_note", json!({"title": "same", "content": ""})),
    ] {
        let result = bench.call(name, arguments).await;
        assert!(result.is_error && result.text.contains("x.md") && result.text.contains("x 2.md"));
    }
    assert!(
        bench
            .call("read_note", json!({"title": "none"}))
            .await
            .text
            .contains("list_notes")
    );
}

#[tokio::test]
async fn a_long_note_is_read_in_parts() {
    let bench = Bench::new();
    let text = "长".repeat(30_000);
    bench
        .notebook
        .create("long", &text, NoteAuthor::User, None)
        .unwrap();
    let first = bench.call("read_note", json!({"title": "long"})).await;
    assert!(first.text.ends_with("[more: read_note with offset 20000]"));
    let rest = bench
        .call("read_note", json!({"title": "long", "offset": 20_000}))
        .await;
    assert_eq!(rest.text.matches('长').count(), 10_000);
    let beyond = bench
        .call("read_note", json!({"title": "long", "offset": 90_000}))
        .await;
    assert!(!beyond.is_error);
}

#[tokio::test]
async fn lists_and_searches_are_paged() {
    let bench = Bench::new();
    for number in 0..5 {
        bench
            .notebook
            .create(&format!("n{number}"), "milk", NoteAuthor::User, None)
            .unwrap();
    }
    let page = bench.json("list_notes", json!({"limit": 2})).await;
    assert_eq!(
        (&page["total"], &page["next_offset"]),
        (&json!(5), &json!(2))
    );
    assert_eq!(page["notes"].as_array().unwrap().len(), 2);
    let last = bench
        .json("search_notes", json!({"query": "MILK", "offset": 4}))
        .await;
    assert_eq!(last["notes"].as_array().unwrap().len(), 1);
    assert!(last.get("next_offset").is_none());
}

#[tokio::test]
async fn hostile_titles_neither_read_nor_write_outside() {
    let bench = Bench::new();
    for title in [
        "../../etc/passwd",
        "/etc/passwd",
        "..\\x",
        "a\0b",
        "con.md",
        ".talaria/lock",
    ] {
        let read = bench.call("read_note", json!({"title": title})).await;
        assert!(read.is_error, "{title}");
        let saved = bench
            .json("save_note", json!({"title": title, "content": "x"}))
            .await;
        let path = saved["path"].as_str().unwrap();
        assert!(
            NotePath::parse(path).is_ok() && !path.contains('/'),
            "{title}: {path}"
        );
    }
}

#[tokio::test]
async fn a_note_is_saved_with_the_text_that_was_allowed_and_no_other() {
    let bench = Bench::new();
    let save = |title: &str, version: &str, content: &str| {
        let arguments = json!({"title": title, "version": version, "content": content});
        call("save_note", arguments)
    };
    let allowed = save("Beds", "", "one");
    let (planned, act) = bench
        .registry
        .plan(allowed.clone(), &context())
        .await
        .unwrap();
    let mut context = context();
    context.digest = act.digest;
    for other in [
        save("Beds", "", "two"),
        save("Bed", "", "one"),
        save("Beds", "1", "one"),
        save("Beds\0", "", "one"),
        save("Bed", "s", "one"),
    ] {
        let refused = bench.registry.run(&other, &context).await;
        assert!(refused.is_error, "{other:?}: {}", refused.text);
        assert!(bench.notebook.list().unwrap().is_empty());
    }
    let saved = bench.registry.run(&planned, &context).await;
    assert!(!saved.is_error, "{}", saved.text);
}

#[tokio::test]
async fn no_part_of_a_note_is_taken_for_another() {
    let (bench, context) = (Bench::new(), context());
    let mut digests = Vec::new();
    for (title, version, content) in [("a", "v", "\0x"), ("a\0v", "", "x"), ("a", "v\0", "x")] {
        let arguments = json!({"title": title, "version": version, "content": content});
        let planned = bench.registry.plan(call("save_note", arguments), &context);
        digests.push(planned.await.unwrap().1.digest);
    }
    assert_ne!(digests[0], digests[1]);
    assert_ne!(digests[1], digests[2]);
    assert_ne!(digests[0], digests[2]);
}
