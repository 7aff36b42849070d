//! The shell that runs a command, and the environment it gets: a safe base, and nothing else of ours.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variables that are handed on. Keys and tokens never are.
const BASE: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    // What Windows programs can't start without.
    "SYSTEMROOT",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "PROGRAMDATA",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
];

/// Folders with programs that a window, unlike a terminal, does not always know of.
const PROGRAMS: &[&str] = &[
    ".local/bin",
    ".cargo/bin",
    "go/bin",
    ".bun/bin",
    ".deno/bin",
];

/// What to start for a command.
#[cfg(unix)]
pub(super) fn invocation(command: &str) -> Vec<OsString> {
    let bash = Path::new("/bin/bash");
    let shell = if bash.exists() {
        "/bin/bash"
    } else {
        "/bin/sh"
    };
    [shell, "-c", command].map(OsString::from).to_vec()
}

/// What to start for a command.
#[cfg(not(unix))]
pub(super) fn invocation(command: &str) -> Vec<OsString> {
    let utf8 = "[Console]::OutputEncoding = [System.Text.Encoding]::UTF8; ";
    ["powershell", "-NoProfile", "-NonInteractive", "-Command"]
        .map(OsString::from)
        .into_iter()
        .chain([OsString::from(format!("{utf8}{command}"))])
        .collect()
}

/// The environment of a command.
pub(super) fn environment(scratch: &Path, has_terminal: bool) -> Vec<(OsString, OsString)> {
    let kept = BASE
        .iter()
        .filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?)));
    let temporary = ["TMPDIR", "TMP", "TEMP"].map(|name| (name.into(), scratch.into()));
    let plain = [
        ("TERM", if has_terminal { "xterm" } else { "dumb" }),
        ("NO_COLOR", "1"),
        ("PAGER", "cat"),
        ("GIT_TERMINAL_PROMPT", "0"),
    ];
    let plain = plain.map(|(name, value)| (name.into(), value.into()));
    let path = [(OsString::from("PATH"), path())];
    kept.chain(temporary).chain(plain).chain(path).collect()
}

fn path() -> OsString {
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let home = std::env::home_dir().unwrap_or_default();
    let known: Vec<PathBuf> = std::env::split_paths(&inherited).collect();
    let more = PROGRAMS.iter().map(|name| home.join(name));
    let more: Vec<PathBuf> = more
        .filter(|folder| !known.contains(folder) && folder.is_dir())
        .collect();
    std::env::join_paths(known.into_iter().chain(more)).unwrap_or(inherited)
}
