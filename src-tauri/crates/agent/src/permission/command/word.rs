//! Words of a shell line: what is known of them once quotes, escapes and variables are undone.

/// The most ways that one word's braces and lists are opened into.
const MOST_WAYS: usize = 64;

/// One letter of a word, or a place of it that can't be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// A letter; bare ones can still be a wildcard, a brace or, from a variable, a blank.
    Letter {
        /// Which.
        letter: char,
        /// Whether it stood outside quotes.
        is_bare: bool,
    },
    /// Something that only running would show.
    Unknown,
}

impl Atom {
    pub(super) fn quoted(letter: char) -> Self {
        Self::Letter {
            letter,
            is_bare: false,
        }
    }

    pub(super) fn bare(letter: char) -> Self {
        Self::Letter {
            letter,
            is_bare: true,
        }
    }

    fn is_bare(self, wanted: char) -> bool {
        self == Self::bare(wanted)
    }
}

/// A word as the program would get it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text, without the places that can't be told.
    pub(crate) text: String,
    /// Whether that is all of it.
    pub(crate) is_known: bool,
    /// Whether it has wildcards that the shell opens.
    pub(crate) is_open: bool,
    /// Whether any of it was quoted or escaped.
    pub(crate) is_quoted: bool,
    /// Whether it stands for what another command writes, as `<(…)` does.
    pub(crate) is_pipe: bool,
}

impl Word {
    /// A word that is what it says.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            is_known: true,
            ..Self::default()
        }
    }

    /// A word of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self::default()
    }
}

/// The words that a written word becomes: braces opened, blanks from variables split.
pub(super) fn words(atoms: &[Atom], is_quoted: bool) -> Option<Vec<Word>> {
    let mut ways = Vec::new();
    open_braces(atoms.to_vec(), &mut ways, 0)?;
    let mut words = Vec::new();
    for way in ways {
        let is_blank = |atom: &Atom| matches!(atom, Atom::Letter { letter, is_bare: true } if letter.is_whitespace());
        let pieces = way.split(is_blank).filter(|piece| !piece.is_empty());
        words.extend(pieces.map(|piece| word(piece, is_quoted)));
    }
    if words.is_empty() && is_quoted {
        words.push(Word {
            is_quoted: true,
            ..Word::plain("")
        });
    }
    Some(words)
}

fn word(atoms: &[Atom], is_quoted: bool) -> Word {
    let mut word = Word {
        is_quoted,
        ..Word::plain("")
    };
    for atom in atoms {
        match *atom {
            Atom::Letter { letter, is_bare } => {
                word.text.push(letter);
                word.is_open |= is_bare && matches!(letter, '*' | '?' | '[');
            }
            Atom::Unknown => word.is_known = false,
        }
    }
    word
}

/// Opens the first braces and goes on with each way that it becomes.
fn open_braces(atoms: Vec<Atom>, ways: &mut Vec<Vec<Atom>>, depth: usize) -> Option<()> {
    if depth > 16 || ways.len() >= MOST_WAYS {
        return None;
    }
    let Some((from, to, choices)) = first_braces(&atoms) else {
        ways.push(atoms);
        return Some(());
    };
    if choices.len() > MOST_WAYS {
        return None;
    }
    let (before, after) = (atoms.get(..from)?, atoms.get(to + 1..)?);
    for choice in choices {
        open_braces([before, &choice, after].concat(), ways, depth + 1)?;
    }
    Some(())
}

/// Where the first braces with a choice begin and end, and what there is to choose from.
fn first_braces(atoms: &[Atom]) -> Option<(usize, usize, Vec<Vec<Atom>>)> {
    // Each opening brace is looked at from the inside out, so that none is read twice.
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    for (at, atom) in atoms.iter().enumerate() {
        if atom.is_bare('{') {
            open.push((at, Vec::new()));
        } else if atom.is_bare(',') {
            if let Some((_, commas)) = open.last_mut() {
                commas.push(at);
            }
        } else if atom.is_bare('}')
            && let Some((from, commas)) = open.pop()
        {
            let inner = atoms.get(from + 1..at)?;
            if !commas.is_empty() {
                let mut choices = Vec::new();
                let mut begin = from + 1;
                for comma in commas.into_iter().chain([at]) {
                    choices.push(atoms.get(begin..comma)?.to_vec());
                    begin = comma + 1;
                }
                return Some((from, at, choices));
            }
            if let Some(choices) = range(inner) {
                return Some((from, at, choices));
            }
        }
    }
    None
}

/// `{a..e}` and `{1..9}`.
fn range(inner: &[Atom]) -> Option<Vec<Vec<Atom>>> {
    let text: String = inner
        .iter()
        .map(|atom| match atom {
            Atom::Letter { letter, .. } => *letter,
            Atom::Unknown => '\0',
        })
        .collect();
    let (from, to) = text.split_once("..")?;
    let spelled = |text: String| text.chars().map(Atom::bare).collect();
    if let (Ok(from), Ok(to)) = (from.parse::<u32>(), to.parse::<u32>()) {
        let (low, high) = (from.min(to), from.max(to));
        // A long row of numbers is judged by its ends.
        return Some(match high - low < 32 {
            true => (low..=high)
                .map(|number| spelled(number.to_string()))
                .collect(),
            false => [low, high]
                .map(|number| spelled(number.to_string()))
                .to_vec(),
        });
    }
    let letter = |text: &str| {
        let mut letters = text.chars();
        letters
            .next()
            .filter(|letter| letter.is_ascii() && letters.next().is_none())
    };
    let (from, to) = (letter(from)?, letter(to)?);
    let row = from.min(to)..=from.max(to);
    Some(row.map(|letter| spelled(letter.to_string())).collect())
}

#[cfg(test)]
mod tests {
    use super::{Atom, words};

    fn opened(text: &str) -> Option<Vec<String>> {
        let atoms: Vec<Atom> = text.chars().map(Atom::bare).collect();
        let words = words(&atoms, false)?;
        Some(words.into_iter().map(|word| word.text).collect())
    }

    #[test]
    fn braces_open_into_each_choice() {
        let table: [(&str, &[&str]); 7] = [
            ("a{b,c}d", &["abd", "acd"]),
            // From the inside out, so that some come twice.
            ("{a,{b,c}}", &["a", "b", "a", "c"]),
            ("{1..3}", &["1", "2", "3"]),
            ("{c..a}", &["a", "b", "c"]),
            ("{a}", &["{a}"]),
            ("{a,b", &["{a,b"]),
            ("a b", &["a", "b"]),
        ];
        for (text, wanted) in table {
            assert_eq!(opened(text).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn too_many_choices_are_none() {
        assert_eq!(opened(&"{a,b}".repeat(12)), None);
        let letters = (0..100).map(|_| "a").collect::<Vec<_>>().join(",");
        assert_eq!(opened(&format!("{{{letters}}}")), None);
    }
}
