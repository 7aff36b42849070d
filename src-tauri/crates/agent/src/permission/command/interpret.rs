//! Shells and interpreters: what they run, and where it comes from.
//!
//! What a shell runs is read and judged. What another language runs is not read, and is asked.

use super::line::Simple;
use super::output::from_wide_base64;
use super::state::State;
use super::unwrap::{evaluated, read};
use super::word::Word;

/// Programs that run what they are given as text or on their input.
pub(super) const SHELLS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "rbash",
    "yash",
    "pwsh",
    "powershell",
    "cmd",
];

/// Programs that run a language of their own; their text is not read.
const INTERPRETERS: &[&str] = &[
    "python",
    "python2",
    "python3",
    "pypy",
    "pypy3",
    "node",
    "nodejs",
    "deno",
    "bun",
    "perl",
    "ruby",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "wish",
    "osascript",
    "expect",
    "irb",
    "ghci",
    "rscript",
    "groovy",
    "jshell",
    "elixir",
    "iex",
    "invoke-expression",
    "mshta",
    "wscript",
    "cscript",
    "gdb",
    "julia",
    "guile",
    "racket",
    "scala",
    "swift",
];

/// Options with which an interpreter runs its argument.
const RUNS_TEXT: &[&str] = &[
    "-c",
    "-e",
    "-E",
    "-r",
    "-p",
    "--eval",
    "--execute",
    "--print",
    "-pe",
    "-ne",
    "-lne",
    "-pi",
    "-i",
    "eval",
    "-ex",
    "--eval-command",
    "-le",
    "-ie",
    "-Ic",
    "-uc",
    "-Bc",
];

/// Programs that fetch from the network to their output.
pub(super) const FETCHERS: &[&str] = &[
    "curl",
    "wget",
    "iwr",
    "invoke-webrequest",
    "irm",
    "invoke-restmethod",
    "fetch",
    "aria2c",
    "http",
    "https",
    "xh",
    "lynx",
    "w3m",
    "ftp",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "dig",
    "scp",
    "ssh",
    "lwp-request",
    "curlie",
];

/// What a shell or an interpreter gets on its input.
pub(super) fn input(command: &Simple, state: &mut State) {
    let program = command.program();
    let is_shell = SHELLS.contains(&program.as_str());
    let takes_input = is_shell
        || is_interpreter(&program)
        || (matches!(program.as_str(), "source" | ".") && command.has(&["/dev/stdin", "-"]));
    let names_script = command
        .operands()
        .next()
        .is_some_and(|word| !word.is_pipe && !matches!(word.text.as_str(), "-" | "/dev/stdin"));
    let has_text = command.has(&[
        "-c",
        "/c",
        "-Command",
        "-command",
        "-EncodedCommand",
        "-e",
        "--eval",
    ]);
    if !takes_input || names_script && !command.has_flag('s') || has_text {
        return;
    }
    if let Some(text) = &command.input {
        match is_shell {
            true => read(text, command, state),
            false => state.concerns.unclear("a program text in another language"),
        }
        return;
    }
    let reads_file = command.files.iter().any(|file| !file.is_written);
    if !command.feeders.is_empty() || reads_file {
        unread(command, state);
    }
}

/// Text that is run although it can't be read.
pub(super) fn unread(command: &Simple, state: &mut State) {
    let fetches = feeds(command, state);
    match (fetches, command.is_root) {
        (true, true) => state
            .concerns
            .forbid("what comes from the network is never run as administrator"),
        (true, false) => state.concerns.danger("runs what comes from the network"),
        (false, _) => state.concerns.unclear("runs text that is made on the way"),
    }
}

/// Whether something from the network reaches a command, however many steps before.
fn feeds(command: &Simple, state: &State) -> bool {
    let mut seen = vec![false; state.commands.len()];
    let mut waiting = command.feeders.clone();
    while let Some(number) = waiting.pop() {
        let Some(known) = seen.get_mut(number).filter(|known| !**known) else {
            continue;
        };
        *known = true;
        if let Some(feeder) = state.commands.get(number) {
            if FETCHERS.contains(&feeder.program().as_str()) {
                return true;
            }
            waiting.extend(&feeder.feeders);
        }
    }
    false
}

pub(super) fn is_interpreter(name: &str) -> bool {
    let versioned = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    INTERPRETERS.contains(&name) || INTERPRETERS.contains(&versioned)
}

pub(super) fn shell(command: &Simple, state: &mut State) {
    let program = command.program();
    // Windows' shells take all the words that follow as the text; others take one.
    let is_windows = matches!(program.as_str(), "cmd" | "powershell" | "pwsh");
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        let option = word.text.to_lowercase();
        if is_windows && option.len() > 1 && "-encodedcommand".starts_with(&option) {
            match words.next().and_then(|word| from_wide_base64(&word.text)) {
                Some(text) => read(&text, command, state),
                None => state.concerns.unclear("a text that can't be decoded"),
            }
            return;
        }
        let is_long = matches!(
            option.as_str(),
            "/c" | "/k" | "/r" | "-command" | "--command"
        );
        let is_short =
            option.starts_with('-') && !option.starts_with("--") && option.ends_with('c');
        if is_long || is_short {
            let rest: Vec<Word> = words.filter(|word| word.text != "--").cloned().collect();
            let text = if is_windows { rest.len() } else { 1 };
            if rest.len() > text {
                state.forget_arguments();
            }
            return evaluated(rest.get(..text).unwrap_or_default(), command, state);
        }
        match word.text.as_str() {
            "--rcfile" | "--init-file" => return state.concerns.unclear("runs a file on its way"),
            "-O" | "+O" | "-o" | "+o" => drop(words.next()),
            text if !text.starts_with(['-', '+']) => return script(word, command, state),
            _ => {}
        }
    }
}

/// A file that is run: made or fetched in the same line, nobody has seen it.
fn script(word: &Word, command: &Simple, state: &mut State) {
    if word.is_pipe || !word.is_known {
        return unread(command, state);
    }
    let folder = state.folder_of(command);
    let path = format!("{folder}/{}", word.text);
    let parts: Vec<&str> = path.split('/').collect();
    let is_made = |earlier: &Simple| {
        let written = earlier.files.iter().filter(|file| file.is_written);
        let mut names = written.map(|file| &file.path).chain(makes(earlier));
        names.any(|name| made_name(&name.text).is_some_and(|name| parts.contains(&name)))
    };
    let Some(maker) = state.commands.iter().find(|earlier| is_made(earlier)) else {
        return;
    };
    match (
        FETCHERS.contains(&maker.program().as_str()),
        command.is_root,
    ) {
        (true, true) => state
            .concerns
            .forbid("what comes from the network is never run as administrator"),
        (true, false) => state.concerns.danger("runs what comes from the network"),
        (false, _) => state
            .concerns
            .unclear("runs a file that the same line makes"),
    }
}

/// The words of a command that may name what it makes.
fn makes(command: &Simple) -> impl Iterator<Item = &Word> {
    const MAKERS: &[&str] = &[
        "curl",
        "wget",
        "aria2c",
        "tee",
        "cp",
        "mv",
        "ln",
        "install",
        "dd",
        "iwr",
        "invoke-webrequest",
    ];
    let program = command.program();
    let makes = MAKERS.contains(&program.as_str()) || program == "git" && command.verb() == "clone";
    command.arguments().iter().filter(move |_| makes)
}

/// The last part of a path or an address, as the file or folder that it becomes is named.
fn made_name(text: &str) -> Option<&str> {
    let text = text.split(['?', '#']).next().unwrap_or(text);
    let last = text.trim_end_matches('/').rsplit(['/', '=']).next()?;
    let last = last.strip_suffix(".git").unwrap_or(last);
    let last = last
        .strip_prefix("-o")
        .or(last.strip_prefix("-O"))
        .unwrap_or(last);
    (!matches!(last, "" | "." | ".." | "-" | "clone")).then_some(last)
}

pub(super) fn sourced(command: &Simple, state: &mut State) {
    if let Some(word) = command.arguments().first() {
        script(word, command, state);
    }
}

pub(super) fn started_file(command: &Simple, state: &mut State) {
    if let Some(first) = command.words.first().filter(|word| word.text.contains('/')) {
        script(first, command, state);
    }
}

pub(super) fn interpreter(command: &Simple, state: &mut State) {
    let program = command.program();
    if matches!(program.as_str(), "iex" | "invoke-expression") {
        return unread(command, state);
    }
    if command.has(RUNS_TEXT) || command.has_flag('e') && program != "python" {
        state.concerns.unclear("a program text in another language");
        return;
    }
    match command.operands().next() {
        Some(word) if word.text.contains("://") => {
            state.concerns.danger("runs what comes from the network");
        }
        Some(word) if word.text == "run" => {
            let fetched = command.operands().any(|word| word.text.contains("://"));
            if fetched {
                state.concerns.danger("runs what comes from the network");
            }
        }
        Some(word) if word.text != "-" => script(word, command, state),
        _ => {}
    }
}
