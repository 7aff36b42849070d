//! The file tools on real folders: what they change, what they refuse, and where they can't reach.

mod place;
mod search;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use serde_json::{Value, json};
use talaria_domain::{
    Act, Effect, FileChangeId, Folder, FolderAccess, ItemId, Preview, Timestamp, ToolCall,
    ToolResult, TurnId,
};
use talaria_tool::file::{ChangeLog, FileChange, put_back, tools};
use talaria_tool::{Registry, ToolContext};
use tempfile::TempDir;

use crate::call::{NoSpill, session};

/// Keeps changes in memory, or refuses to.
#[derive(Default)]
struct Log {
    changes: Mutex<Vec<FileChange>>,
    made: Mutex<u32>,
    refuses: bool,
    /// Where the last change was kept.
    thread: Mutex<Option<ThreadId>>,
}

impl ChangeLog for Log {
    fn keep(&self, change: &FileChange) -> Result<FileChangeId, String> {
        if self.refuses {
            return Err("disk full".into());
        }
        self.changes.lock().unwrap().push(change.clone());
        *self.thread.lock().unwrap() = Some(std::thread::current().id());
        Ok(FileChangeId::from_parts(Timestamp::from_millis(1), [7; 10]))
    }

    fn made(&self, _id: FileChangeId) {
        *self.made.lock().unwrap() += 1;
    }
}

struct Desk {
    home: TempDir,
    log: Arc<Log>,
    registry: Registry,
    folders: Vec<Folder>,
}

impl Desk {
    fn new() -> Self {
        Self::with(Log::default())
    }

    fn with(log: Log) -> Self {
        let home = tempfile::tempdir().unwrap();
        let work = home.path().canonicalize().unwrap().join("work");
        fs_err::create_dir(&work).unwrap();
        let log = Arc::new(log);
        Self {
            registry: Registry::of(tools(log.clone()), Arc::new(NoSpill)),
            folders: vec![Folder {
                path: work.display().to_string(),
                access: FolderAccess::Write,
                trusted: false,
            }],
            home,
            log,
        }
    }

    fn work(&self) -> &Path {
        Path::new(&self.folders[0].path)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        fs_err::write(self.work().join(name), content).unwrap();
    }

    fn get(&self, name: &str) -> String {
        fs_err::read_to_string(self.work().join(name)).unwrap()
    }

    fn context(&self) -> ToolContext<'_> {
        ToolContext {
            session_id: session(),
            turn_id: TurnId::from_parts(Timestamp::from_millis(1), [4; 10]),
            item_id: ItemId::from_parts(Timestamp::from_millis(1), [5; 10]),
            folders: &self.folders,
            working_folder: self.work().to_owned(),
            withheld: Arc::new(|_| false),
            digest: String::new(),
            output: &|_| {},
        }
    }

    async fn plan(&self, name: &str, arguments: Value) -> Result<(ToolCall, Act), ToolResult> {
        let call = ToolCall {
            id: "c".into(),
            name: name.into(),
            arguments,
            echo: None,
            recovered: false,
        };
        let planned = self.registry.plan(call, &self.context()).await;
        planned.map_err(|(_, refused)| refused)
    }

    async fn run(&self, name: &str, arguments: Value) -> ToolResult {
        match self.plan(name, arguments).await {
            Ok((call, act)) => {
                let context = ToolContext {
                    digest: act.digest,
                    ..self.context()
                };
                self.registry.run(&call, &context).await
            }
            Err(refused) => refused,
        }
    }

    async fn read(&self, name: &str) {
        let result = self.run("read_file", json!({ "path": name })).await;
        assert!(!result.is_error, "{}", result.text);
    }
}

#[tokio::test]
async fn a_file_is_written_read_and_edited() {
    let desk = Desk::new();
    let made = desk
        .run(
            "write_file",
            json!({"path": "a/计划.md", "content": "one\ntwo\n"}),
        )
        .await;
    assert!(!made.is_error, "{}", made.text);
    let read = desk.run("read_file", json!({"path": "a/计划.md"})).await;
    assert_eq!(read.text, "1\tone\n2\ttwo\n");
    let edit = json!({"path": "a/计划.md", "old_text": "two", "new_text": "二"});
    let edited = desk.run("edit_file", edit).await;
    assert!(edited.text.contains("+1 −1"), "{}", edited.text);
    assert_eq!(desk.get("a/计划.md"), "one\n二\n");
    let changes = desk.log.changes.lock().unwrap();
    assert_eq!(changes[0].before, None);
    assert_eq!(changes[1].before.as_deref(), Some(b"one\ntwo\n".as_slice()));
}

#[tokio::test]
async fn a_plan_shows_the_change_and_makes_none() {
    let desk = Desk::new();
    desk.put("a.txt", "old\n");
    desk.read("a.txt").await;
    let (_, act) = desk
        .plan("write_file", json!({"path": "a.txt", "content": "new\n"}))
        .await
        .unwrap();
    let path = desk.work().join("a.txt").display().to_string();
    assert_eq!(act.effects, [Effect::Write { path }]);
    assert!(matches!(act.preview, Preview::Diff { diff } if diff.added == 1 && diff.removed == 1));
    assert_eq!(desk.get("a.txt"), "old\n");
}

#[tokio::test]
async fn what_was_not_read_is_not_overwritten() {
    let desk = Desk::new();
    desk.put("a.txt", "precious\n");
    let write = json!({"path": "a.txt", "content": "x"});
    let refused = desk.run("write_file", write.clone()).await;
    assert!(refused.text.contains("read it first"), "{}", refused.text);
    desk.read("a.txt").await;
    desk.put("a.txt", "changed by somebody else\n");
    assert!(desk.run("write_file", write).await.is_error);
    assert_eq!(desk.get("a.txt"), "changed by somebody else\n");
}

#[tokio::test]
async fn a_yes_holds_only_for_the_file_as_it_was_shown() {
    let desk = Desk::new();
    desk.put("a.txt", "old\n");
    desk.read("a.txt").await;
    let write = json!({"path": "a.txt", "content": "new\n"});
    let (call, act) = desk.plan("write_file", write).await.unwrap();
    desk.put("a.txt", "other\n");
    desk.read("a.txt").await;
    let context = ToolContext {
        digest: act.digest,
        ..desk.context()
    };
    let refused = desk.registry.run(&call, &context).await;
    assert!(
        refused.is_error && desk.get("a.txt") == "other\n",
        "{}",
        refused.text
    );
}

#[tokio::test]
async fn encodings_and_line_ends_outlast_an_edit() {
    let desk = Desk::new();
    let gbk = encoding_rs::GB18030
        .encode("标题\r\n内容\r\n")
        .0
        .into_owned();
    desk.put("旧.txt", &gbk);
    desk.read("旧.txt").await;
    let edit = json!({"path": "旧.txt", "old_text": "内容\n", "new_text": "新内容\n第三行\n"});
    let edited = desk.run("edit_file", edit).await;
    assert!(!edited.is_error, "{}", edited.text);
    let expected = encoding_rs::GB18030
        .encode("标题\r\n新内容\r\n第三行\r\n")
        .0
        .into_owned();
    assert_eq!(fs_err::read(desk.work().join("旧.txt")).unwrap(), expected);
}

#[tokio::test]
async fn no_path_leads_out_unnoticed() {
    let desk = Desk::new();
    let outside = desk.home.path().canonicalize().unwrap().join("secret.txt");
    fs_err::write(&outside, "secret").unwrap();
    std::os::unix::fs::symlink(&outside, desk.work().join("link.txt")).unwrap();
    std::os::unix::fs::symlink(desk.home.path(), desk.work().join("up")).unwrap();
    let effect = vec![Effect::Read {
        path: outside.display().to_string(),
    }];
    for path in [
        "../secret.txt",
        "link.txt",
        "up/secret.txt",
        "./a/../../secret.txt",
        outside.to_str().unwrap(),
    ] {
        let planned = desk.plan("read_file", json!({ "path": path })).await;
        match planned {
            Ok((_, act)) => assert_eq!(act.effects, effect, "{path}"),
            Err(refused) => assert!(refused.text.contains("no such"), "{path}: {}", refused.text),
        }
    }
}

#[tokio::test]
async fn what_is_no_ordinary_file_is_refused_at_once() {
    let desk = Desk::new();
    desk.put("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0");
    let made = std::process::Command::new("mkfifo")
        .arg(desk.work().join("pipe"))
        .status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink("nowhere", desk.work().join("dangling")).unwrap();
    for (path, told) in [
        ("picture.png", "not a text file"),
        ("pipe", "no ordinary file"),
        ("/dev/zero", "no ordinary file"),
        ("dangling", "leads nowhere"),
        ("missing.txt", "no file"),
        ("", "not empty"),
        ("a\0b", "NUL"),
        ("https://example.org/", "an address"),
    ] {
        let result = desk.run("read_file", json!({ "path": path })).await;
        assert!(
            result.is_error && result.text.contains(told),
            "{path}: {}",
            result.text
        );
    }
}

#[tokio::test]
async fn a_change_whose_old_content_can_not_be_kept_is_not_made() {
    let desk = Desk::with(Log {
        refuses: true,
        ..Log::default()
    });
    let result = desk
        .run("write_file", json!({"path": "a.txt", "content": "x"}))
        .await;
    assert!(
        result.is_error && !desk.work().join("a.txt").exists(),
        "{}",
        result.text
    );
}

#[test]
fn a_file_is_put_back_or_taken_away_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/a.txt");
    put_back(&path, Some(b"x")).unwrap();
    assert_eq!(fs_err::read(&path).unwrap(), b"x");
    put_back(&path, None).unwrap();
    put_back(&path, None).unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn a_change_that_could_not_be_written_is_not_noted_as_made() {
    let desk = Desk::new();
    desk.put("a.txt", "old\n");
    desk.read("a.txt").await;
    let mut permissions = fs_err::metadata(desk.work().join("a.txt"))
        .unwrap()
        .permissions();
    permissions.set_readonly(true);
    fs_err::set_permissions(desk.work().join("a.txt"), permissions).unwrap();
    let result = desk
        .run("write_file", json!({"path": "a.txt", "content": "new\n"}))
        .await;
    assert!(result.is_error, "{}", result.text);
    assert_eq!(
        (desk.get("a.txt").as_str(), *desk.log.made.lock().unwrap()),
        ("old\n", 0)
    );
    let left = fs_err::read_dir(desk.work()).unwrap().count();
    assert_eq!(left, 1, "nothing half written is left");
}

#[tokio::test]
async fn one_page_of_a_file_is_not_enough_to_replace_it_all() {
    let desk = Desk::new();
    desk.put("a.txt", "one\ntwo\nthree\n");
    let page = json!({"path": "a.txt", "limit": 1});
    desk.run("read_file", page).await;
    let write = json!({"path": "a.txt", "content": "x"});
    assert!(
        desk.run("write_file", write)
            .await
            .text
            .contains("not read whole")
    );
    let edit = json!({"path": "a.txt", "old_text": "one", "new_text": "1"});
    assert!(!desk.run("edit_file", edit).await.is_error);
    // Nor is it after a change of that page.
    let write = json!({"path": "a.txt", "content": "x"});
    let refused = desk.run("write_file", write.clone()).await;
    assert!(refused.text.contains("not read whole"), "{}", refused.text);
    desk.read("a.txt").await;
    let edit = json!({"path": "a.txt", "old_text": "two", "new_text": "2"});
    assert!(!desk.run("edit_file", edit).await.is_error);
    assert!(!desk.run("write_file", write).await.is_error);
}

#[tokio::test]
async fn a_page_beyond_the_end_shows_nothing_of_a_file() {
    let desk = Desk::new();
    desk.put("a.txt", "one\n");
    let page = json!({"path": "a.txt", "offset": 7});
    desk.run("read_file", page).await;
    let edit = json!({"path": "a.txt", "old_text": "one", "new_text": "1"});
    let refused = desk.run("edit_file", edit).await;
    assert!(refused.text.contains("read it first"), "{}", refused.text);
    desk.put("empty.txt", "");
    desk.read("empty.txt").await;
    let write = json!({"path": "empty.txt", "content": "x"});
    assert!(!desk.run("write_file", write).await.is_error);
}
