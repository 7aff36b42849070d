//! Searches: what they find, what they leave out, and what they say of it.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use talaria_tool::ToolContext;

use super::Desk;

impl Desk {
    async fn search(&self, arguments: Value) -> String {
        self.run("search_files", arguments).await.text
    }
}

#[tokio::test]
async fn a_search_finds_names_and_words_and_leaves_out_what_is_ignored() {
    let desk = Desk::new();
    fs_err::create_dir(desk.work().join("src")).unwrap();
    desk.put("src/main.rs", "fn main() {\n    // 雨天的计划\n}\n");
    desk.put("notes.md", "Rain plan\n");
    desk.put("out.log", "Rain plan\n");
    desk.put(".gitignore", "*.log\n");
    desk.put("blob", b"Rain plan\0\0");
    for (arguments, hits) in [
        (json!({"name": "*.rs"}), "src/main.rs"),
        (json!({"text": "雨天"}), "src/main.rs:2: // 雨天的计划"),
        (json!({"text": "rain plan"}), "notes.md:1: Rain plan"),
        (
            json!({"text": "^fn \\w+", "regex": true}),
            "src/main.rs:1: fn main() {",
        ),
        (json!({"text": "nothing like it"}), "Nothing was found."),
    ] {
        let result = desk.run("search_files", arguments.clone()).await;
        assert_eq!(result.text, hits, "{arguments}");
    }
    let wrong = desk
        .run("search_files", json!({"text": "(", "regex": true}))
        .await;
    assert!(wrong.is_error && wrong.text.contains("regular expression"));
}

#[tokio::test]
async fn what_is_ignored_stays_hidden_from_a_glob_too() {
    let desk = Desk::new();
    desk.put(".gitignore", "*.log\n.env\n");
    desk.put("a.log", "x");
    desk.put(".env", "KEY=1");
    for name in ["*.log", ".env", "*"] {
        let found = desk.run("search_files", json!({ "name": name })).await.text;
        assert!(
            !found.contains("a.log") && !found.contains(".env"),
            "{name}: {found}"
        );
    }
}

#[tokio::test]
async fn one_file_alone_is_searched_to_its_end() {
    let desk = Desk::new();
    desk.put("a.txt", "bean\n".repeat(30));
    desk.put("b.txt", "bean\n");
    let all = desk.search(json!({"text": "bean"})).await;
    assert!(
        all.contains("a.txt: [10 more lines; search this file alone"),
        "{all}"
    );
    assert!(all.contains("b.txt:1: bean"), "{all}");
    let one = desk.search(json!({"text": "bean", "path": "a.txt"})).await;
    assert_eq!(one.lines().count(), 30, "{one}");
    assert!(one.ends_with("a.txt:30: bean"), "{one}");
}

#[tokio::test]
async fn one_file_with_more_hits_than_can_be_told_says_how_many_and_what_to_do() {
    let desk = Desk::new();
    desk.put("a.txt", "bean\n".repeat(230));
    let one = desk.search(json!({"text": "bean", "path": "a.txt"})).await;
    assert_eq!(one.lines().count(), 201, "{one}");
    assert!(
        one.ends_with("[30 more lines hold it; search a narrower path, name or text for the rest]"),
        "{one}"
    );
}

#[tokio::test]
async fn one_file_that_can_t_be_searched_says_why() {
    let desk = Desk::new();
    desk.put("large.log", "bean\n".repeat(1_100_000));
    desk.put("blob", b"bean\0\0");
    for (path, told) in [
        ("large.log", "larger than 5 MB; search it with a command"),
        ("blob", "is not a text file"),
    ] {
        let search = json!({"text": "bean", "path": path});
        let result = desk.run("search_files", search).await;
        assert!(
            result.is_error && result.text.contains(told),
            "{}",
            result.text
        );
    }
    let among = desk.search(json!({"text": "bean"})).await;
    assert!(
        among.contains("[Not searched, as they are too large or can't be read: large.log]"),
        "{among}"
    );
}

#[tokio::test]
async fn one_file_is_found_by_a_name_only_where_it_has_it() {
    let desk = Desk::new();
    desk.put("a.txt", "bean\n");
    for (name, hits) in [("*.txt", "a.txt"), ("*.md", "Nothing was found.")] {
        let found = desk.search(json!({"name": name, "path": "a.txt"})).await;
        assert_eq!(found, hits, "{name}");
    }
}

#[tokio::test]
async fn a_place_that_is_not_there_is_told_as_such() {
    let desk = Desk::new();
    let told = desk.search(json!({"text": "a", "path": "nowhere"})).await;
    assert!(told.contains("nowhere does not exist"), "{told}");
}

#[tokio::test]
async fn what_is_kept_back_is_not_looked_into_unless_it_was_named() {
    let desk = Desk::new();
    desk.put(".env", "TOKEN=bean\n");
    desk.put("a.txt", "bean\n");
    let search = async |arguments: Value| {
        let (call, act) = desk.plan("search_files", arguments).await.unwrap();
        let context = ToolContext {
            digest: act.digest,
            withheld: Arc::new(|path: &Path| path.ends_with(".env")),
            ..desk.context()
        };
        desk.registry.run(&call, &context).await.text
    };
    let found = search(json!({"text": "bean"})).await;
    assert!(
        found.contains("a.txt:1: bean") && !found.contains("TOKEN"),
        "{found}"
    );
    assert!(
        found.ends_with("[Not searched, as they may hold secrets or a rule keeps them back: .env]"),
        "{found}"
    );
    // The user said yes to this very file.
    let found = search(json!({"text": "bean", "path": ".env"})).await;
    assert!(found.contains("TOKEN"), "{found}");
    // A name tells nothing of what is in the file.
    let found = search(json!({"name": ".e*"})).await;
    assert_eq!(found, ".env");
}
