//! How keeping and finding things fails.

use std::path::PathBuf;

use rusqlite::ffi::ErrorCode as SqliteCode;
use talaria_domain::ErrorCode;

/// A failure of the store. Each message can be shown to the user as it is.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No such session, turn or item, or it was deleted.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// A turn runs in the session, so this can't be done now.
    #[error("a turn is still running in this session; stop it or wait for it first")]
    TurnRunning,
    /// The turn is not the last of its session, so it can't be sent again.
    #[error("only the last turn of a session can be sent again")]
    NotLastTurn,
    /// Only the latest compaction that still holds can be taken back.
    #[error("only the latest shortening of a conversation can be undone")]
    NotLatest,
    /// The conversation went on, or was shortened in another way, since this shortening was begun.
    #[error(
        "the conversation went on or was shortened in another way meanwhile; nothing was changed"
    )]
    ChangedMeanwhile,
    /// A newer Talaria wrote the database.
    #[error(
        "the database was written by a newer Talaria (its format is {found}, this one knows up to \
         {known}); install the newer version, or set TALARIA_HOME to another folder"
    )]
    Newer {
        /// The format of the file.
        found: i64,
        /// The newest format this program knows.
        known: i64,
    },
    /// The database is damaged, and another process uses it, so that it can't be set aside.
    #[error(
        "the database {0} is damaged and another Talaria has it open; close every Talaria and \
         start one again"
    )]
    DamagedInUse(PathBuf),
    /// Another process kept the database to itself for too long.
    #[error("another Talaria is busy with the database; try again in a moment")]
    Busy,
    /// There is no space left.
    #[error(
        "there is no space left on the disk; what was not saved yet is not lost while Talaria runs"
    )]
    DiskFull,
    /// The data folder can't be written.
    #[error("the data folder can't be written; check its permissions")]
    ReadOnly,
    /// No folder to keep things in was found.
    #[error("there is no folder to keep data in: set TALARIA_HOME to one")]
    NoHome,
    /// What is in the database is not what this program wrote.
    #[error("a {0} in the database can't be read")]
    Unreadable(&'static str),
    /// Any other failure of the database.
    #[error("the database failed: {0}")]
    Database(rusqlite::Error),
    /// A file or folder could not be read or written.
    #[error(transparent)]
    File(std::io::Error),
}

impl StoreError {
    /// The code by which front ends know this failure.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotFound(_) => ErrorCode::NotFound,
            Self::TurnRunning | Self::NotLastTurn | Self::NotLatest | Self::ChangedMeanwhile => {
                ErrorCode::Conflict
            }
            Self::Newer { .. }
            | Self::DamagedInUse(_)
            | Self::Busy
            | Self::DiskFull
            | Self::ReadOnly
            | Self::NoHome
            | Self::Unreadable(_)
            | Self::Database(_)
            | Self::File(_) => ErrorCode::Storage,
        }
    }

    /// Whether the database file itself was found to be damaged.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Database(error) if matches!(
                error.sqlite_error_code(),
                Some(SqliteCode::DatabaseCorrupt | SqliteCode::NotADatabase)
            )
        )
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(SqliteCode::DatabaseBusy | SqliteCode::DatabaseLocked) => Self::Busy,
            Some(SqliteCode::DiskFull) => Self::DiskFull,
            Some(SqliteCode::ReadOnly | SqliteCode::PermissionDenied | SqliteCode::CannotOpen) => {
                Self::ReadOnly
            }
            _ => Self::Database(error),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::DiskFull,
            std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => {
                Self::ReadOnly
            }
            _ => Self::File(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StoreError;
    use rusqlite::ffi;
    use talaria_domain::ErrorCode;

    fn sqlite(code: i32) -> StoreError {
        rusqlite::Error::SqliteFailure(ffi::Error::new(code), None).into()
    }

    #[test]
    fn the_failures_a_user_can_mend_are_told_apart() {
        assert!(matches!(sqlite(ffi::SQLITE_FULL), StoreError::DiskFull));
        assert!(matches!(sqlite(ffi::SQLITE_READONLY), StoreError::ReadOnly));
        assert!(matches!(sqlite(ffi::SQLITE_CANTOPEN), StoreError::ReadOnly));
        assert!(matches!(sqlite(ffi::SQLITE_BUSY), StoreError::Busy));
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert!(matches!(StoreError::from(full), StoreError::DiskFull));
        let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        assert!(matches!(StoreError::from(denied), StoreError::ReadOnly));
    }

    #[test]
    fn only_a_damaged_file_counts_as_damage() {
        assert!(sqlite(ffi::SQLITE_CORRUPT).is_damage());
        assert!(sqlite(ffi::SQLITE_NOTADB).is_damage());
        assert!(!sqlite(ffi::SQLITE_FULL).is_damage());
        assert!(!StoreError::Busy.is_damage());
    }

    #[test]
    fn each_failure_has_the_code_that_its_reader_reacts_to() {
        assert_eq!(StoreError::NotFound("session").code(), ErrorCode::NotFound);
        assert_eq!(StoreError::TurnRunning.code(), ErrorCode::Conflict);
        assert_eq!(StoreError::DiskFull.code(), ErrorCode::Storage);
    }
}
