//! What can go wrong with notes. Every caller of this crate gets these.

use std::io;
use std::path::PathBuf;

use talaria_domain::ErrorCode;

/// Why a note could not be read, saved or found.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// The notes folder is gone, is not a folder, or may not be read.
    #[error("the notes folder {} can't be used: {source}", folder.display())]
    Folder {
        /// Which folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A string from outside does not name a note.
    #[error("{given:?} is not a note's path: {reason}")]
    Path {
        /// The string, shortened.
        given: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// There is no such note.
    #[error("there is no note {0:?}")]
    NotFound(String),
    /// The history has no such version.
    #[error("the note {path:?} has no version {version:?}")]
    VersionNotFound {
        /// Which note.
        path: String,
        /// Which version.
        version: String,
    },
    /// The note is no longer at the version the edit began from.
    #[error("the note {path:?} was changed meanwhile; it is now at version {current}")]
    Conflict {
        /// Which note.
        path: String,
        /// The version it is at.
        current: String,
    },
    /// The text is larger than a note may be.
    #[error("the note {path:?} is larger than {limit} bytes")]
    TooLarge {
        /// Which note.
        path: String,
        /// The most a note may have.
        limit: u64,
    },
    /// The file is not UTF-8 text.
    #[error("the file {0:?} is not UTF-8 text")]
    NotText(String),
    /// A file could not be read or written.
    #[error("{path:?} in the notes folder can't be read or written: {source}")]
    File {
        /// Which file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl NoteError {
    /// The code by which the rest of the program knows the failure.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Folder { .. } | Self::File { .. } => ErrorCode::Storage,
            Self::Path { .. } | Self::TooLarge { .. } | Self::NotText(_) => ErrorCode::InvalidInput,
            Self::NotFound(_) | Self::VersionNotFound { .. } => ErrorCode::NotFound,
            Self::Conflict { .. } => ErrorCode::Conflict,
        }
    }

    /// Makes a failure of the file `path` of what the system said.
    pub(crate) fn of_file(path: &str) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                Self::NotFound(path.to_owned())
            }
            _ => Self::File {
                path: path.to_owned(),
                source,
            },
        }
    }
}
