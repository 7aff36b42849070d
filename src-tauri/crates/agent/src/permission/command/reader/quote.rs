//! The letters of one word: quotes and escapes undone.

use super::Reader;
use crate::permission::command::word::Atom;

impl Reader<'_, '_> {
    /// Reads up to the end of a word. Says with it whether any of it was quoted, and whether it
    /// stands for what another command writes.
    pub(super) fn read_atoms(&mut self) -> (Vec<Atom>, bool, bool) {
        let mut atoms = Vec::new();
        let (mut is_quoted, mut is_pipe) = (false, false);
        while let Some(letter) = self.peek() {
            match letter {
                ' ' | '\t' | '\n' | ';' | '|' | '&' | ')' => break,
                '(' => break,
                '<' | '>' if self.peek_at(1) == Some('(') && atoms.is_empty() => {
                    self.at += 2;
                    self.read_nested();
                    atoms.push(Atom::Unknown);
                    is_pipe = true;
                }
                '<' | '>' => break,
                escape if escape == self.state.escape => {
                    self.next();
                    match self.next() {
                        Some('\n') | None => {}
                        Some('\r') if self.peek() == Some('\n') => {
                            self.next();
                        }
                        Some(letter) => {
                            is_quoted = true;
                            atoms.push(Atom::quoted(letter));
                        }
                    }
                }
                '\'' => {
                    is_quoted = true;
                    self.next();
                    self.read_single(&mut atoms);
                }
                '"' => {
                    is_quoted = true;
                    self.next();
                    self.read_double(&mut atoms);
                }
                '$' if self.peek_at(1) == Some('\'') => {
                    is_quoted = true;
                    self.at += 2;
                    self.read_escaped(&mut atoms);
                }
                '$' if self.peek_at(1) == Some('"') => {
                    is_quoted = true;
                    self.at += 2;
                    self.read_double(&mut atoms);
                }
                '$' | '`' => {
                    let before = atoms.len();
                    self.read_expansion(&mut atoms, false);
                    // What a variable holds is not taken for steering words or assignments.
                    is_quoted |= atoms.len() > before;
                }
                letter => {
                    self.next();
                    atoms.push(Atom::bare(letter));
                }
            }
        }
        (atoms, is_quoted, is_pipe)
    }

    fn read_single(&mut self, atoms: &mut Vec<Atom>) {
        loop {
            match self.next() {
                Some('\'') => return,
                Some(letter) => atoms.push(Atom::quoted(letter)),
                None => return self.state.concerns.unclear("a quote that is not closed"),
            }
        }
    }

    fn read_double(&mut self, atoms: &mut Vec<Atom>) {
        loop {
            match self.peek() {
                Some('"') => {
                    self.next();
                    return;
                }
                Some(escape) if escape == self.state.escape => self.read_double_escape(atoms),
                Some('$' | '`') => self.read_expansion(atoms, true),
                Some(letter) => {
                    self.next();
                    atoms.push(Atom::quoted(letter));
                }
                None => return self.state.concerns.unclear("a quote that is not closed"),
            }
        }
    }

    fn read_double_escape(&mut self, atoms: &mut Vec<Atom>) {
        self.next();
        match self.next() {
            Some('\n') | None => {}
            Some(letter @ ('$' | '`' | '"' | '\\')) => atoms.push(Atom::quoted(letter)),
            Some(letter) => {
                atoms.push(Atom::quoted(self.state.escape));
                atoms.push(Atom::quoted(letter));
            }
        }
    }

    /// A text in which variables and commands are put in, as in a body that follows.
    pub(super) fn read_substituted(&mut self) -> Vec<Atom> {
        let mut atoms = Vec::new();
        while let Some(letter) = self.peek() {
            match letter {
                '\\' => self.read_double_escape(&mut atoms),
                '$' | '`' => self.read_expansion(&mut atoms, true),
                letter => {
                    self.next();
                    atoms.push(Atom::quoted(letter));
                }
            }
        }
        atoms
    }

    /// `$'…'`: letters by name and number.
    fn read_escaped(&mut self, atoms: &mut Vec<Atom>) {
        loop {
            match self.next() {
                Some('\'') => return,
                Some('\\') => match self.next() {
                    Some(letter) => {
                        let named = self.named(letter);
                        atoms.extend(named.map(Atom::quoted));
                    }
                    None => return self.state.concerns.unclear("a quote that is not closed"),
                },
                Some(letter) => atoms.push(Atom::quoted(letter)),
                None => return self.state.concerns.unclear("a quote that is not closed"),
            }
        }
    }

    fn named(&mut self, letter: char) -> Option<char> {
        match letter {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'e' | 'E' => Some('\u{1b}'),
            'f' => Some('\u{c}'),
            'v' => Some('\u{b}'),
            'x' => self.numbered(16, 2, 0),
            'u' => self.numbered(16, 4, 0),
            'U' => self.numbered(16, 8, 0),
            'c' => self.next().map(|_| '\u{1}'),
            '0'..='7' => self.numbered(8, 2, letter.to_digit(8).unwrap_or(0)),
            other => Some(other),
        }
    }

    fn numbered(&mut self, base: u32, most: usize, first: u32) -> Option<char> {
        let mut number = first;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|letter| letter.to_digit(base)) else {
                break;
            };
            self.next();
            number = number.saturating_mul(base).saturating_add(digit);
        }
        char::from_u32(number)
    }
}
