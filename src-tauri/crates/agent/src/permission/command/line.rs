//! What a shell line comes down to: simple commands, each with its words, files and what feeds it.

use super::word::Word;

/// One program with its arguments, as it would be started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simple {
    /// The program and its arguments.
    pub(crate) words: Vec<Word>,
    /// The variables set for it, by name.
    pub(crate) variables: Vec<(String, Word)>,
    /// The files it is connected to.
    pub(crate) files: Vec<File>,
    /// What it reads on its standard input, where that is known.
    pub(crate) input: Option<String>,
    /// The commands whose output it gets, by their number in the line.
    pub(crate) feeders: Vec<usize>,
    /// Whether it runs with the rights of the system's administrator.
    pub(crate) is_root: bool,
    /// The folder it runs in; none if that can't be told.
    pub(crate) folder: Option<String>,
    /// What it writes, where that is known.
    pub(crate) output: Option<String>,
    /// Whether it was found inside another command (`sudo`, `sh -c`) rather than in the line.
    pub(crate) is_inner: bool,
    /// Whether it goes on behind the next one (`&`).
    pub(crate) is_behind: bool,
}

/// A file that a command's input or output is connected to.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// Which.
    pub(crate) path: Word,
    /// Whether it is written.
    pub(crate) is_written: bool,
}

impl Simple {
    /// The program's name as it is written, without folders, case and Windows endings.
    pub(crate) fn program(&self) -> String {
        let Some(first) = self.words.first() else {
            return String::new();
        };
        program_name(&first.text)
    }

    /// The arguments.
    pub(crate) fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Whether any argument is exactly one of these.
    pub(crate) fn has(&self, wanted: &[&str]) -> bool {
        self.arguments()
            .iter()
            .any(|word| wanted.contains(&word.text.as_str()))
    }

    /// Whether a short option is given, alone (`-r`) or with others (`-rf`).
    pub(crate) fn has_flag(&self, letter: char) -> bool {
        self.arguments().iter().any(|word| {
            let flags = word.text.strip_prefix('-').unwrap_or_default();
            !flags.starts_with('-') && flags.contains(letter)
        })
    }

    /// The arguments that are no options, in order.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Word> {
        let mut all_operands = false;
        self.arguments().iter().filter(move |word| {
            if all_operands {
                return true;
            }
            if word.text == "--" {
                all_operands = true;
                return false;
            }
            !word.text.starts_with('-') || word.text == "-"
        })
    }

    /// The first argument that is no option: what `git` and its like are to do.
    pub(crate) fn verb(&self) -> &str {
        self.operands().next().map_or("", |word| word.text.as_str())
    }
}

/// A program's name without folders, case and Windows endings.
pub(crate) fn program_name(text: &str) -> String {
    let name = text
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(text)
        .to_lowercase();
    let bare = [".exe", ".com", ".cmd", ".bat", ".ps1"]
        .into_iter()
        .find_map(|ending| name.strip_suffix(ending));
    bare.unwrap_or(&name).to_owned()
}
