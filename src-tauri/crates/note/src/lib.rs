//! The notes folder: Markdown files of the user's, with safe names, versions and search.

mod error;
mod file_name;
mod folder;
mod heading;
mod history;
mod note;
mod notebook;
mod path;
mod search;
mod watch;

pub use error::NoteError;
pub use file_name::file_stem;
pub use note::{Note, NoteAuthor, NoteSummary, NoteVersion};
pub use notebook::Notebook;
pub use path::NotePath;
pub use watch::Watcher;
