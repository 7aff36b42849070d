//! `run_command`: a command in the shell, with a time-out, or in the background.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use talaria_domain::{Act, Effect, Shown, ToolResult, ToolSpec};

use super::Terminal;
use super::output::{Collected, end_of, readable};
use super::running::{Given, Order, Running};
use crate::argument::{count, maybe_words, parse, words};
use crate::file::folder_at;
use crate::output::hex;
use crate::{Tool, ToolContext, Vault};

const NAME: &str = "run_command";
/// Unless the model asks for another.
const TIME_OUT: u64 = 120;
/// The longest that it can ask for, in seconds.
const LONGEST: u64 = 1_800;
/// The end of the output that the card shows, in characters.
const SHOWN: usize = 8_000;

pub(super) struct RunCommand {
    terminal: Terminal,
    vault: Arc<dyn Vault>,
}

#[derive(Debug, Deserialize)]
struct Arguments {
    #[serde(deserialize_with = "words")]
    command: String,
    #[serde(default, deserialize_with = "maybe_words")]
    folder: Option<String>,
    #[serde(default, deserialize_with = "count")]
    timeout_seconds: Option<usize>,
    #[serde(default)]
    background: bool,
    #[serde(default)]
    network: bool,
    #[serde(default)]
    terminal: bool,
    #[serde(default)]
    secrets: Vec<String>,
}

/// A command whose arguments are understood.
struct Planned {
    command: String,
    folder: PathBuf,
    time_out: Duration,
    background: bool,
    network: bool,
    terminal: bool,
    /// The names of what it is given, each once.
    secrets: Vec<String>,
}

impl RunCommand {
    pub(super) fn new(terminal: Terminal, vault: Arc<dyn Vault>) -> Self {
        Self { terminal, vault }
    }

    async fn planned(
        &self,
        arguments: Value,
        context: &ToolContext<'_>,
    ) -> Result<Planned, ToolResult> {
        let arguments: Arguments = parse(NAME, arguments)?;
        let folder = folder_at(arguments.folder.as_deref().unwrap_or("."), context).await?;
        let mut secrets = arguments.secrets;
        secrets.sort();
        secrets.dedup();
        self.must_know(&secrets)?;
        let seconds = arguments
            .timeout_seconds
            .and_then(|seconds| u64::try_from(seconds).ok());
        Ok(Planned {
            command: arguments.command,
            folder,
            time_out: Duration::from_secs(seconds.unwrap_or(TIME_OUT).clamp(1, LONGEST)),
            background: arguments.background,
            network: arguments.network,
            terminal: arguments.terminal,
            secrets,
        })
    }

    /// Refuses a name that there is no secret for.
    fn must_know(&self, secrets: &[String]) -> Result<(), ToolResult> {
        let known = self.vault.names();
        let Some(unknown) = secrets.iter().find(|name| !known.contains(name)) else {
            return Ok(());
        };
        let there = match known {
            [] => "there is none; the user can add one in the settings".to_owned(),
            names => format!("there is {}", names.join(", ")),
        };
        Err(ToolResult::failure(format!(
            "Not done: there is no secret {unknown:?}; {there}."
        )))
    }

    /// The values to give, as variables of the command.
    async fn given(&self, planned: &Planned) -> Result<Vec<Given>, ToolResult> {
        let mut given = Vec::with_capacity(planned.secrets.len());
        for name in &planned.secrets {
            let Some(value) = self.vault.value(name).await else {
                return Err(ToolResult::failure(format!(
                    "Not done: the secret {name} can't be read now; tell the user."
                )));
            };
            given.push((name.clone(), value));
        }
        Ok(given)
    }

    fn act(&self, planned: &Planned) -> Act {
        let mut hasher = Sha256::new();
        let folder = planned.folder.display().to_string();
        let secrets = planned.secrets.join(",");
        for part in [planned.command.as_str(), &folder, &secrets] {
            hasher.update(part);
            hasher.update([0]);
        }
        let switches = [planned.network, planned.background, planned.terminal];
        hasher.update(switches.map(u8::from));
        Act {
            effects: vec![self.effect(planned)],
            digest: hex(&hasher.finalize()),
            ..Act::default()
        }
    }

    fn effect(&self, planned: &Planned) -> Effect {
        Effect::Command {
            command: planned.command.clone(),
            folder: planned.folder.display().to_string(),
            network: planned.network,
            secrets: planned.secrets.clone(),
            sandboxed: self.terminal.launcher.is_confining(),
        }
    }

    async fn in_foreground(
        &self,
        planned: &Planned,
        given: &[Given],
        context: &ToolContext<'_>,
    ) -> ToolResult {
        let began = Instant::now();
        let started = Running::start(&self.terminal, &planned.order(given, context));
        let mut running = match started {
            Ok(running) => running,
            Err(error) => return not_started(&error),
        };
        let mut collected = Collected::default();
        let reading = running.read(|bytes| {
            collected.push(bytes);
            (context.output)(&readable(bytes));
        });
        let ended = tokio::time::timeout(planned.time_out, reading).await;
        let took = began.elapsed().as_secs_f64();
        let (code, how) = match ended {
            Ok(Ok(status)) => match status.code() {
                Some(code) => (Some(code), format!("exit code {code}, {took:.1} s")),
                None => (None, format!("ended by a signal, {took:.1} s")),
            },
            Ok(Err(error)) => return not_started(&error),
            Err(_) => {
                running.end().await;
                let after = planned.time_out.as_secs();
                (
                    None,
                    format!(
                        "stopped after {after} s; ask for more with timeout_seconds, or use background"
                    ),
                )
            }
        };
        self.told(&collected.text(), code, &how)
    }

    /// What can be given, for the model.
    fn offer(&self) -> String {
        match self.vault.names() {
            [] => "None is there.".to_owned(),
            names => format!("Variables it is to get, of: {}.", names.join(", ")),
        }
    }

    fn told(&self, output: &str, code: Option<i32>, how: &str) -> ToolResult {
        let shown = Shown::Command {
            exit_code: code,
            output: end_of(output, SHOWN),
            sandboxed: self.terminal.launcher.is_confining(),
        };
        let text = match output.trim_end() {
            "" => format!("(no output)\n[{how}]"),
            output => format!("{output}\n[{how}]"),
        };
        let result = match code {
            Some(0) => ToolResult::success(text),
            _ => ToolResult::failure(text),
        };
        result.showing(shown)
    }

    fn in_background(
        &self,
        planned: &Planned,
        given: &[Given],
        context: &ToolContext<'_>,
    ) -> ToolResult {
        let background = &self.terminal.background;
        if let Err(most) = background.has_room(context.session_id) {
            return full(most);
        }
        let started = Running::start(&self.terminal, &planned.order(given, context));
        let running = match started {
            Ok(running) => running,
            Err(error) => return not_started(&error),
        };
        let effect = self.effect(planned);
        match background.take(context.session_id, &planned.command, effect, running) {
            Ok(id) => {
                let more = if planned.terminal {
                    ", type into it"
                } else {
                    ""
                };
                let text = format!(
                    "Runs in the background as {id}. Read its output{more} with the tool process."
                );
                ToolResult::success(text).showing(Shown::Command {
                    exit_code: None,
                    output: String::new(),
                    sandboxed: self.terminal.launcher.is_confining(),
                })
            }
            Err(most) => full(most),
        }
    }
}

impl Planned {
    fn order<'order>(
        &'order self,
        given: &'order [Given],
        context: &'order ToolContext<'_>,
    ) -> Order<'order> {
        Order {
            command: &self.command,
            folder: &self.folder,
            folders: context.folders,
            network: self.network,
            terminal: self.terminal,
            given,
        }
    }
}

#[async_trait]
impl Tool for RunCommand {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: NAME.to_owned(),
            description: "Run a command in the user's shell. It can't reach files outside the \
                          granted folders."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "command": {"type": "string", "x-raw": true},
                    "folder": {"type": "string", "description": "Where; the working folder unless given."},
                    "timeout_seconds": {"type": "integer", "x-minimum": 0, "description": "120 unless given."},
                    "background": {"type": "boolean", "description": "Let it run on, for servers and watchers."},
                    "network": {"type": "boolean", "description": "Whether it needs the network."},
                    "terminal": {"type": "boolean", "description": "Give it a terminal. In the background it can then be typed into."},
                    "secrets": {"type": "array", "items": {"type": "string"}, "description": self.offer()},
                },
                "required": ["command"],
                "additionalProperties": false,
            }),
        }
    }

    async fn plan(&self, arguments: &Value, context: &ToolContext<'_>) -> Result<Act, ToolResult> {
        let planned = self.planned(arguments.clone(), context).await?;
        Ok(self.act(&planned))
    }

    async fn run(&self, arguments: Value, context: &ToolContext<'_>) -> ToolResult {
        let planned = match self.planned(arguments, context).await {
            Ok(planned) => planned,
            Err(refused) => return refused,
        };
        if self.act(&planned).digest != context.digest {
            return ToolResult::failure("Not done: the folder leads elsewhere now. Call it again.");
        }
        let given = match self.given(&planned).await {
            Ok(given) => given,
            Err(refused) => return refused,
        };
        if planned.background {
            return self.in_background(&planned, &given, context);
        }
        self.in_foreground(&planned, &given, context).await
    }
}

fn full(most: usize) -> ToolResult {
    ToolResult::failure(format!(
        "Not done: {most} commands run in the background already. Stop one first."
    ))
}

fn not_started(error: &std::io::Error) -> ToolResult {
    ToolResult::failure(format!(
        "Not done: the command could not be started: {error}."
    ))
}
