//! The notes folder: Markdown files of the user's, with safe names, versions and search.

mod note;

pub use note::{Note, NoteAuthor, NoteSummary, NoteVersion};
