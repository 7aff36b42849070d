//! Commands in the background.

use serde::{Deserialize, Serialize};
use talaria_domain::SessionId;
use ts_rs::TS;

/// List a session's commands in the background, oldest first.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListProcesses {
    /// Which session.
    pub session_id: SessionId,
}

/// End a command in the background.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct StopProcess {
    /// Of which session.
    pub session_id: SessionId,
    /// Its number.
    pub id: u32,
}

/// A command in the background as the window shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProcessView {
    /// Its number within its session.
    pub id: u32,
    /// The command.
    pub command: String,
    /// Whether it still runs.
    pub running: bool,
    /// What it ended with; none while it runs, or if a signal ended it.
    pub exit_code: Option<i32>,
    /// How long it has run, or ran, in seconds.
    #[ts(type = "number")]
    pub seconds: u64,
    /// What it put out, bounded.
    pub output: String,
}
