//! `process`: what runs in the background, what it put out, and its end.

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use talaria_domain::{Shown, ToolResult, ToolSpec};

use super::background::{Background, BackgroundProcess};
use super::output::end_of;
use crate::argument::{count, parse};
use crate::{Tool, ToolContext};

const NAME: &str = "process";
/// The end of the output that is told, in characters.
const TOLD: usize = 12_000;

pub(super) struct Process {
    background: Background,
    /// Whether commands are held to their folders here.
    is_confining: bool,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    action: Action,
    #[serde(default, deserialize_with = "count")]
    id: Option<usize>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    List,
    Read,
    Stop,
}

impl Process {
    pub(super) fn new(background: Background, is_confining: bool) -> Self {
        Self {
            background,
            is_confining,
        }
    }
}

#[async_trait]
impl Tool for Process {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "List, read or stop commands in the background.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "action": {"type": "string", "enum": ["list", "read", "stop"]},
                    "id": {"type": "integer"},
                },
                "required": ["action"],
                "additionalProperties": false,
            }),
        }
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let Arguments { action, id } = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let session = context.session_id;
        let all = self.background.list(session);
        if matches!(action, Action::List) {
            return ToolResult::success(listed(&all));
        }
        let id = id.and_then(|id| u32::try_from(id).ok());
        let Some(process) = all.iter().find(|process| Some(process.id) == id) else {
            return ToolResult::failure(format!("There is no such command. {}", listed(&all)));
        };
        match action {
            Action::Stop => {
                let stopped = self.background.stop(session, process.id);
                ToolResult::success(if stopped {
                    "It is being ended."
                } else {
                    "It is gone."
                })
            }
            Action::Read | Action::List => self.read(process),
        }
    }
}

impl Process {
    fn read(&self, process: &BackgroundProcess) -> ToolResult {
        let output = end_of(&process.output, TOLD);
        let told = format!("{output}\n[{}]", state(process));
        ToolResult::success(told).showing(Shown::Command {
            exit_code: process.exit_code,
            output,
            sandboxed: self.is_confining,
        })
    }
}

fn listed(all: &[BackgroundProcess]) -> String {
    if all.is_empty() {
        return "Nothing runs in the background.".to_owned();
    }
    let lines = all
        .iter()
        .map(|it| format!("{}\t{}\t{}", it.id, state(it), it.command));
    lines.collect::<Vec<_>>().join("\n")
}

fn state(process: &BackgroundProcess) -> String {
    let seconds = process.seconds;
    match (process.is_running, process.exit_code) {
        (true, _) => format!("runs, {seconds} s so far"),
        (false, Some(code)) => format!("ended with exit code {code} after {seconds} s"),
        (false, None) => format!("ended by a signal after {seconds} s"),
    }
}
