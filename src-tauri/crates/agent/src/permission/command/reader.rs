//! Reads a line as a POSIX shell does, and says what it would start.
//!
//! Control flow makes no difference here: whatever might be run counts as run. Nothing the reader
//! meets is an error; what it can't tell is said to be unclear, and is then asked.

mod expansion;
mod flow;
mod quote;

use super::line::Simple;
use super::state::State;
use super::word::{Atom, Word, words};
use flow::{Body, Group};
use std::ops::Range;

/// Words that steer a shell and start nothing.
const STEERING: &[&str] = &[
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "esac", "{", "}", "!",
    "time", "coproc", "function",
];

/// Reads a text to its end.
pub(super) fn read(letters: &[char], state: &mut State) {
    Reader::new(letters, 0, state).read(false);
}

/// Reads one text.
struct Reader<'text, 'state> {
    letters: &'text [char],
    at: usize,
    state: &'state mut State,
    /// The command that is being put together.
    command: Simple,
    /// The commands before the last `|`.
    piped: Option<Range<usize>>,
    /// The groups that are open, the outermost first.
    groups: Vec<Group>,
    /// The commands of the group that ended just now.
    closed: Option<Range<usize>>,
    /// Bodies that follow at the next line, by their end word.
    bodies: Vec<Body>,
    is_in_case: bool,
    is_function_next: bool,
}

impl<'text, 'state> Reader<'text, 'state> {
    fn new(letters: &'text [char], at: usize, state: &'state mut State) -> Self {
        Self {
            letters,
            at,
            state,
            command: Simple::default(),
            piped: None,
            groups: Vec::new(),
            closed: None,
            bodies: Vec::new(),
            is_in_case: false,
            is_function_next: false,
        }
    }

    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        if !self.state.spend(1) {
            self.at = self.letters.len();
        }
        Some(letter)
    }

    /// Reads to the end, or to the bracket that closes a substitution.
    fn read(&mut self, ends_at_bracket: bool) {
        let mut open = 0_usize;
        while let Some(letter) = self.peek() {
            match letter {
                ' ' | '\t' => self.at += 1,
                escape if escape == self.state.escape && self.peek_at(1) == Some('\n') => {
                    self.at += 2;
                }
                escape
                    if escape == self.state.escape
                        && self.peek_at(1) == Some('\r')
                        && self.peek_at(2) == Some('\n') =>
                {
                    self.at += 3;
                }
                '\n' => {
                    self.next();
                    self.end_command(false);
                    self.read_bodies();
                }
                '#' => {
                    while self.peek().is_some_and(|letter| letter != '\n') {
                        self.next();
                    }
                }
                '(' => {
                    self.next();
                    if self.peek() == Some('(') && self.command.words.is_empty() {
                        self.next();
                        self.skip_arithmetic();
                    } else if self.defines_function() {
                        self.next();
                    } else {
                        self.open_group();
                        open += 1;
                    }
                }
                ')' => {
                    self.next();
                    self.end_command(false);
                    match open {
                        0 if ends_at_bracket => return,
                        0 => {}
                        _ => {
                            open -= 1;
                            self.close_group();
                        }
                    }
                }
                ';' => {
                    self.next();
                    self.end_command(false);
                }
                '&' if self.peek_at(1) == Some('>') => {
                    self.next();
                    self.read_file();
                }
                '&' => {
                    self.next();
                    self.command.is_behind = self.peek() != Some('&');
                    if !self.command.is_behind {
                        self.next();
                    }
                    self.end_command(false);
                }
                '|' => {
                    self.next();
                    let is_pipe = self.peek() != Some('|');
                    if matches!(self.peek(), Some('|' | '&')) {
                        self.next();
                    }
                    self.end_command(is_pipe);
                }
                '<' | '>' if self.peek_at(1) == Some('(') => self.read_word(),
                '<' | '>' => self.read_file(),
                _ => self.read_word(),
            }
        }
        self.end_command(false);
        if !self.bodies.is_empty() {
            self.state
                .concerns
                .unclear("a text in the line that has no end");
        }
        if ends_at_bracket {
            self.state.concerns.unclear("a bracket that is not closed");
        }
    }

    /// `name()` begins a function; its body is read like any other command.
    fn defines_function(&mut self) -> bool {
        let closes = self.letters.get(self.at..).unwrap_or_default().iter();
        let closes = closes.clone().find(|letter| !matches!(letter, ' ' | '\t')) == Some(&')');
        let [name] = self.command.words.as_slice() else {
            return false;
        };
        if !closes {
            return false;
        }
        self.state.functions.push(name.text.clone());
        self.command = Simple::default();
        while self.peek().is_some_and(|letter| letter != ')') {
            self.next();
        }
        true
    }

    /// `((…))` computes; only what is substituted in it can start something.
    fn skip_arithmetic(&mut self) {
        let mut open = 2_usize;
        while let Some(letter) = self.peek() {
            match letter {
                '(' => open += 1,
                ')' => open -= 1,
                '$' | '`' => {
                    let mut atoms = Vec::new();
                    self.read_expansion(&mut atoms, true);
                    continue;
                }
                _ => {}
            }
            self.next();
            if open == 0 {
                return;
            }
        }
        self.state.concerns.unclear("a bracket that is not closed");
    }

    fn read_word(&mut self) {
        let (atoms, is_quoted, is_pipe) = self.read_atoms();
        if self.is_descriptor(&atoms, is_quoted) {
            return self.read_file();
        }
        let Some(mut read) = words(&atoms, is_quoted) else {
            self.state.concerns.unclear("a word with too many choices");
            return;
        };
        if let Some(first) = read.first_mut() {
            first.is_pipe = is_pipe;
        }
        if self.command.words.is_empty() && self.begins_specially(&read) {
            return;
        }
        self.command.words.append(&mut read);
    }

    /// A number right before `<` or `>` says which of the command's files is meant.
    fn is_descriptor(&self, atoms: &[Atom], is_quoted: bool) -> bool {
        let is_digit =
            |atom: &Atom| matches!(atom, Atom::Letter { letter, .. } if letter.is_ascii_digit());
        let is_named = |text: &[Atom]| {
            text.first() == Some(&Atom::bare('{')) && text.last() == Some(&Atom::bare('}'))
        };
        !is_quoted
            && matches!(self.peek(), Some('<' | '>'))
            && self.peek_at(1) != Some('(')
            && (atoms.iter().all(is_digit) || is_named(atoms))
    }

    /// Words at the place of a program that are something else. True if one was taken in.
    fn begins_specially(&mut self, read: &[Word]) -> bool {
        let [word] = read else { return false };
        if self.is_function_next {
            self.is_function_next = false;
            self.state.functions.push(word.text.clone());
            return true;
        }
        if let Some((name, value)) = assignment(word) {
            self.command.variables.push((name, value));
            return true;
        }
        if word.is_quoted || !word.is_known {
            return false;
        }
        match word.text.as_str() {
            "for" | "select" => {
                self.open_group();
                self.read_loop();
            }
            "case" => {
                self.open_group();
                self.is_in_case = true;
                if self.state.depth > 1 {
                    self.state
                        .concerns
                        .unclear("a choice inside a substitution");
                }
                return false;
            }
            "function" => self.is_function_next = true,
            "{" | "if" | "while" | "until" => self.open_group(),
            "}" | "fi" | "done" | "esac" => self.close_group(),
            steering if STEERING.contains(&steering) => {}
            _ => return false,
        }
        true
    }

    /// `for NAME in WORDS`: the name stands for each of the words.
    fn read_loop(&mut self) {
        self.skip_blanks();
        if self.peek() == Some('(') {
            return;
        }
        let (name, ..) = self.read_atoms();
        let name: String = words(&name, false)
            .into_iter()
            .flatten()
            .map(|word| word.text)
            .collect();
        self.skip_blanks();
        let mut values = Vec::new();
        let mut is_known = true;
        while let Some(letter) = self.peek() {
            match letter {
                ' ' | '\t' => self.at += 1,
                ';' | '\n' | '&' | '|' | ')' | '<' | '>' | '(' => break,
                _ => {
                    let (atoms, is_quoted, _) = self.read_atoms();
                    for word in words(&atoms, is_quoted).unwrap_or_default() {
                        is_known &= word.is_known;
                        values.push(word.text);
                    }
                }
            }
        }
        let listed = values.first().is_some_and(|word| word == "in");
        let values = values.get(1..).unwrap_or_default();
        // Blanks between them split where the name is used, so that each is seen.
        let value = (listed && is_known).then(|| values.join(" "));
        self.state.variables.insert(name, value);
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
    }
}

/// `NAME=value` before a program.
fn assignment(word: &Word) -> Option<(String, Word)> {
    let (name, value) = word.text.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split('[').next().unwrap_or(name);
    let begins = name
        .chars()
        .next()
        .is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '_');
    let is_name = begins
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let value = Word {
        text: value.to_owned(),
        ..word.clone()
    };
    is_name.then(|| (name.to_owned(), value))
}
