//! Finding the note that a model means by a path or a title.

use talaria_note::{NoteError, NoteSummary, Notebook, file_stem};

/// How many notes are named when a title fits several.
const MOST_NAMED: usize = 20;

/// What a path or title stands for.
pub(crate) enum Meant {
    /// This note.
    One(NoteSummary),
    /// None.
    None,
    /// These; the model must choose.
    Several(Vec<NoteSummary>),
}

/// Looks for the exact path, then the exact title or file name, then either in any case.
pub(crate) fn meant(notebook: &Notebook, wanted: &str) -> Result<Meant, NoteError> {
    let notes = notebook.list()?;
    let folded = wanted.to_lowercase();
    // A title with characters that no file name may have was changed when its note was made.
    let made = file_stem(wanted).map(|stem| stem.to_lowercase());
    let ways: [&dyn Fn(&NoteSummary) -> bool; 5] = [
        &|note| note.path == wanted,
        &|note| note.title == wanted,
        &|note| stem(note) == wanted,
        &|note| {
            [note.path.as_str(), &note.title, stem(note)]
                .iter()
                .any(|name| name.to_lowercase() == folded)
        },
        &|note| made.as_ref() == Some(&stem(note).to_lowercase()),
    ];
    for fits in ways {
        let mut found: Vec<_> = notes.iter().filter(|note| fits(note)).cloned().collect();
        match found.len() {
            0 => {}
            1 => return Ok(found.pop().map_or(Meant::None, Meant::One)),
            _ => return Ok(Meant::Several(found)),
        }
    }
    Ok(Meant::None)
}

/// What the model is told when a title fits several notes.
pub(crate) fn choice(wanted: &str, notes: &[NoteSummary]) -> String {
    let paths: Vec<&str> = notes
        .iter()
        .take(MOST_NAMED)
        .map(|note| note.path.as_str())
        .collect();
    format!(
        "{} notes fit {wanted:?}. Name one by its path: {}",
        notes.len(),
        paths.join("; ")
    )
}

fn stem(note: &NoteSummary) -> &str {
    let name = note
        .path
        .rsplit_once('/')
        .map_or(note.path.as_str(), |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
