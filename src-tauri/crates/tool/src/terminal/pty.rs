//! A terminal of its own for a command that wants one.

use tokio::process::{Child, Command};

use super::running::{Input, Output};

/// Lines and columns of the terminal: room for most tables, and no more than a card can show.
const SIZE: (u16, u16) = (40, 120);

/// Starts a command as the head of a new session, with a new terminal as its input and output.
///
/// # Errors
/// When the system has no terminal left, or can't start the command.
pub(super) fn start(command: Command) -> std::io::Result<(Child, Output, Input)> {
    let (pty, pts) = pty_process::open().map_err(std::io::Error::other)?;
    let (lines, columns) = SIZE;
    pty.resize(pty_process::Size::new(lines, columns))
        .map_err(std::io::Error::other)?;
    let child = pty_process::Command::from(command)
        .spawn(pts)
        .map_err(std::io::Error::other)?;
    let (output, input) = pty.into_split();
    Ok((child, Box::new(output), Box::new(input)))
}
