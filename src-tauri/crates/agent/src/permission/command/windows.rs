//! Windows' own ways of hiding a command, told from the text alone.
//!
//! Words of Windows' shells that read like a POSIX line are judged like one (`iex`, `del`, `reg`); what
//! is left are letters hidden behind `^` and `` ` ``, strings put together, and encoded commands.

use super::Concerns;
use crate::permission::Shell;

/// Pieces that put a command together where nobody sees it.
const BUILDING: &[&str] = &[
    "invoke-expression",
    "frombase64string",
    "[char]",
    "-join",
    "downloadstring",
    "downloadfile",
    ".invoke(",
    "[scriptblock]",
    "get-content|iex",
    "start-bitstransfer",
    "reflection.assembly",
    "add-type",
];
/// What is never run, in whatever letters.
const RUIN: &[(&[&str], &str)] = &[
    (
        &["remove-item", "-rec", "c:\\"],
        "the system, the home folder and whole disks are never removed or overwritten",
    ),
    (
        &["del", "/s", "c:\\"],
        "the system, the home folder and whole disks are never removed or overwritten",
    ),
    (
        &["rd", "/s", "c:\\"],
        "the system, the home folder and whole disks are never removed or overwritten",
    ),
    (
        &["rmdir", "/s", "c:\\"],
        "the system, the home folder and whole disks are never removed or overwritten",
    ),
    (
        &["disablerealtimemonitoring"],
        "the computer's protection is never switched off",
    ),
    (
        &["amsiutils"],
        "the computer's protection is never switched off",
    ),
    (&["%0|%0"], "a command that starts itself without end"),
];

/// Judges a line as Windows' shells would read it.
pub(super) fn judge(text: &str, shell: Shell, concerns: &mut Concerns) {
    let plain: String = text
        .chars()
        .filter(|letter| !matches!(letter, '^' | '`' | '"' | '\''))
        .flat_map(char::to_lowercase)
        .collect();
    // `& (…)` and `. (…)` start whatever the brackets come to.
    let calls = plain.contains("&(")
        || plain.contains("& (")
        || plain.contains("& $")
        || plain.contains(". (");
    if shell == Shell::PowerShell && calls {
        concerns.unclear("a program whose name can't be told");
    }
    let has_windows_path = plain.contains(":\\");
    for (pieces, why) in RUIN {
        let words: Vec<&str> = plain.split_whitespace().collect();
        let is_there = |piece: &&str| match piece.ends_with('\\') {
            // Only the drive itself: what lies deep inside is a named folder.
            true => words.iter().any(|word| {
                let rest = word.strip_prefix(*piece);
                rest.is_some_and(|rest| rest.matches('\\').count() == 0)
            }),
            false => words
                .iter()
                .any(|word| word.starts_with(*piece) || word.contains(*piece) && piece.len() > 4),
        };
        if pieces.iter().all(is_there) {
            concerns.forbid(*why);
        }
    }
    if BUILDING.iter().any(|piece| plain.contains(piece)) {
        concerns.unclear("a command that is put together on the way");
    }
    let is_hidden = text.split_whitespace().any(|word| {
        let carets = word.matches('^').count();
        carets > 1 && word.chars().filter(char::is_ascii_alphabetic).count() > carets
    });
    if is_hidden && (has_windows_path || text.contains("cmd")) {
        concerns.unclear("letters that are hidden from the reader");
    }
}
