//! `talaria chat`: one turn, or a conversation.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use talaria_api::{
    ApiError, Core, CreateSession, GrantFolder, OpenSession, SetSessionMode, SetSessionModel, Sink,
    StopTurn, TurnEvent, WindowTurnEvent, handler,
};
use talaria_domain::{AttachmentId, Folder, FolderAccess, ItemContent, SessionId, TurnId};
use tokio::sync::watch;

use crate::arguments::ChatArguments;
use crate::output::{Output, error_object};
use crate::question::{self, Asker};
use crate::{notice, setup, terminal};

/// Runs the command.
pub(crate) async fn run(
    core: &Core,
    output: &Output,
    arguments: &ChatArguments,
) -> Result<ExitCode, ApiError> {
    core.check_yes()?;
    let message = match arguments.message.as_deref() {
        Some("-") => Some(standard_input()?),
        Some(text) => Some(text.to_owned()),
        None if !std::io::stdin().is_terminal() => Some(standard_input()?),
        None => None,
    };
    if message.is_none() && core.default_model().is_none() {
        setup::run(core, output).await?;
    }
    let files = attach(core, &arguments.attach).await?;
    let session = session(core, arguments).await?;
    permit(core, arguments, session).await?;
    match message {
        Some(text) => turn(core, output, session, &text, &files).await,
        None => converse(core, output, session, files).await,
    }
}

/// The session to speak in: the named one, with the model that was asked for, or a new one.
async fn session(core: &Core, arguments: &ChatArguments) -> Result<SessionId, ApiError> {
    let Some(id) = &arguments.session else {
        return Ok(handler::create_session(core, CreateSession {})
            .await?
            .session
            .session
            .id);
    };
    let session_id: SessionId = id.parse().map_err(ApiError::not_an_id)?;
    let opened = handler::open_session(core, OpenSession { session_id }).await?;
    let wanted = core.chosen_model().or(match opened.session.session.model {
        Some(_) => None,
        None => core.default_model(),
    });
    if let Some(model) = wanted {
        handler::set_session_model(core, SetSessionModel { session_id, model }).await?;
    }
    Ok(session_id)
}

/// Gives the session the folders and the mode that the flags name.
async fn permit(
    core: &Core,
    arguments: &ChatArguments,
    session_id: SessionId,
) -> Result<(), ApiError> {
    let plain = arguments.folder.iter().map(|path| (path, false));
    let trusted = arguments.trust_folder.iter().map(|path| (path, true));
    for (path, trusted) in plain.chain(trusted) {
        let folder = folder(path, trusted)?;
        handler::grant_folder(core, GrantFolder { session_id, folder }).await?;
    }
    if let Some(mode) = arguments.mode {
        let mode = mode.into();
        handler::set_session_mode(core, SetSessionMode { session_id, mode }).await?;
    }
    Ok(())
}

/// `PATH`, or `PATH:read`.
fn folder(text: &str, trusted: bool) -> Result<Folder, ApiError> {
    let (path, access) = match text.strip_suffix(":read") {
        Some(path) => (path, FolderAccess::Read),
        None => (text, FolderAccess::Write),
    };
    let path = std::path::absolute(path).map_err(|error| ApiError::unreadable(&error))?;
    Ok(Folder {
        path: path.display().to_string(),
        access,
        trusted,
    })
}

/// A turn a line; the files go with the first.
async fn converse(
    core: &Core,
    output: &Output,
    session: SessionId,
    mut files: Vec<AttachmentId>,
) -> Result<ExitCode, ApiError> {
    output.aside(output.words(
        "Write a message and press Enter. Ctrl-C stops an answer, Ctrl-D ends.",
        "输入消息后按回车发送。Ctrl-C 停止回答，Ctrl-D 结束。",
    ));
    while let Some(line) = terminal::ask("› ").await? {
        if !line.trim().is_empty() {
            turn(core, output, session, &line, &std::mem::take(&mut files)).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Takes the files in that go with the message.
async fn attach(core: &Core, files: &[PathBuf]) -> Result<Vec<AttachmentId>, ApiError> {
    let mut ids = Vec::new();
    for file in files {
        let bytes = fs_err::read(file).map_err(|error| ApiError::unreadable(&error))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let attachment = handler::take_in(core, name.into_owned(), bytes).await?;
        ids.push(attachment.id);
    }
    Ok(ids)
}

async fn turn(
    core: &Core,
    output: &Output,
    session: SessionId,
    text: &str,
    files: &[AttachmentId],
) -> Result<ExitCode, ApiError> {
    let (began, running) = watch::channel(None);
    let printer = Arc::new(Printer {
        core: core.clone(),
        output: *output,
        asker: Asker::default(),
        began,
        failed: AtomicBool::new(false),
        is_mid_line: AtomicBool::new(false),
    });
    let request = json!({
        "command": "start_turn",
        "arguments": { "session_id": session, "text": text, "attachments": files },
    });
    let stopping = tokio::spawn(stop_on_interrupt(core.clone(), running));
    let ended = core.stream(request, printer.clone()).await;
    stopping.abort();
    ended?;
    let failed = printer.failed.load(Ordering::Relaxed);
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Ctrl-C stops the turn that runs; what came is kept.
async fn stop_on_interrupt(core: Core, running: watch::Receiver<Option<TurnId>>) {
    while tokio::signal::ctrl_c().await.is_ok() {
        let turn = *running.borrow();
        if let Some(turn_id) = turn
            && let Err(error) = handler::stop_turn(&core, StopTurn { turn_id }).await
        {
            tracing::warn!(%error, "the turn could not be stopped");
        }
    }
}

fn standard_input() -> Result<String, ApiError> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| ApiError::unreadable(&error))?;
    Ok(text)
}

/// Prints a turn's events.
struct Printer {
    core: Core,
    output: Output,
    asker: Asker,
    began: watch::Sender<Option<TurnId>>,
    failed: AtomicBool,
    /// The line that is printed now has not ended.
    is_mid_line: AtomicBool,
}

impl Sink for Printer {
    fn send(&self, event: Value) {
        let Ok(parsed) = serde_json::from_value::<WindowTurnEvent>(event.clone()) else {
            tracing::error!("an event has an unknown form");
            return;
        };
        match &parsed.event {
            TurnEvent::TurnStarted { turn, .. } => {
                self.began.send_replace(Some(turn.id));
            }
            TurnEvent::QuestionAsked { question } if self.core.can_ask() => {
                self.asker.ask(&self.core, self.output, question.clone());
            }
            TurnEvent::QuestionClosed { question_id, .. } => self.asker.drop(*question_id),
            TurnEvent::Error { .. } => self.failed.store(true, Ordering::Relaxed),
            _ => {}
        }
        if self.output.is_json() {
            self.output
                .json(&with_hint(event, &parsed.event, self.output));
        } else {
            self.print(&parsed.event);
        }
    }
}

impl Printer {
    fn print(&self, event: &TurnEvent) {
        let output = self.output;
        match event {
            TurnEvent::TextDelta { text, .. } => {
                output.piece(text);
                self.is_mid_line.store(true, Ordering::Relaxed);
            }
            TurnEvent::ItemFinished { item } => self.print_item(&item.content),
            TurnEvent::Retrying {
                attempt,
                wait_ms,
                message,
                ..
            } => output.aside(&format!(
                "{message} · {} {attempt} · {:.1} s",
                output.words("attempt", "第几次尝试："),
                std::time::Duration::from_millis(*wait_ms).as_secs_f64(),
            )),
            TurnEvent::Error { code, message, .. } => {
                output.error(ApiError::of_event(*code, message));
            }
            TurnEvent::QuestionClosed { end, .. } => {
                if let Some(words) = question::unanswered(output, *end) {
                    output.aside(words);
                }
            }
            TurnEvent::TurnStarted { .. }
            | TurnEvent::ToolOutput { .. }
            | TurnEvent::QuestionAsked { .. }
            | TurnEvent::ContextMeasured { .. }
            | TurnEvent::ItemStarted { .. }
            | TurnEvent::ReasoningDelta { .. }
            | TurnEvent::TurnFinished { .. } => {}
        }
    }
}

impl Printer {
    fn print_item(&self, content: &ItemContent) {
        let output = self.output;
        match content {
            ItemContent::ModelText { .. } => {
                output.line("");
                self.is_mid_line.store(false, Ordering::Relaxed);
            }
            // It was printed as the answer, before it turned out not to be.
            ItemContent::Reasoning { .. } if self.is_mid_line.swap(false, Ordering::Relaxed) => {
                output.line("");
                output.aside(output.words(
                    "The words above were the model's reasoning.",
                    "以上是模型的思考过程。",
                ));
            }
            ItemContent::ToolCall { call, result, .. } => {
                let failed = result.as_ref().is_some_and(|result| result.is_error);
                let mark = if failed { "✗" } else { "✓" };
                let how = match call.recovered {
                    true => output.words(" (recovered from the text)", "（从文本中识别）"),
                    false => "",
                };
                output.aside(&format!("{mark} {}{how}", call.name));
            }
            ItemContent::Notice { notice } => output.aside(&notice::words(output, notice)),
            ItemContent::UserText { .. } | ItemContent::Reasoning { .. } => {}
        }
    }
}

/// A turn's failure gets the same hint as any other.
fn with_hint(mut event: Value, parsed: &TurnEvent, output: Output) -> Value {
    if let TurnEvent::Error { code, message, .. } = parsed {
        let error = ApiError::of_event(*code, message).in_language(output.language());
        if let (Some(fields), Some(hint)) = (
            event.as_object_mut(),
            error_object(&error).get("hint").cloned(),
        ) {
            fields.insert("hint".to_owned(), hint);
        }
    }
    event
}
