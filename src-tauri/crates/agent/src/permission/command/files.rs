//! The files that a line evidently reads or writes, for the folders and the tables of paths.

mod table;

use super::Concerns;
use super::line::Simple;
use super::word::Word;
use crate::permission::forbidden::Touch;
use crate::permission::place::{Ground, Place};
use table::{COPYING, NO_PATHS, READING, TEXT_FIRST, WORDY, WRITING};

/// A file that a command names.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// Where it is; none if that can't be told.
    pub(crate) place: Option<Place>,
    /// What is done there.
    pub(crate) touch: Touch,
}

/// All uses of a line.
pub(super) fn uses(commands: &[Simple], ground: Ground<'_>, concerns: &mut Concerns) -> Vec<Use> {
    let mut uses = Vec::new();
    for command in commands {
        let mut gather = Gather {
            command,
            ground,
            uses: &mut uses,
            concerns,
        };
        gather.files();
        gather.arguments();
    }
    uses
}

struct Gather<'a> {
    command: &'a Simple,
    ground: Ground<'a>,
    uses: &'a mut Vec<Use>,
    concerns: &'a mut Concerns,
}

impl Gather<'_> {
    /// What the line itself connects.
    fn files(&mut self) {
        for file in &self.command.files {
            let touch = if file.is_written {
                Touch::Write
            } else {
                Touch::Read
            };
            if file.path.text.starts_with("/dev/tcp/") || file.path.text.starts_with("/dev/udp/") {
                continue;
            }
            if !file.path.is_known || file.path.is_open {
                self.concerns.unclear("a file whose name can't be told");
            }
            self.add(&file.path.text, touch);
        }
    }

    fn arguments(&mut self) {
        let program = self.command.program();
        if let Some(first) = self
            .command
            .words
            .first()
            .filter(|word| word.text.contains('/') && word.is_known)
        {
            self.program(&first.text);
        }
        if NO_PATHS.contains(&program.as_str()) {
            return;
        }
        let touches = self.touches(&program);
        let mut skips_text = TEXT_FIRST.contains(&program.as_str())
            && !self
                .command
                .has(&["-e", "-f", "--file", "--regexp", "--files"]);
        let is_find = matches!(program.as_str(), "find" | "gfind");
        let mut is_value = false;
        for (word, touch) in self.command.arguments().iter().zip(touches) {
            let is_option = word.text.starts_with('-') && word.text.len() > 1;
            if std::mem::take(&mut is_value) {
                continue;
            }
            if WORDY.contains(&word.text.as_str()) {
                is_value = true;
                continue;
            }
            if is_find && word.text == "-exec" {
                break;
            }
            if !is_option && std::mem::take(&mut skips_text) {
                continue;
            }
            self.argument(&program, word, touch, is_option);
        }
    }

    /// What a program does with each of its arguments.
    fn touches(&self, program: &str) -> Vec<Touch> {
        let words = self.command.arguments();
        let last = words.iter().rposition(|word| !word.text.starts_with('-'));
        let writes_by_option = match program {
            "sed" => words
                .iter()
                .any(|word| word.text.starts_with("-i") || word.text.starts_with("--in-place")),
            "find" | "gfind" => self.command.has(&["-delete"]),
            "git" => matches!(
                self.command.verb(),
                "clone" | "init" | "worktree" | "apply" | "rm" | "mv"
            ),
            _ => WRITING.contains(&program),
        };
        let is_after_output = |at: usize| {
            let output = [
                "-o",
                "--output",
                "-O",
                "--output-document",
                "-P",
                "--directory-prefix",
                "-C",
                "--directory",
                "-d",
                "-t",
            ];
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            before.is_some_and(|word| output.contains(&word.text.as_str()))
                && matches!(
                    program,
                    "curl"
                        | "wget"
                        | "sort"
                        | "tar"
                        | "unzip"
                        | "cp"
                        | "gcc"
                        | "cc"
                        | "clang"
                        | "tree"
                        | "iwr"
                )
        };
        let touch = |(at, word): (usize, &Word)| {
            let is_output = word.text.starts_with("of=")
                || word.text.starts_with("--output=")
                || word.text.starts_with("-o/")
                || word.text.starts_with("-o~");
            let writes = writes_by_option
                || is_output
                || is_after_output(at)
                || COPYING.contains(&program) && Some(at) == last
                || !READING.contains(&program)
                    && !COPYING.contains(&program)
                    && program != "dd"
                    && program != "sed"
                    && !is_interpreter_like(program);
            if writes { Touch::Write } else { Touch::Read }
        };
        words.iter().enumerate().map(touch).collect()
    }

    fn argument(&mut self, program: &str, word: &Word, touch: Touch, is_option: bool) {
        let named = READING.contains(&program)
            || WRITING.contains(&program)
            || COPYING.contains(&program)
            || program == "dd";
        if !word.is_known
            && !is_option
            && named
            && program != "git"
            && program != "curl"
            && program != "wget"
        {
            self.concerns.unclear("a file whose name can't be told");
        }
        // An address that a variable begins reads like a path.
        if !word.is_known && matches!(program, "curl" | "wget") && touch == Touch::Read {
            return;
        }
        for candidate in candidates(&word.text, is_option) {
            if is_path(candidate, named && !is_option) {
                self.add(candidate, touch);
            }
        }
    }

    /// A program named by its path is read, unless it is one of the system's.
    fn program(&mut self, path: &str) {
        const SYSTEM: &[&str] = &[
            "/bin/",
            "/usr/bin/",
            "/usr/local/bin/",
            "/sbin/",
            "/usr/sbin/",
            "/opt/homebrew/bin/",
        ];
        if !SYSTEM.iter().any(|folder| path.starts_with(folder)) || path.contains("..") {
            self.add(path, Touch::Read);
        }
    }

    fn add(&mut self, text: &str, touch: Touch) {
        let is_absolute = text.starts_with(['/', '\\', '~', '%'])
            || text.get(1..2) == Some(":")
            || text.starts_with("file:");
        let Some(folder) = self.command.folder.as_deref().or(is_absolute.then_some("")) else {
            return self.concerns.unclear("the folder in which a file is named");
        };
        let ground = Ground {
            folder: &absolute(folder, self.ground),
            home: self.ground.home,
        };
        match Place::read(text, ground) {
            Ok(place) => self.uses.push(Use {
                place: Some(place),
                touch,
            }),
            Err(odd) => {
                self.concerns.unclear(odd);
                self.uses.push(Use { place: None, touch });
            }
        }
    }
}

/// The folder that `cd` led to, from the root.
fn absolute(folder: &str, ground: Ground<'_>) -> String {
    Place::read(folder, ground).map_or_else(|_| folder.to_owned(), |place| place.text())
}

fn is_interpreter_like(program: &str) -> bool {
    let plain = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    matches!(
        plain,
        "python"
            | "pip"
            | "node"
            | "ruby"
            | "perl"
            | "php"
            | "java"
            | "npm"
            | "npx"
            | "cargo"
            | "make"
            | "go"
            | "deno"
            | "bun"
            | "uv"
            | "pytest"
    )
}

/// The parts of an argument that may be paths: itself, and what follows `=`, `@` or a short option.
fn candidates(text: &str, is_option: bool) -> Vec<&str> {
    let mut found = Vec::new();
    if !is_option {
        found.push(text);
    }
    if let Some((_, value)) = text.split_once('=') {
        found.push(value);
        found.extend(value.strip_prefix('@'));
    }
    found.extend(text.strip_prefix('@'));
    if is_option && let Some(at) = text.find(['/', '~', '@']) {
        found.extend(text.get(at..).map(|rest| rest.trim_start_matches('@')));
    }
    if !is_option
        && !text.contains("://")
        && let Some((_, rest)) = text.split_once(':')
    {
        found.push(rest);
    }
    found
}

/// Whether a text reads like a path. Names without a slash are ones where the program takes files.
fn is_path(text: &str, takes_files: bool) -> bool {
    if text.is_empty() || text == "-" || text.contains('\n') {
        return false;
    }
    if text
        .get(..5)
        .is_some_and(|head| head.eq_ignore_ascii_case("file:"))
    {
        return true;
    }
    if text.contains("://") {
        return false;
    }
    takes_files || text.starts_with(['/', '~', '.', '%', '\\']) || text.contains(['/', '\\'])
}
