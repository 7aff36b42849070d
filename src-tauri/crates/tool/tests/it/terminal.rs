//! Commands: what comes back of them, that they end, and that they can't leave.

mod typing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::{Value, json};
use talaria_domain::{
    Effect, Folder, FolderAccess, ItemId, Shown, Timestamp, ToolCall, ToolResult, TurnId,
};
use talaria_secret::Secret;
use talaria_tool::sandbox::Launcher;
use talaria_tool::terminal::Terminal;
use talaria_tool::{Registry, ToolContext, Vault};
use tempfile::TempDir;

use crate::call::{NoSpill, session};

/// One secret.
struct Keys(Vec<String>);

#[async_trait]
impl Vault for Keys {
    fn names(&self) -> &[String] {
        &self.0
    }

    async fn value(&self, name: &str) -> Option<Secret<String>> {
        (name == "TOKEN").then(|| Secret::new("s3cr3t-value".to_owned()))
    }
}

struct Bench {
    home: TempDir,
    terminal: Terminal,
    registry: Registry,
    folders: Vec<Folder>,
}

/// The example that cargo builds beside the tests.
fn launcher() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let built = tests.ancestors().nth(2).unwrap();
    built.join("examples/launcher")
}

impl Bench {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().canonicalize().unwrap();
        for name in ["work", "scratch", "private"] {
            fs_err::create_dir(root.join(name)).unwrap();
        }
        fs_err::write(root.join("private/key"), "secret").unwrap();
        let terminal = Terminal::new(Launcher::of(launcher()), root.join("scratch"));
        Self {
            registry: Registry::of(
                terminal.tools(Arc::new(Keys(vec!["TOKEN".into()]))),
                Arc::new(NoSpill),
            ),
            folders: vec![Folder {
                path: root.join("work").display().to_string(),
                access: FolderAccess::Write,
                trusted: false,
            }],
            terminal,
            home,
        }
    }

    fn work(&self) -> &Path {
        Path::new(&self.folders[0].path)
    }

    async fn run(&self, arguments: Value) -> ToolResult {
        self.call("run_command", arguments, &|_| {}).await
    }

    async fn call(
        &self,
        name: &str,
        arguments: Value,
        output: &(dyn Fn(&str) + Send + Sync),
    ) -> ToolResult {
        let mut context = ToolContext {
            session_id: session(),
            turn_id: TurnId::from_parts(Timestamp::from_millis(1), [4; 10]),
            item_id: ItemId::from_parts(Timestamp::from_millis(1), [5; 10]),
            folders: &self.folders,
            working_folder: self.work().to_owned(),
            withheld: Arc::new(|_| false),
            digest: String::new(),
            output,
        };
        let call = ToolCall {
            id: "c".into(),
            name: name.into(),
            arguments,
            echo: None,
            recovered: false,
        };
        match self.registry.plan(call, &context).await {
            Ok((call, act)) => {
                context.digest = act.digest;
                self.registry.run(&call, &context).await
            }
            Err((_, refused)) => refused,
        }
    }

    async fn says(&self, command: &str) -> String {
        self.run(json!({ "command": command })).await.text
    }
}

#[tokio::test]
async fn a_command_tells_what_it_put_out_and_how_it_ended() {
    let bench = Bench::new();
    for (command, told, failed) in [
        ("echo 你好; echo err >&2", "[exit code 0", false),
        ("exit 3", "(no output)\n[exit code 3", true),
        ("kill -9 $$", "ended by a signal", true),
        ("pwd", "/work\n[exit", false),
    ] {
        let result = bench.run(json!({ "command": command })).await;
        assert!(result.text.contains(told), "{command}: {}", result.text);
        assert_eq!(result.is_error, failed, "{command}");
    }
    let both = bench.says("echo 你好; echo err >&2").await;
    assert!(both.contains("你好") && both.contains("err"));
}

#[tokio::test]
async fn output_is_shown_while_the_command_runs() {
    let bench = Bench::new();
    let seen = std::sync::Mutex::new(String::new());
    let result = bench
        .call("run_command", json!({"command": "echo live"}), &|text| {
            seen.lock().unwrap().push_str(text);
        })
        .await;
    assert_eq!(seen.lock().unwrap().trim(), "live");
    assert!(matches!(
        result.shown,
        Some(Shown::Command {
            exit_code: Some(0),
            ..
        })
    ));
}

#[tokio::test]
async fn a_command_that_takes_too_long_is_ended_with_its_children() {
    let bench = Bench::new();
    let mark = bench.work().join("alive");
    let began = Instant::now();
    let command = "(sleep 3; touch alive) & sleep 60";
    let result = bench
        .run(json!({"command": command, "timeout_seconds": 1}))
        .await;
    assert!(
        result.is_error && result.text.contains("stopped after 1 s"),
        "{}",
        result.text
    );
    assert!(began.elapsed() < Duration::from_secs(20));
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(!mark.exists(), "the child lived on");
}

#[tokio::test]
async fn a_turn_that_is_stopped_ends_its_command() {
    let bench = Bench::new();
    let call = bench.run(json!({"command": "sleep 2; touch alive"}));
    assert!(
        tokio::time::timeout(Duration::from_millis(700), call)
            .await
            .is_err()
    );
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert!(!bench.work().join("alive").exists());
}

#[tokio::test]
async fn a_child_that_keeps_the_pipe_open_does_not_hold_up_the_turn() {
    let bench = Bench::new();
    let began = Instant::now();
    let result = bench.says("sleep 30 & echo done").await;
    assert!(result.contains("done"), "{result}");
    assert!(began.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn a_flood_of_output_is_bounded() {
    let bench = Bench::new();
    let result = bench
        .says("echo FIRST; yes 0123456789 | head -c 20000000; echo LAST")
        .await;
    assert!(result.starts_with("FIRST") && result.chars().count() < 30_000);
}

#[tokio::test]
async fn the_environment_holds_nothing_of_ours() {
    let bench = Bench::new();
    let variables = bench.says("env").await;
    for name in [
        "CARGO",
        "API_KEY",
        "TOKEN",
        "DBUS_SESSION_BUS_ADDRESS",
        "SSH_AUTH_SOCK",
    ] {
        assert!(!variables.contains(name), "{name}: {variables}");
    }
    assert!(variables.contains("HOME=") && variables.contains("TERM=dumb"));
}

#[tokio::test]
async fn a_command_is_told_what_is_wrong_with_its_folder() {
    let bench = Bench::new();
    fs_err::write(bench.work().join("a.txt"), "").unwrap();
    for (folder, told) in [
        ("nowhere", "nowhere does not exist"),
        ("a.txt", "a.txt is no folder"),
    ] {
        let arguments = json!({"command": "pwd", "folder": folder});
        let result = bench.run(arguments).await;
        assert!(
            result.is_error && result.text.contains(told),
            "{}",
            result.text
        );
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_stays_in_its_folders() {
    let bench = Bench::new();
    if !Launcher::of(launcher()).is_confining() {
        return;
    }
    let private = bench.home.path().canonicalize().unwrap().join("private");
    let key = private.join("key");
    let key = key.display();
    for command in [
        format!("cat {key}"),
        format!("cp {key} ."),
        format!("ln {key} here && cat here"),
        format!("ln -s {key} link && cat link"),
        format!("ls {}", private.display()),
        format!("echo x > {}/new", private.display()),
        format!("cd {} && cat key", private.display()),
        "cat ~/.bashrc ~/.ssh/id_ed25519".to_owned(),
        "touch /usr/talaria-was-here".to_owned(),
        "cat /proc/1/environ".to_owned(),
        "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_STREAM)'".to_owned(),
        "bash -c 'echo > /dev/tcp/127.0.0.1/9'".to_owned(),
        "kill -0 1".to_owned(),
        "python3 -c 'import socket; socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)'".to_owned(),
        "ls /dev/pts /dev/shm".to_owned(),
        "unshare -r true".to_owned(),
    ] {
        let result = bench.run(json!({ "command": command })).await;
        assert!(
            result.is_error && !result.text.contains("secret"),
            "{command}: {}",
            result.text
        );
    }
    let inside = bench
        .says("echo x > a && cat a && echo y > $TMPDIR/b && cat $TMPDIR/b")
        .await;
    assert!(inside.contains("x\ny"), "{inside}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_network_is_there_only_where_it_was_asked_for() {
    let bench = Bench::new();
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let command = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached");
    for network in [false, true] {
        if !network && !Launcher::of(launcher()).is_confining() {
            continue;
        }
        let result = bench
            .run(json!({"command": command, "network": network}))
            .await;
        assert_eq!(
            result.text.contains("reached\n"),
            network,
            "{}",
            result.text
        );
    }
}

#[tokio::test]
async fn a_plan_tells_all_that_a_command_gets() {
    let bench = Bench::new();
    let context = ToolContext {
        session_id: session(),
        turn_id: TurnId::from_parts(Timestamp::from_millis(1), [4; 10]),
        item_id: ItemId::from_parts(Timestamp::from_millis(1), [5; 10]),
        folders: &bench.folders,
        working_folder: bench.work().to_owned(),
        withheld: Arc::new(|_| false),
        digest: String::new(),
        output: &|_| {},
    };
    let mut digests = Vec::new();
    for (arguments, network) in [
        (json!({"command": "make"}), false),
        (json!({"command": "make", "network": true}), true),
        (json!({"command": "make "}), false),
    ] {
        let call = ToolCall {
            id: "c".into(),
            name: "run_command".into(),
            arguments,
            echo: None,
            recovered: false,
        };
        let (_, act) = bench.registry.plan(call, &context).await.unwrap();
        assert!(
            matches!(&act.effects[..], [Effect::Command { network: now, .. }] if *now == network)
        );
        digests.push(act.digest);
    }
    assert_ne!(digests[0], digests[1]);
}

#[tokio::test]
async fn a_secret_is_given_by_name_to_the_command_that_asked_for_it() {
    let bench = Bench::new();
    let length = "echo ${#TOKEN}";
    let given = bench
        .run(json!({"command": length, "secrets": ["TOKEN"]}))
        .await;
    assert!(given.text.starts_with("12\n"), "{}", given.text);
    assert!(bench.says(length).await.starts_with("0\n"));
    let unknown = bench
        .run(json!({"command": "env", "secrets": ["OTHER"]}))
        .await;
    assert!(
        unknown.is_error && unknown.text.contains("there is TOKEN"),
        "{}",
        unknown.text
    );
}

#[tokio::test]
async fn a_background_command_is_read_and_stopped() {
    let bench = Bench::new();
    let started = bench
        .run(json!({"command": "echo ready; sleep 60", "background": true}))
        .await;
    assert!(started.text.contains("as 1"), "{}", started.text);
    let read = || bench.call("process", json!({"action": "read", "id": 1}), &|_| {});
    for _ in 0..100 {
        if read().await.text.contains("ready") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    assert!(read().await.text.contains("ready\n"));
    bench
        .call("process", json!({"action": "stop", "id": 1}), &|_| {})
        .await;
    for _ in 0..100 {
        if !bench.terminal.background().list(session())[0].is_running {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(read().await.text.contains("ended"));
    let unknown = bench
        .call("process", json!({"action": "read", "id": 7}), &|_| {})
        .await;
    assert!(unknown.is_error);
}
