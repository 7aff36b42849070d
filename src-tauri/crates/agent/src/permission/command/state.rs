//! What is known while a line is read: its commands so far, variables, the folder, and how much may
//! still be read.

use std::collections::HashMap;

use super::line::Simple;
use super::{Concerns, output, reader, unwrap};
use crate::permission::Shell;

/// Commands inside commands, at most.
pub(super) const DEEPEST: u8 = 10;

/// Letters read in all, with what is read again after decoding.
const MOST_LETTERS: usize = 200_000;

/// Commands of one line.
const MOST_COMMANDS: usize = 400;

/// What is known while a line is read; shared by all that is read inside it.
pub(crate) struct State {
    /// The commands found, in the order in which they would start.
    pub(crate) commands: Vec<Simple>,
    /// What speaks against it.
    pub(crate) concerns: Concerns,
    /// The variables set so far: their values, or none if unknown.
    pub(super) variables: HashMap<String, Option<String>>,
    /// The functions defined so far.
    pub(super) functions: Vec<String>,
    /// The folder that `cd` has led to; none if unknown.
    pub(super) folder: Option<String>,
    /// The letter that takes the next one's meaning away.
    pub(super) escape: char,
    letters: usize,
    pub(super) depth: u8,
}

impl State {
    pub(crate) fn new(folder: &str, shell: Shell) -> Self {
        Self {
            escape: match shell {
                Shell::Posix => '\\',
                Shell::PowerShell => '`',
            },
            commands: Vec::new(),
            concerns: Concerns::default(),
            variables: HashMap::new(),
            functions: Vec::new(),
            folder: Some(folder.to_owned()),
            letters: 0,
            depth: 0,
        }
    }

    /// Reads a text as commands. Gives the numbers of the commands found.
    pub(crate) fn read(&mut self, text: &str) -> std::ops::Range<usize> {
        let from = self.commands.len();
        if self.depth >= DEEPEST {
            self.concerns.unclear("commands nested too deep");
            return from..from;
        }
        self.depth += 1;
        let letters: Vec<char> = text.chars().collect();
        reader::read(&letters, self);
        self.depth -= 1;
        from..self.commands.len()
    }

    /// Takes a finished command in, looks inside it, and gives its number.
    pub(crate) fn take(&mut self, mut command: Simple) -> usize {
        let number = self.commands.len();
        if number >= MOST_COMMANDS {
            self.concerns.unclear("too many commands");
            return number;
        }
        command.folder = self.folder.clone();
        command.output = output::of(&command);
        self.set_variables(&command);
        self.change_folder(&command);
        self.commands.push(command.clone());
        if self.depth >= DEEPEST {
            self.concerns.unclear("commands nested too deep");
            return number;
        }
        self.depth += 1;
        unwrap::inner(&command, self);
        self.depth -= 1;
        number
    }

    fn set_variables(&mut self, command: &Simple) {
        let sets = [
            "export", "declare", "local", "readonly", "typeset", "set", "setx",
        ];
        if command.words.is_empty() {
            for (name, value) in &command.variables {
                let value = value.is_known.then(|| value.text.clone());
                self.variables.insert(name.clone(), value);
            }
        } else if sets.contains(&command.program().as_str()) {
            for word in command.arguments() {
                if let Some((name, value)) = word.text.split_once('=') {
                    let value = word.is_known.then(|| value.to_owned());
                    self.variables.insert(name.to_owned(), value);
                }
            }
            if command.program() == "set" && command.operands().next().is_some() {
                self.forget_arguments();
            }
        } else if ["read", "mapfile", "readarray", "getopts", "unset", "let"]
            .contains(&command.program().as_str())
        {
            for word in command.operands() {
                self.variables.insert(word.text.clone(), None);
            }
        } else if command.program() == "printf" && command.has(&["-v"]) {
            let mut arguments = command.arguments().iter();
            arguments.find(|word| word.text == "-v");
            if let Some(name) = arguments.next() {
                self.variables.insert(name.text.clone(), None);
            }
        }
    }

    fn change_folder(&mut self, command: &Simple) {
        match command.program().as_str() {
            "cd" | "pushd" | "chdir" | "set-location" | "sl" => {
                let Some(to) = command.operands().next() else {
                    self.folder = Some("~".to_owned());
                    return;
                };
                let is_absolute =
                    to.text.starts_with(['/', '~', '%']) || to.text.get(1..2) == Some(":");
                self.folder = match &self.folder {
                    _ if !to.is_known || to.is_open || to.text == "-" => None,
                    _ if is_absolute => Some(to.text.clone()),
                    Some(folder) => Some(format!("{folder}/{}", to.text)),
                    None => None,
                };
            }
            "popd" => self.folder = None,
            _ => {}
        }
    }

    /// Arguments are given that are not followed: what stands for them can't be told.
    pub(crate) fn forget_arguments(&mut self) {
        self.variables.insert("@".to_owned(), None);
    }

    /// The folder that a command runs in.
    pub(crate) fn folder_of(&self, command: &Simple) -> String {
        let folder = command.folder.as_ref().or(self.folder.as_ref());
        folder.cloned().unwrap_or_default()
    }

    /// Whether there is still room to read `more` letters.
    pub(super) fn spend(&mut self, more: usize) -> bool {
        self.letters = self.letters.saturating_add(more);
        if self.letters > MOST_LETTERS {
            self.concerns
                .unclear("a command that is too long to be judged");
            return false;
        }
        true
    }
}
