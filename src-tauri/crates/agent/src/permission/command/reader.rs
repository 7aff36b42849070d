//! Reads a line as a POSIX shell does, and says what it would start.
//!
//! Control flow makes no difference here: whatever might be run counts as run. Nothing the reader
//! meets is an error; what it can't tell is said to be unclear, and is then asked.

mod expansion;
mod quote;

use super::interpret;
use super::line::{File, Simple};
use super::state::State;
use super::word::{Atom, Word, words};

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
    /// The command before the last `|`.
    piped: Option<usize>,
    /// Bodies that follow at the next line, by their end word.
    bodies: Vec<Body>,
    is_in_case: bool,
    is_function_next: bool,
}

struct Body {
    end: String,
    is_quoted: bool,
    is_indented: bool,
}

impl<'text, 'state> Reader<'text, 'state> {
    fn new(letters: &'text [char], at: usize, state: &'state mut State) -> Self {
        Self {
            letters,
            at,
            state,
            command: Simple::default(),
            piped: None,
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
                        self.end_command(false);
                        open += 1;
                    }
                }
                ')' => {
                    self.next();
                    self.end_command(false);
                    match open {
                        0 if ends_at_bracket => return,
                        0 => {}
                        _ => open -= 1,
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
            "for" | "select" => self.read_loop(),
            "case" => {
                self.is_in_case = true;
                if self.state.depth > 1 {
                    self.state
                        .concerns
                        .unclear("a choice inside a substitution");
                }
                return false;
            }
            "function" => self.is_function_next = true,
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

    /// Reads `>file`, `<<END` and their like, from the sign on.
    fn read_file(&mut self) {
        let mut sign = String::new();
        while let Some(letter) = self
            .peek()
            .filter(|letter| matches!(letter, '<' | '>' | '&' | '|' | '-'))
        {
            if letter == '-' && sign != "<<" {
                break;
            }
            sign.push(letter);
            self.next();
            if sign.len() == 3 {
                break;
            }
        }
        self.skip_blanks();
        let (atoms, is_quoted, is_pipe) = self.read_atoms();
        let read = words(&atoms, is_quoted).unwrap_or_default();
        let mut path = match read.as_slice() {
            [path] => path.clone(),
            // A text that is handed on is not split.
            several if sign == "<<<" && several.iter().all(|word| word.is_known) => {
                let texts: Vec<&str> = several.iter().map(|word| word.text.as_str()).collect();
                Word::plain(texts.join(" "))
            }
            _ => Word::unknown(),
        };
        path.is_pipe = is_pipe;
        match sign.as_str() {
            "<<" | "<<-" => self.bodies.push(Body {
                end: path.text,
                is_quoted,
                is_indented: sign == "<<-",
            }),
            "<<<" => self.command.input = path.is_known.then_some(path.text),
            _ if sign.ends_with('&') && is_descriptor_number(&path.text) => {}
            _ if path.is_pipe => {}
            _ => self.command.files.push(File {
                path,
                is_written: sign.contains('>'),
            }),
        }
    }

    /// The lines up to the end word are the input of the command that named it.
    fn read_bodies(&mut self) {
        for body in std::mem::take(&mut self.bodies) {
            let mut text = String::new();
            let mut is_ended = false;
            while self.at < self.letters.len() {
                let mut line = String::new();
                while let Some(letter) = self.next().filter(|letter| *letter != '\n') {
                    line.push(letter);
                }
                let bare = match body.is_indented {
                    true => line.trim_start_matches('\t'),
                    false => &line,
                };
                if bare == body.end {
                    is_ended = true;
                    break;
                }
                text.push_str(bare);
                text.push('\n');
            }
            if !is_ended {
                self.state
                    .concerns
                    .unclear("a text in the line that has no end");
            }
            self.give_body(&text, body.is_quoted);
        }
    }

    fn give_body(&mut self, text: &str, is_quoted: bool) {
        let mut whole = Some(text.to_owned());
        if !is_quoted && text.contains(['$', '`']) {
            let letters: Vec<char> = text.chars().collect();
            let atoms = Reader::new(&letters, 0, self.state).read_substituted();
            whole = atoms
                .iter()
                .map(|atom| match atom {
                    Atom::Letter { letter, .. } => Some(*letter),
                    Atom::Unknown => None,
                })
                .collect();
        }
        // The command was taken in at the end of its line, before its body was there.
        let Some(number) = self.state.commands.len().checked_sub(1) else {
            return;
        };
        let waiting = self
            .state
            .commands
            .iter()
            .rposition(|command| !command.is_inner);
        let number = waiting.unwrap_or(number);
        let Some(command) = self.state.commands.get_mut(number) else {
            return;
        };
        command.input = whole;
        let command = command.clone();
        interpret::input(&command, self.state);
    }

    fn end_command(&mut self, is_pipe: bool) {
        let mut command = std::mem::take(&mut self.command);
        let piped = self.piped.take();
        self.is_function_next = false;
        if command.words.is_empty() && command.variables.is_empty() && command.files.is_empty() {
            // A group's output goes on: what was before it feeds what comes after it.
            self.piped = is_pipe
                .then(|| self.state.commands.len().checked_sub(1))
                .flatten();
            return;
        }
        if let Some(before) = piped {
            command.feeders.push(before);
            if command.input.is_none() {
                command.input = self
                    .state
                    .commands
                    .get(before)
                    .and_then(|it| it.output.clone());
            }
        }
        if self.state.functions.contains(&command.program()) && piped.is_some() {
            self.state
                .concerns
                .forbid("a command that starts itself without end");
        }
        let number = self.state.take(command);
        self.piped = is_pipe.then_some(number);
    }
}

fn is_descriptor_number(text: &str) -> bool {
    text == "-"
        || (!text.is_empty()
            && text
                .trim_end_matches('-')
                .chars()
                .all(|letter| letter.is_ascii_digit()))
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
