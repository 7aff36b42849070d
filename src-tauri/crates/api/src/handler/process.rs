//! Commands in the background: what they are, and their end.

use talaria_domain::ErrorCode;
use talaria_secret::Redactor;
use talaria_tool::terminal::BackgroundProcess;

use crate::{ApiError, Core, ListProcesses, ProcessView, StopProcess};

/// A session's commands in the background, oldest first.
pub async fn list_processes(
    core: &Core,
    ListProcesses { session_id }: ListProcesses,
) -> Result<Vec<ProcessView>, ApiError> {
    let background = core.toolbox().background();
    let processes = background.map(|background| background.list(session_id));
    let processes = processes.unwrap_or_default().into_iter();
    let redactor = core.redactor();
    Ok(processes.map(|process| view(process, redactor)).collect())
}

/// Ends a command in the background.
pub async fn stop_process(
    core: &Core,
    StopProcess { session_id, id }: StopProcess,
) -> Result<(), ApiError> {
    let background = core.toolbox().background();
    if background.is_some_and(|background| background.stop(session_id, id)) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::NotFound,
        "there is no such command",
    ))
}

fn view(process: BackgroundProcess, redactor: &Redactor) -> ProcessView {
    ProcessView {
        id: process.id,
        command: process.command,
        running: process.is_running,
        exit_code: process.exit_code,
        seconds: process.seconds,
        output: redactor.redact(&process.output),
    }
}
