//! Holding a command to the folders it may use.
//!
//! A command is started through a launcher: our own program, called with a hidden first argument.
//! The launcher confines itself, which can't be undone, and then becomes the command. On Linux that
//! is Landlock for files and seccomp for system calls; elsewhere nothing is confined, and the user
//! is told so before they say yes.

#[cfg(target_os = "linux")]
mod confine;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

/// The first argument that makes a program of ours a launcher.
const ENTER: &str = "--enter-sandbox";
/// What a launcher ends with when it can't confine itself: nothing was run then.
const NOT_CONFINED: u8 = 126;

/// What a command may use. Everything else is closed to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Confinement {
    /// Folders that may be read.
    pub(crate) read: Vec<PathBuf>,
    /// Folders that may be changed too.
    pub(crate) write: Vec<PathBuf>,
    /// Whether the network may be reached.
    pub(crate) network: bool,
    /// Whether its input is a terminal of its own.
    pub(crate) terminal: bool,
    /// Whether files and system calls are confined at all.
    pub(crate) is_on: bool,
}

/// The program that starts commands.
#[derive(Clone, Debug)]
pub struct Launcher {
    program: PathBuf,
    is_confining: bool,
}

impl Launcher {
    /// The program that runs now. It must call [`enter`] before anything else.
    ///
    /// # Errors
    /// When the system does not tell where it lies.
    pub fn of_this_program() -> std::io::Result<Self> {
        Ok(Self::of(std::env::current_exe()?))
    }

    /// Another program that calls [`enter`] first.
    #[must_use]
    pub fn of(program: PathBuf) -> Self {
        Self {
            program,
            is_confining: can_confine(),
        }
    }

    /// Whether commands are really held to their folders here.
    #[must_use]
    pub fn is_confining(&self) -> bool {
        self.is_confining
    }

    /// What to start, so that `command` runs confined.
    pub(crate) fn arguments(
        &self,
        confinement: &Confinement,
        command: &[OsString],
    ) -> (PathBuf, Vec<OsString>) {
        let Ok(policy) = serde_json::to_string(confinement) else {
            // Paths that JSON can't hold: the launcher then refuses to start anything.
            return (self.program.clone(), vec![OsString::from(ENTER)]);
        };
        let head = [OsString::from(ENTER), OsString::from(policy)];
        let arguments = head.into_iter().chain(command.iter().cloned());
        (self.program.clone(), arguments.collect())
    }
}

/// Becomes the command of a launcher's arguments, confined. None: the program was started as
/// itself, and goes on.
#[must_use]
pub fn enter() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(ENTER)) {
        return None;
    }
    let failed = launch(arguments);
    // Nobody but the one who reads the command's output can be told.
    let told = format!("the command was not started: {failed}\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), told.as_bytes());
    Some(ExitCode::from(NOT_CONFINED))
}

/// Why nothing was started.
#[derive(Debug, thiserror::Error)]
enum LaunchError {
    #[error("the launcher was called in a wrong way")]
    Arguments,
    #[error("it could not be confined: {0}")]
    Confinement(String),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// Comes back only with a failure.
fn launch(mut arguments: impl Iterator<Item = OsString>) -> LaunchError {
    let policy = arguments
        .next()
        .and_then(|policy| policy.into_string().ok());
    let policy = policy.and_then(|policy| serde_json::from_str::<Confinement>(&policy).ok());
    let (Some(policy), Some(program)) = (policy, arguments.next()) else {
        return LaunchError::Arguments;
    };
    become_command(&policy, &program, arguments.collect())
}

/// The process becomes the head of a group of its own, is confined, and is then the command.
#[cfg(unix)]
fn become_command(policy: &Confinement, program: &OsStr, rest: Vec<OsString>) -> LaunchError {
    use std::os::unix::process::CommandExt;

    // With a terminal of its own it is the head of a group already.
    if !policy.terminal
        && let Err(error) = rustix::process::setsid()
    {
        return LaunchError::Io(error.into());
    }
    #[cfg(target_os = "linux")]
    if let Err(error) = confine::bind_to_parent() {
        return error.into();
    }
    #[cfg(target_os = "linux")]
    if policy.is_on
        && let Err(error) = confine::confine(policy)
    {
        return LaunchError::Confinement(error.to_string());
    }
    #[cfg(not(target_os = "linux"))]
    if policy.is_on {
        return LaunchError::Confinement("this system has no sandbox".to_owned());
    }
    std::process::Command::new(program).args(rest).exec().into()
}

#[cfg(not(unix))]
fn become_command(policy: &Confinement, program: &OsStr, rest: Vec<OsString>) -> LaunchError {
    if policy.is_on {
        return LaunchError::Confinement("this system has no sandbox".to_owned());
    }
    match std::process::Command::new(program).args(rest).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error.into(),
    }
}

#[cfg(target_os = "linux")]
fn can_confine() -> bool {
    confine::is_available()
}

#[cfg(not(target_os = "linux"))]
fn can_confine() -> bool {
    false
}
