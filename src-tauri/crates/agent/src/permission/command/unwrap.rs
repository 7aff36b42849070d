//! Commands inside commands: `sudo`, `xargs`, `sh -c`, `eval`, `find -exec` and their like.
//!
//! What is started in the end is judged by itself; so is what starts it.

use super::interpret::{
    SHELLS, input, interpreter, is_interpreter, shell, sourced, started_file, unread,
};
use super::known::only_looks;
use super::line::Simple;
use super::state::State;
use super::word::Word;

/// Programs that start the rest of their words: name, options that take a value, words to skip.
const WRAPPERS: &[(&str, &[&str], usize)] = &[
    (
        "sudo",
        &[
            "-u", "-g", "-p", "-C", "-h", "-r", "-t", "-T", "-U", "-D", "-R", "--user", "--group",
        ],
        0,
    ),
    ("doas", &["-u", "-C"], 0),
    ("pkexec", &["--user"], 0),
    ("run0", &["-u", "--user"], 0),
    ("runuser", &["-u", "-g"], 0),
    ("gosu", &[], 1),
    ("env", &["-u", "--unset", "-C", "--chdir"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("ionice", &["-c", "-n", "-p"], 0),
    ("chrt", &[], 1),
    ("taskset", &[], 1),
    ("timeout", &["-s", "-k", "--signal", "--kill-after"], 1),
    ("gtimeout", &["-s", "-k"], 1),
    ("time", &["-f", "-o"], 0),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("unbuffer", &[], 0),
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    ("busybox", &[], 0),
    ("toybox", &[], 0),
    ("chroot", &[], 1),
    ("unshare", &[], 0),
    ("nsenter", &["-t"], 0),
    ("fakeroot", &[], 0),
    ("flock", &["-w", "-E"], 1),
    ("strace", &["-e", "-o", "-p", "-s"], 0),
    ("ltrace", &["-e", "-o", "-p"], 0),
    ("valgrind", &[], 0),
    ("proxychains", &["-f"], 0),
    ("proxychains4", &["-f"], 0),
    ("torsocks", &[], 0),
    ("caffeinate", &["-t", "-w"], 0),
    ("xvfb-run", &["-n", "-s", "-e"], 0),
    ("dbus-run-session", &[], 0),
    ("systemd-run", &["-p", "-u", "--unit"], 0),
    ("setarch", &[], 1),
    ("firejail", &[], 0),
    ("wsl", &["-d", "-u"], 0),
    ("start-process", &[], 0),
    ("start", &[], 0),
    ("then", &[], 0),
];

const ROOT: &[&str] = &["sudo", "doas", "pkexec", "run0", "su", "gosu"];

/// Programs that start the rest of their words with more that they read.
const APPENDING: &[&str] = &["xargs", "gxargs", "parallel"];

const APPENDING_VALUES: &[&str] = &[
    "-I",
    "-n",
    "-P",
    "-L",
    "-s",
    "-d",
    "-E",
    "-a",
    "-j",
    "--max-args",
    "--max-procs",
    "--delimiter",
];

/// Looks for what a command starts.
pub(super) fn inner(command: &Simple, state: &mut State) {
    let Some(first) = command.words.first() else {
        return;
    };
    let program = command.program();
    if !first.is_known || (first.is_open && program != "[" && program != "[[") {
        return state.concerns.unclear("a program whose name can't be told");
    }
    if let Some((_, values, skipped)) = WRAPPERS.iter().find(|(name, ..)| *name == program) {
        return wrapped(command, values, *skipped, state);
    }
    match program.as_str() {
        "eval" => evaluated(command.arguments(), command, state),
        "trap" | "watch" | "entr" => {
            let text: Vec<Word> = command.operands().cloned().collect();
            let text = if program == "trap" {
                text.get(..1).unwrap_or_default()
            } else {
                &text
            };
            evaluated(text, command, state);
        }
        "su" | "script" => {
            if let Some(text) = after_text_option(command) {
                evaluated(std::slice::from_ref(text), &as_root(command), state);
            }
        }
        "alias" | "enable" | "hash" | "bind" | "complete" if !command.arguments().is_empty() => {
            state.concerns.unclear("a word that gets another meaning");
        }
        "source" | "." => sourced(command, state),
        "ssh" => {
            let rest: Vec<Word> = command.operands().skip(1).cloned().collect();
            evaluated(&rest, command, state);
        }
        name if APPENDING.contains(&name) => appended(command, state),
        "find" | "gfind" | "fd" | "fdfind" => executed(command, state),
        name if SHELLS.contains(&name) => shell(command, state),
        name if is_interpreter(name) => interpreter(command, state),
        _ => started_file(command, state),
    }
    input(command, state);
}

fn as_root(command: &Simple) -> Simple {
    Simple {
        is_root: true,
        ..command.clone()
    }
}

/// An inner command: what feeds the outer one feeds it.
fn within(outer: &Simple, words: Vec<Word>) -> Simple {
    Simple {
        words,
        input: outer.input.clone(),
        feeders: outer.feeders.clone(),
        is_root: outer.is_root,
        is_inner: true,
        ..Simple::default()
    }
}

fn wrapped(command: &Simple, values: &[&str], skipped: usize, state: &mut State) {
    let program = command.program();
    let mut rest = command.arguments().iter().peekable();
    let mut variables = Vec::new();
    let mut left = skipped;
    while let Some(word) = rest.peek() {
        let text = word.text.as_str();
        if (text == "-S" || text.starts_with("--split-string") || text.starts_with("-S"))
            && program == "env"
        {
            let words: Vec<Word> = rest.cloned().collect();
            let joined: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            let joined = joined.join(" ");
            let plain = ["-S", "--split-string=", "--split-string"]
                .iter()
                .find_map(|it| joined.strip_prefix(it));
            return read(plain.unwrap_or(&joined), command, state);
        }
        if (text == "-c" || text == "--command") && matches!(program.as_str(), "flock" | "runuser")
        {
            break;
        }
        if program == "sudo" && matches!(text, "-e" | "--edit") {
            state.concerns.danger("runs as administrator");
        }
        if text.starts_with('-') && text.len() > 1 {
            rest.next();
            if values.contains(&text) {
                rest.next();
            }
        } else if let Some((name, value)) = text.split_once('=').filter(|(name, _)| is_name(name)) {
            variables.push((
                name.to_owned(),
                Word {
                    text: value.to_owned(),
                    ..(*word).clone()
                },
            ));
            rest.next();
        } else if left > 0 {
            left -= 1;
            rest.next();
        } else {
            break;
        }
    }
    let mut words: Vec<Word> = rest.cloned().collect();
    if words.first().is_some_and(|word| word.text == "-c") {
        words.insert(0, Word::plain("sh"));
    }
    if words.is_empty() {
        return;
    }
    let mut inner = within(command, words);
    inner.variables = variables;
    inner.files.clone_from(&command.files);
    inner.is_root |= ROOT.contains(&program.as_str());
    state.take(inner);
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

pub(super) fn read(text: &str, outer: &Simple, state: &mut State) {
    let range = state.read(text);
    for command in state.commands.get_mut(range).unwrap_or_default() {
        command.is_inner = true;
        command.is_root |= outer.is_root;
        if command.feeders.is_empty() {
            command.feeders.extend(&outer.feeders);
        }
    }
}

pub(super) fn evaluated(words: &[Word], outer: &Simple, state: &mut State) {
    if words.iter().any(|word| !word.is_known) {
        unread(outer, state);
    }
    let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    read(&text.join(" "), outer, state);
}

/// The text that `-c`, alone or at the end of other options, announces.
fn after_text_option(command: &Simple) -> Option<&Word> {
    let is_option = |text: &str| {
        text == "--command"
            || text.starts_with('-') && !text.starts_with("--") && text.ends_with('c')
    };
    let mut words = command.arguments().iter();
    words.find(|word| is_option(&word.text))?;
    words.next()
}

fn appended(command: &Simple, state: &mut State) {
    let mut rest = command.arguments().iter().peekable();
    while let Some(word) = rest.peek().filter(|word| word.text.starts_with('-')) {
        let takes_value = APPENDING_VALUES.contains(&word.text.as_str());
        rest.next();
        if takes_value {
            rest.next();
        }
    }
    let mut words: Vec<Word> = rest.cloned().collect();
    if words.is_empty() {
        return;
    }
    for word in words.iter_mut().filter(|word| word.text.contains("{}")) {
        word.is_known = false;
    }
    // What it adds are the names that a search in these folders found.
    let found_here = command
        .feeders
        .iter()
        .filter_map(|number| state.commands.get(*number));
    let finders = ["find", "fd", "ls", "rg", "grep", "git"];
    let is_list = found_here.clone().count() > 0
        && found_here
            .clone()
            .all(|feeder| finders.contains(&feeder.program().as_str()));
    let mut inner = within(command, words);
    inner.input = None;
    if !is_list || !only_looks(&inner) {
        inner.words.push(Word::unknown());
    }
    state.take(inner);
}

/// `find … -exec COMMAND ;` and `fd … -x COMMAND`.
fn executed(command: &Simple, state: &mut State) {
    const STARTS: &[&str] = &[
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
        "-x",
        "-X",
        "--exec",
        "--exec-batch",
    ];
    let mut words = command.arguments().iter();
    let roots: Vec<Word> = command
        .arguments()
        .iter()
        .take_while(|word| !word.text.starts_with('-'))
        .cloned()
        .collect();
    while let Some(word) = words.next() {
        if !STARTS.contains(&word.text.as_str()) {
            continue;
        }
        let given: Vec<Word> = words
            .by_ref()
            .take_while(|word| word.text != ";" && word.text != "+")
            .cloned()
            .collect();
        let mut inner_words = Vec::new();
        for word in given {
            match word.text.as_str() {
                // It stands for whatever lies in these folders.
                "{}" => inner_words.extend(roots.iter().cloned()),
                _ => inner_words.push(word),
            }
        }
        state.take(within(command, inner_words));
    }
}
