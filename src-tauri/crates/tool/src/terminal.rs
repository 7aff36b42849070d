//! The `terminal` tools: commands, in the foreground with a time-out or in the background.
//!
//! A command runs in a process group of its own and never outlives the turn that started it, unless
//! it was put into the background; then it ends with the program at the latest. A program that wants
//! a terminal gets one of its own; in the background it can then be typed into.

mod background;
mod output;
mod process;
#[cfg(unix)]
mod pty;
mod run_command;
mod running;
mod shell;

use std::path::PathBuf;
use std::sync::Arc;

pub use background::{Background, BackgroundProcess};

use crate::sandbox::Launcher;
use crate::{Tool, Vault};

/// Where and how commands run.
#[derive(Clone)]
pub struct Terminal {
    launcher: Launcher,
    /// A folder of ours that commands may use for what they keep only for a while.
    scratch: PathBuf,
    background: Background,
}

impl Terminal {
    /// Commands through this launcher, with a folder for temporary files.
    #[must_use]
    pub fn new(launcher: Launcher, scratch: PathBuf) -> Self {
        Self {
            launcher,
            scratch,
            background: Background::default(),
        }
    }

    /// What runs in the background.
    #[must_use]
    pub fn background(&self) -> &Background {
        &self.background
    }

    /// The tools, with the secrets that they can give.
    #[must_use]
    pub fn tools(&self, vault: Arc<dyn Vault>) -> Vec<Arc<dyn Tool>> {
        vec![
            Arc::new(run_command::RunCommand::new(self.clone(), vault)),
            Arc::new(process::Process::new(
                self.background.clone(),
                self.launcher.is_confining(),
            )),
        ]
    }
}
