//! Commands with a terminal of their own, and what is typed into them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use talaria_domain::{Effect, ItemId, Timestamp, ToolCall, ToolResult, TurnId};
use talaria_tool::ToolContext;

use super::Bench;
use crate::call::session;

impl Bench {
    /// Starts a command in a terminal, and waits for its first words.
    async fn start(&self, command: &str, first: &str) {
        let arguments = json!({"command": command, "background": true, "terminal": true});
        let started = self.run(arguments).await;
        assert!(started.text.contains("type into it"), "{}", started.text);
        for _ in 0..200 {
            let all = self.terminal.background().list(session());
            if all.iter().any(|it| it.output.contains(first)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{command} never said {first}");
    }

    async fn type_into(&self, input: &str) -> ToolResult {
        let arguments = json!({"action": "type", "id": 1, "input": input});
        self.call("process", arguments, &|_| {}).await
    }

    /// The command that typing would be judged as.
    async fn judged(&self, input: &str) -> String {
        let context = ToolContext {
            session_id: session(),
            turn_id: TurnId::from_parts(Timestamp::from_millis(1), [4; 10]),
            item_id: ItemId::from_parts(Timestamp::from_millis(1), [5; 10]),
            folders: &self.folders,
            working_folder: self.work().to_owned(),
            withheld: Arc::new(|_| false),
            digest: String::new(),
            output: &|_| {},
        };
        let call = ToolCall {
            id: "c".into(),
            name: "process".into(),
            arguments: json!({"action": "type", "id": 1, "input": input}),
            echo: None,
            recovered: false,
        };
        let (_, act) = self.registry.plan(call, &context).await.unwrap();
        match &act.effects[..] {
            [Effect::Command { command, .. }] => command.clone(),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_command_sees_a_terminal_only_where_it_was_given_one() {
    let bench = Bench::new();
    let command = "test -t 0 && test -t 1 && echo yes > /dev/tty; stty size; true";
    let given = bench
        .run(json!({"command": command, "terminal": true}))
        .await;
    assert!(given.text.starts_with("yes\n40 120\n"), "{}", given.text);
    let plain = bench.says(command).await;
    assert!(!plain.contains("yes"), "{plain}");
}

#[tokio::test]
async fn a_terminal_ends_with_its_command() {
    let bench = Bench::new();
    let told = bench
        .run(json!({"command": "sleep 60 & echo done; exit 3", "terminal": true}))
        .await;
    assert!(told.text.starts_with("done\n[exit code 3"), "{}", told.text);
    let late = bench
        .run(json!({"command": "sleep 60", "terminal": true, "timeout_seconds": 1}))
        .await;
    assert!(late.text.contains("stopped after 1 s"), "{}", late.text);
}

#[tokio::test]
async fn a_command_that_asks_is_answered() {
    let bench = Bench::new();
    bench
        .start(
            "read -p 'name? ' name; echo \"hello $name\"; read -s key; echo \"${#key}\"",
            "name?",
        )
        .await;
    let answered = bench.type_into("Ada\n").await;
    assert!(answered.text.contains("hello Ada"), "{}", answered.text);
    let ended = bench.type_into("12345\n").await;
    assert!(
        ended.text.contains("\n5\n") && ended.text.contains("exit code 0"),
        "{}",
        ended.text
    );
    let gone = bench.type_into("more\n").await;
    assert!(gone.is_error, "{}", gone.text);
}

#[tokio::test]
async fn control_letters_reach_the_command() {
    let bench = Bench::new();
    bench
        .start(
            "trap 'echo interrupted; exit 7' INT; echo ready; while true; do sleep 0.1; done",
            "ready",
        )
        .await;
    let told = bench.type_into("\u{3}").await;
    assert!(told.text.contains("interrupted"), "{}", told.text);
    assert!(told.text.contains("exit code 7"), "{}", told.text);
}

#[tokio::test]
async fn what_is_typed_is_judged_as_the_command_that_gets_it_all() {
    let bench = Bench::new();
    bench.start("cat", "").await;
    assert_eq!(bench.judged("it's\n").await, r"cat <<< 'it'\''s'");
    bench.type_into("rm -rf \\\n").await;
    assert_eq!(bench.judged("/\n").await, "cat <<< 'rm -rf \\\n/'");
}

#[tokio::test]
async fn what_is_typed_into_several_commands_is_judged_as_reaching_each() {
    let bench = Bench::new();
    bench.start("true # all; bash\ncat", "").await;
    assert_eq!(
        bench.judged("ls\n").await,
        "{ true # all; bash\ncat\n} <<< 'ls'"
    );
}

#[tokio::test]
async fn a_command_without_a_terminal_can_not_be_typed_into() {
    let bench = Bench::new();
    bench
        .run(json!({"command": "sleep 60", "background": true}))
        .await;
    let refused = bench.type_into("y\n").await;
    assert!(refused.is_error);
    assert!(refused.text.contains("terminal"), "{}", refused.text);
}
