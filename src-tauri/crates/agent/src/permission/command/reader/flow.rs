//! What flows into and out of commands: files, texts in the line, pipes, and all of these for groups
//! of commands. Whatever reaches a group counts as reaching each of its commands.

use std::ops::Range;

use super::super::interpret;
use super::super::line::{File, Simple};
use super::super::word::{Atom, Word, words};
use super::Reader;

/// A text that follows at the next line.
pub(super) struct Body {
    end: String,
    is_quoted: bool,
    is_indented: bool,
    /// The group that reads it, if it is not one command.
    group: Option<Range<usize>>,
}

/// Commands in brackets, in a loop or in a choice.
pub(super) struct Group {
    /// The number of its first command.
    first: usize,
    /// The commands whose output all of its commands may read.
    fed_by: Option<Range<usize>>,
}

impl Reader<'_, '_> {
    pub(super) fn open_group(&mut self) {
        let piped = self.piped.take();
        if !self.is_between_commands() {
            self.end_command(false);
        }
        let around = self.groups.last().and_then(|group| group.fed_by.clone());
        self.groups.push(Group {
            first: self.state.commands.len(),
            fed_by: piped.or(around),
        });
    }

    pub(super) fn close_group(&mut self) {
        let first = self.groups.pop().map(|group| group.first);
        self.closed = first.map(|first| first..self.state.commands.len());
    }

    fn is_between_commands(&self) -> bool {
        let Simple {
            words,
            variables,
            files,
            ..
        } = &self.command;
        words.is_empty() && variables.is_empty() && files.is_empty()
    }

    /// The group that a file or a text belongs to that stands right behind it.
    fn group_before(&self) -> Option<Range<usize>> {
        let is_behind = self.command.words.is_empty() && self.command.variables.is_empty();
        self.closed.clone().filter(|_| is_behind)
    }

    /// Gives a text, or one that nobody knows, to all commands of a group.
    fn feed(&mut self, group: Range<usize>, text: Option<&str>) {
        for number in group {
            let Some(command) = self.state.commands.get_mut(number) else {
                return;
            };
            if command.input.is_none() {
                command.input = text.map(str::to_owned);
            }
            let mut command = command.clone();
            if command.input.is_none() {
                command.feeders.push(number);
            }
            interpret::input(&command, self.state);
        }
    }

    /// Reads `>file`, `<<END` and their like, from the sign on.
    pub(super) fn read_file(&mut self) {
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
                group: self.group_before(),
            }),
            "<<<" => {
                let text = path.is_known.then_some(path.text);
                match self.group_before() {
                    Some(group) => self.feed(group, text.as_deref()),
                    None => self.command.input = text,
                }
            }
            _ if sign.ends_with('&') && is_descriptor_number(&path.text) => {}
            _ if path.is_pipe => {}
            _ => {
                let is_written = sign.contains('>');
                if let Some(group) = self.group_before().filter(|_| !is_written) {
                    self.feed(group, None);
                }
                self.command.files.push(File { path, is_written });
            }
        }
    }

    /// The lines up to the end word are the input of the command that named it.
    pub(super) fn read_bodies(&mut self) {
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
            self.give_body(&text, body);
        }
    }

    fn give_body(&mut self, text: &str, body: Body) {
        let mut whole = Some(text.to_owned());
        if !body.is_quoted && text.contains(['$', '`']) {
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
        if let Some(group) = body.group {
            return self.feed(group, whole.as_deref());
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

    pub(super) fn end_command(&mut self, is_pipe: bool) {
        let is_empty = self.is_between_commands();
        let mut command = std::mem::take(&mut self.command);
        let (piped, closed) = (self.piped.take(), self.closed.take());
        self.is_function_next = false;
        if is_empty {
            self.piped = closed.filter(|_| is_pipe);
            return;
        }
        let around = self.groups.last().and_then(|group| group.fed_by.clone());
        let is_piped = piped.is_some();
        if let Some(before) = piped.or(around) {
            if command.input.is_none() {
                command.input = self.put_out_by(before.clone());
            }
            command.feeders.extend(before);
        }
        command.feeders.extend(closed.into_iter().flatten());
        self.judge_function(&command, is_piped);
        let number = self.state.take(command);
        self.piped = is_pipe.then_some(number..number + 1);
    }

    /// What is known to come out of these commands, all together. What one of them gives to another
    /// does not come out.
    fn put_out_by(&self, before: Range<usize>) -> Option<String> {
        let commands = self.state.commands.get(before.clone())?;
        let goes_on = |number| commands.iter().any(|it| it.feeders.contains(&number));
        before
            .zip(commands)
            .enumerate()
            .filter(|(at, (number, command))| (*at == 0 || !command.is_inner) && !goes_on(*number))
            .map(|(_, (_, command))| command.output.as_deref())
            .collect()
    }

    fn judge_function(&mut self, command: &Simple, is_piped: bool) {
        if !self.state.functions.contains(&command.program()) {
            return;
        }
        let reads_file = command.files.iter().any(|file| !file.is_written);
        let concerns = &mut self.state.concerns;
        if is_piped {
            concerns.forbid("a command that starts itself without end");
        } else if command.input.is_some() || reads_file || !command.feeders.is_empty() {
            concerns.unclear("a text that is given to a function");
        }
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
