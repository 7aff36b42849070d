//! What stands after a `$` or between backquotes: variables, and what other commands write.

use super::Reader;
use crate::permission::command::word::Atom;

impl Reader<'_, '_> {
    /// Reads one expansion, from its `$` or backquote on.
    pub(super) fn read_expansion(&mut self, atoms: &mut Vec<Atom>, is_quoted: bool) {
        if self.next() == Some('`') {
            return self.read_backquoted(atoms, is_quoted);
        }
        match self.peek() {
            Some('(') if self.peek_at(1) == Some('(') => {
                self.at += 2;
                self.skip_arithmetic();
                atoms.push(Atom::Unknown);
            }
            Some('(') => {
                self.next();
                let output = self.read_nested();
                put(atoms, output, is_quoted);
            }
            Some('{') => {
                self.next();
                self.read_braced(atoms, is_quoted);
            }
            Some('[') => atoms.push(Atom::Unknown),
            Some(letter) if letter.is_ascii_alphabetic() || letter == '_' => {
                let name = self.read_name();
                let is_windows = name.eq_ignore_ascii_case("env") && self.peek() == Some(':');
                let name = match is_windows {
                    true => {
                        self.next();
                        self.read_name()
                    }
                    false => name,
                };
                let value = self.value_of(&name);
                put(atoms, value, is_quoted);
            }
            // Without arguments these are empty, and are put into names to hide them.
            Some('@' | '*') => {
                self.next();
                if self.state.variables.contains_key("@") {
                    atoms.push(Atom::Unknown);
                }
            }
            Some(letter) if letter.is_ascii_digit() || "?!$#-".contains(letter) => {
                self.next();
                atoms.push(Atom::Unknown);
            }
            _ => atoms.push(Atom::quoted('$')),
        }
    }

    fn read_name(&mut self) -> String {
        let mut name = String::new();
        while let Some(letter) = self
            .peek()
            .filter(|it| it.is_ascii_alphanumeric() || *it == '_')
        {
            name.push(letter);
            self.next();
        }
        name
    }

    /// A variable's value; none if it can't be told.
    fn value_of(&mut self, name: &str) -> Option<String> {
        if let Some(value) = self.state.variables.get(name) {
            let value = value.clone();
            let length = value.as_ref().map_or(0, String::len);
            return value.filter(|_| self.state.spend(length));
        }
        self.state.concerns.names_secret |= is_secret_name(name);
        match name.to_ascii_uppercase().as_str() {
            "HOME" | "USERPROFILE" => Some("~".to_owned()),
            "APPDATA" => Some("~/AppData/Roaming".to_owned()),
            "LOCALAPPDATA" => Some("~/AppData/Local".to_owned()),
            "PWD" => self.state.folder.clone(),
            "IFS" => Some(" ".to_owned()),
            _ => None,
        }
    }

    /// `${…}`: a plain name, or a name with something done to it.
    fn read_braced(&mut self, atoms: &mut Vec<Atom>, is_quoted: bool) {
        let name = self.read_name();
        match self.peek() {
            Some('}') => {
                self.next();
                let value = self.value_of(&name);
                return put(atoms, value, is_quoted);
            }
            Some(':') if name.eq_ignore_ascii_case("env") => {
                self.next();
                return self.read_braced(atoms, is_quoted);
            }
            _ => {}
        }
        // What is done to it is not followed; commands inside it are.
        atoms.push(Atom::Unknown);
        let mut open = 1_usize;
        while let Some(letter) = self.peek() {
            match letter {
                '$' | '`' => {
                    let mut inner = Vec::new();
                    self.read_expansion(&mut inner, true);
                    continue;
                }
                '{' => open += 1,
                '}' => open -= 1,
                '\\' => {
                    self.next();
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

    fn read_backquoted(&mut self, atoms: &mut Vec<Atom>, is_quoted: bool) {
        let mut inner = String::new();
        loop {
            match self.next() {
                Some('`') => break,
                Some('\\') => match self.next() {
                    Some(letter @ ('`' | '\\' | '$')) => inner.push(letter),
                    Some(letter) => {
                        inner.push('\\');
                        inner.push(letter);
                    }
                    None => break,
                },
                Some(letter) => inner.push(letter),
                None => {
                    self.state.concerns.unclear("a quote that is not closed");
                    break;
                }
            }
        }
        let range = self.state.read(&inner);
        let output = self.output_of(range);
        put(atoms, output, is_quoted);
    }

    /// Reads a command up to its closing bracket and says what it would write.
    pub(super) fn read_nested(&mut self) -> Option<String> {
        let from = self.state.commands.len();
        if self.state.depth >= crate::permission::command::state::DEEPEST {
            self.state.concerns.unclear("commands nested too deep");
            self.at = self.letters.len();
            return None;
        }
        self.state.depth += 1;
        let mut inner = Reader::new(self.letters, self.at, self.state);
        inner.read(true);
        self.at = inner.at;
        self.state.depth -= 1;
        let range = from..self.state.commands.len();
        self.output_of(range)
    }

    fn output_of(&mut self, range: std::ops::Range<usize>) -> Option<String> {
        let found = self.state.commands.get(range.clone()).unwrap_or_default();
        let outer: Vec<_> = found.iter().filter(|command| !command.is_inner).collect();
        // Of a pipe the last one speaks; of several commands each would.
        let is_one_pipe = outer
            .iter()
            .skip(1)
            .all(|command| !command.feeders.is_empty());
        let output = outer.last().and_then(|command| command.output.clone());
        self.command.feeders.extend(range);
        output
            .filter(|_| is_one_pipe)
            .map(|text| text.trim_end_matches('\n').to_owned())
    }
}

/// Whether a variable's name ends in a word for a secret.
fn is_secret_name(name: &str) -> bool {
    const SECRETS: &[&str] = &[
        "KEY",
        "TOKEN",
        "SECRET",
        "PASSWORD",
        "PASSWD",
        "PASSPHRASE",
        "CREDENTIALS",
        "APIKEY",
        "PAT",
    ];
    let last = name.rsplit('_').next().unwrap_or_default();
    SECRETS.contains(&last.to_ascii_uppercase().as_str())
}

fn put(atoms: &mut Vec<Atom>, value: Option<String>, is_quoted: bool) {
    match value {
        Some(value) if is_quoted => atoms.extend(value.chars().map(Atom::quoted)),
        Some(value) => atoms.extend(value.chars().map(Atom::bare)),
        None => atoms.push(Atom::Unknown),
    }
}
