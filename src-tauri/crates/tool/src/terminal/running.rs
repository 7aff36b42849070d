//! A command that runs. Dropped, it is ended with all that it started.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use talaria_domain::{Folder, FolderAccess};
use talaria_secret::Secret;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::process::{Child, Command};

use super::Terminal;
use super::shell::{environment, invocation};
use crate::sandbox::Confinement;

/// How long a command that is asked to end may take.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// How long pipes are read once the command itself has ended: a child that keeps them open must not
/// hold up the turn.
const AFTERMATH: Duration = Duration::from_millis(500);
const CHUNK: usize = 16 * 1024;

/// What is to run, and what it may use.
pub(super) struct Order<'order> {
    pub(super) command: &'order str,
    pub(super) folder: &'order Path,
    pub(super) folders: &'order [Folder],
    pub(super) network: bool,
    /// Whether it gets a terminal of its own.
    pub(super) terminal: bool,
    /// Secrets that it gets as variables.
    pub(super) given: &'order [Given],
}

/// A secret under its name.
pub(super) type Given = (String, Secret<String>);

/// A command and everything it started.
pub(super) struct Running {
    child: Child,
    group: Group,
    out: Option<Output>,
    err: Option<Output>,
    input: Option<Input>,
}

/// Where a command's output comes from.
pub(super) type Output = Box<dyn AsyncRead + Send + Unpin>;
/// Where what is typed into a command goes.
pub(super) type Input = Box<dyn AsyncWrite + Send + Sync + Unpin>;

/// The process group of a command.
struct Group(Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        self.end(true);
    }
}

impl Group {
    /// Asks all processes of the group to end, or ends them.
    #[cfg(unix)]
    fn end(&self, at_once: bool) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let raw = self.0.and_then(|id| i32::try_from(id).ok());
        let Some(group) = raw.and_then(Pid::from_raw) else {
            return;
        };
        let signal = if at_once { Signal::KILL } else { Signal::TERM };
        // A group that has ended already can't be told anything.
        let _ = kill_process_group(group, signal);
    }

    #[cfg(not(unix))]
    fn end(&self, _at_once: bool) {
        let Some(id) = self.0 else { return };
        let id = id.to_string();
        // A tree that has ended already can't be told anything.
        let _ = std::process::Command::new("taskkill")
            .args(["/T", "/F", "/PID", &id])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}

impl Running {
    /// Starts a command. Called on a thread that outlives it: a command ends with the thread that
    /// started it.
    pub(super) fn start(terminal: &Terminal, order: &Order<'_>) -> std::io::Result<Self> {
        fs_err::create_dir_all(&terminal.scratch)?;
        let confinement = confinement(terminal, order);
        let (program, arguments) = terminal
            .launcher
            .arguments(&confinement, &invocation(order.command));
        let given = order.given.iter();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(order.folder)
            .env_clear()
            .envs(environment(&terminal.scratch, order.terminal))
            .envs(given.map(|(name, value)| (name, value.expose())))
            .kill_on_drop(true);
        match order.terminal {
            true => Self::in_terminal(command),
            false => Self::in_pipes(command),
        }
    }

    fn in_pipes(mut command: Command) -> std::io::Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        Ok(Self {
            group: Group(child.id()),
            out: child.stdout.take().map(|pipe| Box::new(pipe) as Output),
            err: child.stderr.take().map(|pipe| Box::new(pipe) as Output),
            input: None,
            child,
        })
    }

    #[cfg(unix)]
    fn in_terminal(command: Command) -> std::io::Result<Self> {
        let (child, output, input) = super::pty::start(command)?;
        Ok(Self {
            group: Group(child.id()),
            out: Some(output),
            err: None,
            input: Some(input),
            child,
        })
    }

    #[cfg(not(unix))]
    fn in_terminal(_command: Command) -> std::io::Result<Self> {
        Err(std::io::Error::new(
            std::io::ErrorKind::Unsupported,
            "this system gives no terminals to commands",
        ))
    }

    /// Where it can be typed into, once.
    pub(super) fn input(&mut self) -> Option<Input> {
        self.input.take()
    }

    /// Reads what it puts out until it ends, and hands each piece on.
    pub(super) async fn read(
        &mut self,
        mut hear: impl FnMut(&[u8]),
    ) -> std::io::Result<ExitStatus> {
        let (mut out, mut err) = (self.out.take(), self.err.take());
        let (mut from_out, mut from_err) = ([0; CHUNK], [0; CHUNK]);
        let mut ended = None;
        loop {
            if out.is_none() && err.is_none() {
                let status = match ended {
                    Some(status) => status,
                    None => self.child.wait().await?,
                };
                return Ok(status);
            }
            tokio::select! {
                status = self.child.wait(), if ended.is_none() => ended = Some(status?),
                read = piece(&mut out, &mut from_out) => hear(from_out.get(..read).unwrap_or_default()),
                read = piece(&mut err, &mut from_err) => hear(from_err.get(..read).unwrap_or_default()),
                () = tokio::time::sleep(AFTERMATH), if ended.is_some() => (out, err) = (None, None),
            }
        }
    }

    /// Ends it: politely, then surely.
    pub(super) async fn end(&mut self) {
        self.group.end(false);
        let ended = tokio::time::timeout(LAST_WORDS, self.child.wait()).await;
        if ended.is_err() {
            self.group.end(true);
        }
    }
}

/// The next bytes of a pipe; a pipe that has ended is taken away.
async fn piece(pipe: &mut Option<Output>, buffer: &mut [u8]) -> usize {
    let Some(open) = pipe else {
        return std::future::pending().await;
    };
    match open.read(buffer).await {
        Ok(read) if read > 0 => read,
        Ok(_) | Err(_) => {
            *pipe = None;
            0
        }
    }
}

/// What the command may use: the session's folders, the one it runs in, and a place for what it
/// keeps only for a while.
fn confinement(terminal: &Terminal, order: &Order<'_>) -> Confinement {
    let paths = |access: FolderAccess| {
        let folders = order
            .folders
            .iter()
            .filter(move |folder| folder.access == access);
        folders.map(|folder| Path::new(&folder.path).to_owned())
    };
    let granted = order.folders.iter();
    let is_granted = granted
        .map(|folder| Path::new(&folder.path))
        .any(|path| order.folder.starts_with(path));
    let own = (!is_granted).then(|| order.folder.to_owned());
    Confinement {
        read: paths(FolderAccess::Read).collect(),
        write: paths(FolderAccess::Write)
            .chain(own)
            .chain([terminal.scratch.clone()])
            .collect(),
        network: order.network,
        terminal: order.terminal,
        is_on: terminal.launcher.is_confining(),
    }
}
