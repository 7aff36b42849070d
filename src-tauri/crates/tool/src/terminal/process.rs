//! `process`: what runs in the background, what it put out, what is typed into it, and its end.

use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use talaria_domain::{Act, Effect, Shown, ToolResult, ToolSpec};

use super::background::{Background, BackgroundProcess};
use super::output::end_of;
use crate::argument::{count, parse};
use crate::output::hex;
use crate::{Tool, ToolContext};

const NAME: &str = "process";
/// The end of the output that is told, in characters.
const TOLD: usize = 12_000;
/// How often it is looked whether a command that was typed into has said its piece.
const GLANCE: Duration = Duration::from_millis(100);
/// Looks without anything new after which it has.
const QUIET: u32 = 3;
/// A command with one of these is more than a program and its words.
const NOT_PLAIN: [char; 9] = ['#', '\n', ';', '&', '|', '<', '>', '(', '{'];
/// Looks in all.
const GLANCES: u32 = 30;

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
    #[serde(default)]
    input: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    List,
    Read,
    Type,
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
            description: "List, read, type into or stop commands in the background.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "action": {"type": "string", "enum": ["list", "read", "type", "stop"]},
                    "id": {"type": "integer", "x-minimum": 0},
                    "input": {"type": "string", "x-raw": true, "description": "What to type; \\n presses Enter."},
                },
                "required": ["action"],
                "additionalProperties": false,
            }),
        }
    }

    fn is_rare(&self) -> bool {
        true
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let arguments: Arguments = parse(NAME, arguments.clone())?;
        if !matches!(arguments.action, Action::Type) {
            return Ok(Act::default());
        }
        let process = self.found(arguments.id, context)?;
        Ok(typed(&process, &arguments.input))
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let Arguments { action, id, input } = match parse(NAME, arguments) {
            Ok(arguments) => arguments,
            Err(result) => return result,
        };
        let session = context.session_id;
        if matches!(action, Action::List) {
            return ToolResult::success(listed(&self.background.list(session)));
        }
        let process = match self.found(id, context) {
            Ok(process) => process,
            Err(result) => return result,
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
            Action::Type => self.type_into(&process, &input, context).await,
            Action::Read | Action::List => self.read(&process),
        }
    }
}

impl Process {
    fn found(
        &self,
        id: Option<usize>,
        context: &ToolContext<'_>,
    ) -> Result<BackgroundProcess, ToolResult> {
        let all = self.background.list(context.session_id);
        let id = id.and_then(|id| u32::try_from(id).ok());
        match all.iter().find(|process| Some(process.id) == id) {
            Some(process) => Ok(process.clone()),
            None => Err(ToolResult::failure(format!(
                "There is no such command. {}",
                listed(&all)
            ))),
        }
    }

    /// Types, and waits a moment for the answer.
    async fn type_into(
        &self,
        process: &BackgroundProcess,
        input: &str,
        context: &ToolContext<'_>,
    ) -> ToolResult {
        if typed(process, input).digest != context.digest {
            return ToolResult::failure("Not done: that command is another one now. Look again.");
        }
        let (session, id) = (context.session_id, process.id);
        if let Err(error) = self.background.type_into(session, id, input).await {
            return ToolResult::failure(format!(
                "Not typed: {error}. Only a command that was started with background and \
                 terminal can be typed into."
            ));
        }
        let (mut last, mut quiet) = (process.clone(), 0);
        for _ in 0..GLANCES {
            tokio::time::sleep(GLANCE).await;
            let Ok(now) = self.found(Some(id as usize), context) else {
                break;
            };
            quiet = if now.output == last.output {
                quiet + 1
            } else {
                0
            };
            let is_over = !now.is_running || quiet >= QUIET && now.output != process.output;
            last = now;
            if is_over {
                break;
            }
        }
        self.read(&last)
    }

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

/// What typing does: the command goes on, with that on its input. So it is judged, with what was
/// typed before, since a line can come in pieces; and it is allowed for exactly these words.
fn typed(process: &BackgroundProcess, input: &str) -> Act {
    let whole = format!("{}{input}", process.typed);
    let quoted = whole.trim_end_matches('\n').replace('\'', r"'\''");
    let is_plain = !process.command.contains(NOT_PLAIN);
    let fed = match process.command.as_str() {
        plain if is_plain => format!("{plain} <<< '{quoted}'"),
        several => format!("{{ {several}\n}} <<< '{quoted}'"),
    };
    let digest = hex(&Sha256::digest(format!("{}\0{fed}\0{input}", process.id)));
    let mut effect = process.effect.clone();
    if let Effect::Command { command, .. } = &mut effect {
        *command = fed;
    }
    Act {
        effects: vec![effect],
        digest,
        ..Act::default()
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
