//! Commands that remove or overwrite: of what, and whether that is ever allowed.

use super::Concerns;
use super::line::Simple;
use super::word::Word;

const WHOLE: &str = "the system, the home folder and whole disks are never removed or overwritten";
const LOSES: &str = "removes more than named files, for good";

/// Folders of the system: neither they nor all they hold may be removed.
const SYSTEM: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "opt",
    "proc",
    "root",
    "run",
    "sbin",
    "srv",
    "sys",
    "usr",
    "var",
    "home",
    "users",
    "system",
    "library",
    "applications",
    "private",
    "volumes",
    "windows",
    "program files",
    "program files (x86)",
    "programdata",
    "mnt",
    "media",
    "nix",
    "snap",
    "tmp",
];

/// Judges a command that may remove, move or overwrite.
pub(super) fn judge(program: &str, command: &Simple, concerns: &mut Concerns) {
    let removes = match program {
        "rm" | "unlink" | "shred" | "srm" | "trash" | "wipe" | "remove-item" | "ri" | "del"
        | "erase" | "rd" | "rmdir" => true,
        "find" | "gfind" => command.has(&["-delete"]),
        "fd" => false,
        _ => false,
    };
    if removes {
        judge_removal(program, command, concerns);
    }
    match program {
        "chmod" | "chown" | "chgrp" | "chattr" | "icacls" | "takeown" | "setfacl" => {
            let is_deep =
                command.has_flag('R') || command.has(&["--recursive", "/t", "/T", "/r", "/R"]);
            if is_deep
                && command
                    .operands()
                    .skip(1)
                    .any(|word| is_whole(word, command))
            {
                concerns.forbid(WHOLE);
            }
        }
        "mv" | "move" | "move-item" => {
            let moved = command.operands().count().saturating_sub(1);
            if command
                .operands()
                .take(moved)
                .any(|word| is_whole(word, command))
            {
                concerns.forbid(WHOLE);
            }
        }
        "rsync"
            if command
                .arguments()
                .iter()
                .any(|word| word.text.starts_with("--del")) =>
        {
            concerns.danger(LOSES);
            if command
                .operands()
                .last()
                .is_some_and(|word| is_whole(word, command))
            {
                concerns.forbid(WHOLE);
            }
        }
        "dd" => judge_copy(command, concerns),
        "truncate" if command.operands().any(|word| is_whole(word, command)) => {
            concerns.forbid(WHOLE);
        }
        "robocopy" if command.has(&["/MIR", "/mir", "/PURGE"]) => concerns.danger(LOSES),
        _ => {}
    }
    if command
        .files
        .iter()
        .any(|file| file.is_written && is_disk(&file.path.text))
    {
        concerns.forbid(WHOLE);
    }
}

fn judge_removal(program: &str, command: &Simple, concerns: &mut Concerns) {
    let lower = |word: &Word| word.text.to_lowercase();
    if command
        .arguments()
        .iter()
        .any(|word| lower(word).starts_with("--no-preserve"))
    {
        concerns.forbid(WHOLE);
    }
    let is_find = matches!(program, "find" | "gfind");
    let is_deep = is_find
        || command.has_flag('r')
        || command.has_flag('R')
        || command.arguments().iter().any(|word| {
            let text = lower(word);
            matches!(text.as_str(), "--recursive" | "/s")
                || (text.starts_with("-rec") && "-recurse".starts_with(&text))
        });
    let is_windows_option = |word: &Word| {
        word.text.len() == 2
            && word.text.starts_with('/')
            && matches!(lower(word).as_str(), "/s" | "/q" | "/f" | "/a")
    };
    let targets: Vec<&Word> = match is_find {
        true => command
            .arguments()
            .iter()
            .take_while(|word| !word.text.starts_with('-'))
            .collect(),
        false => command
            .operands()
            .filter(|word| !is_windows_option(word))
            .collect(),
    };
    for target in &targets {
        if is_whole(target, command) && (is_deep || target.is_open) {
            concerns.forbid(WHOLE);
        }
        if !target.is_known {
            concerns.unclear("removes something that can't be told");
        }
        let ends: Vec<&str> = target
            .text
            .split(['/', '\\'])
            .filter(|part| !part.is_empty())
            .collect();
        let is_all = matches!(ends.as_slice(), [] | ["." | ".." | "*" | ".*"])
            || ends
                .last()
                .is_some_and(|last| matches!(*last, ".git" | ".." | "*" | ".*"));
        let is_here = command.folder.as_deref() == Some(target.text.trim_end_matches('/'));
        if (is_all || is_here) && (is_deep || target.is_open) {
            concerns.danger(LOSES);
        }
    }
    if is_find
        && !command.has(&[
            "-name", "-iname", "-path", "-regex", "-type", "-newer", "-mtime", "-empty",
        ])
    {
        concerns.danger(LOSES);
    }
    if targets.is_empty() && is_find {
        concerns.danger(LOSES);
    }
}

/// Whether a word means the root, a folder of the system, a home folder or all of one of them.
fn is_whole(word: &Word, command: &Simple) -> bool {
    let text = word.text.replace('\\', "/").to_lowercase();
    let text = text.strip_prefix("//?/").unwrap_or(&text);
    let text = text.strip_prefix("file://").unwrap_or(text);
    let here = command.folder.as_deref().unwrap_or_default();
    let is_absolute = text.starts_with(['/', '~', '%', '$']) || text.get(1..2) == Some(":");
    let whole = match is_absolute {
        true => text.to_owned(),
        // `cd / && rm -rf *` names no root.
        false if here == "/" || here.starts_with('~') || is_root_after_steps(here, text) => {
            format!("{here}/{text}")
        }
        false => return false,
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part.trim_end_matches(['.', ' ']) {
            "" if part.trim_end() == ".." => {
                parts.pop();
            }
            "" => {}
            name => parts.push(name),
        }
    }
    while parts.last().is_some_and(|last| {
        last.chars()
            .all(|letter| matches!(letter, '*' | '?' | '[' | ']' | '.' | '!'))
    }) {
        parts.pop();
    }
    match parts.as_slice() {
        [] => true,
        [one] => {
            let is_home = one.starts_with('~')
                || matches!(
                    *one,
                    "%userprofile%"
                        | "%homepath%"
                        | "%systemroot%"
                        | "%systemdrive%"
                        | "$env:userprofile"
                        | "$home"
                        | "$env:systemroot"
                        | "$env:systemdrive"
                );
            let is_drive = one.len() == 2 && one.ends_with(':');
            is_home || is_drive || is_system(one)
        }
        ["home" | "users", _] => true,
        ["usr" | "var" | "private" | "system" | "library", two] => matches!(
            *two,
            "bin"
                | "lib"
                | "lib64"
                | "local"
                | "share"
                | "sbin"
                | "log"
                | "etc"
                | "var"
                | "library"
                | "spool"
                | "www"
                | "db"
                | "cache"
        ),
        [drive, one] if drive.len() == 2 && drive.ends_with(':') => is_system(one),
        [drive, "users", _] if drive.len() == 2 && drive.ends_with(':') => true,
        _ => false,
    }
}

fn is_system(name: &str) -> bool {
    let is_open = name.contains(['*', '?', '[']);
    SYSTEM.contains(&name)
        || is_open
            && SYSTEM
                .iter()
                .any(|system| crate::permission::place::fits(name, system))
}

/// Whether `..` of a relative path leads up to the root.
fn is_root_after_steps(here: &str, text: &str) -> bool {
    let up = text.split('/').take_while(|part| *part == "..").count();
    up > 0 && up >= here.split('/').filter(|part| !part.is_empty()).count()
}

fn judge_copy(command: &Simple, concerns: &mut Concerns) {
    for word in command.arguments() {
        if let Some(target) = word.text.strip_prefix("of=") {
            if is_disk(target) {
                concerns.forbid(WHOLE);
            }
            if !word.is_known {
                concerns.unclear("writes to a place that can't be told");
            }
        }
    }
}

/// Whether a path is a disk or the memory.
fn is_disk(path: &str) -> bool {
    const DISKS: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper", "dm-", "md", "loop",
        "mem", "kmem", "port",
    ];
    let Some(device) = path.strip_prefix("/dev/") else {
        return path.to_lowercase().starts_with("\\\\.\\");
    };
    DISKS.iter().any(|disk| device.starts_with(disk))
}
