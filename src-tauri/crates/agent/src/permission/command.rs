//! Judges a command line by what it would really start.
//!
//! The line is read as a shell reads it ([`reader`]), down to simple commands with quotes, variables,
//! decoders and wrappers undone ([`unwrap`], [`output`]); tables then say which of them are forbidden,
//! dangerous or harmless ([`danger`], [`known`]), and which files they touch ([`files`]). What can't be
//! told is unclear, and is asked. Reading takes time in proportion to the line and never fails.

mod danger;
mod files;
mod interpret;
mod known;
mod line;
mod option;
mod output;
mod reader;
mod ruin;
mod state;
mod unwrap;
mod windows;
mod word;

pub(crate) use files::Use;
pub(crate) use line::Simple;

use super::Shell;
use super::place::{Ground, hides_something};
use state::State;

/// The longest line that is read.
const LONGEST: usize = 32 * 1024;

/// What speaks against a line, the worst kept of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Concerns {
    /// Why no mode allows it.
    pub(crate) forbidden: Option<String>,
    /// What harm it can do.
    pub(crate) dangerous: Option<String>,
    /// What can't be told.
    pub(crate) unclear: Option<String>,
    /// Whether a variable is put in that is named like a secret.
    pub(crate) names_secret: bool,
}

impl Concerns {
    pub(crate) fn forbid(&mut self, why: impl Into<String>) {
        self.forbidden.get_or_insert_with(|| why.into());
    }

    pub(crate) fn danger(&mut self, what: impl Into<String>) {
        self.dangerous.get_or_insert_with(|| what.into());
    }

    pub(crate) fn unclear(&mut self, what: impl Into<String>) {
        self.unclear.get_or_insert_with(|| what.into());
    }
}

/// What is known of a line.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// What speaks against it.
    pub(crate) concerns: Concerns,
    /// The files it evidently touches.
    pub(crate) uses: Vec<Use>,
    /// Each command it would start, for the rules.
    pub(crate) commands: Vec<Simple>,
    /// Whether it only looks, as far as the commands are known.
    pub(crate) only_looks: bool,
}

/// Judges a line that would run in a folder.
pub(crate) fn judge(text: &str, shell: Shell, ground: Ground<'_>) -> Judged {
    let mut state = State::new(ground.folder, shell);
    if text.len() > LONGEST {
        state
            .concerns
            .unclear("a command that is too long to be judged");
    } else {
        note_tricks(text, &mut state.concerns);
        state.read(text);
        windows::judge(text, shell, &mut state.concerns);
    }
    let State {
        commands,
        mut concerns,
        ..
    } = state;
    for command in &commands {
        danger::judge(command, &commands, &mut concerns);
    }
    let uses = files::uses(&commands, ground, &mut concerns);
    danger::judge_together(&commands, &uses, &mut concerns);
    let only_looks = !commands.is_empty() && commands.iter().all(known::only_looks);
    Judged {
        concerns,
        uses,
        commands,
        only_looks,
    }
}

/// Letters that make a line look like another one.
fn note_tricks(text: &str, concerns: &mut Concerns) {
    if hides_something(text) {
        concerns.unclear("invisible characters");
    }
    let is_control = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t' | '\r');
    let has_lone_return = text.replace("\r\n", "\n").contains('\r');
    if text.chars().any(is_control) || has_lone_return {
        concerns.unclear("control characters");
    }
    if text
        .split(|letter: char| !letter.is_alphanumeric())
        .any(is_mixed)
    {
        concerns.unclear("letters that look like others");
    }
}

/// Whether a word has Latin letters beside Greek, Cyrillic, wide or mathematical ones.
pub(crate) fn is_mixed(word: &str) -> bool {
    let is_double = |letter: char| {
        matches!(letter,
            '\u{0370}'..='\u{03FF}' | '\u{0400}'..='\u{052F}' | '\u{13A0}'..='\u{13FF}'
            | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}' | '\u{1D400}'..='\u{1D7FF}')
    };
    let has_double = word.chars().any(is_double);
    let is_wide = |letter: char| matches!(letter, '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}' | '\u{1D400}'..='\u{1D7FF}');
    has_double
        && (word.chars().any(|letter| letter.is_ascii_alphabetic()) || word.chars().any(is_wide))
}
