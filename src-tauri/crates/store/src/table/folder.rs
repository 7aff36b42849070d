//! `session_folder`: the folders that the user lets a session use.
//!
//! Nothing is carried over from a damaged file: what can't be read is not granted.

use rusqlite::params;
use talaria_domain::{Folder, SessionId};

use super::session;
use crate::column::{parse_word, word};
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 2_026_120_120,
    effect: Effect::Adds,
    sql: "
    CREATE TABLE session_folder (
        session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
        path TEXT NOT NULL,
        access TEXT NOT NULL,
        trusted INTEGER NOT NULL,
        PRIMARY KEY (session, path)
    ) STRICT;",
}];

impl Store {
    /// The folders a session may use, the first granted first.
    ///
    /// # Errors
    /// `NotFound`, or when the database can't be read.
    pub fn session_folders(&self, id: SessionId) -> Result<Vec<Folder>, StoreError> {
        self.database().read(|connection| {
            let number = session::number(connection, id)?;
            let mut statement = connection.prepare_cached(
                "SELECT path, access, trusted FROM session_folder WHERE session = ? ORDER BY rowid",
            )?;
            let mut rows = statement.query([number])?;
            let mut folders = Vec::new();
            while let Some(row) = rows.next()? {
                let access = row.get_ref("access")?.as_str().unwrap_or("");
                folders.push(Folder {
                    path: row.get("path")?,
                    access: parse_word("session_folder", access)?,
                    trusted: row.get("trusted")?,
                });
            }
            Ok(folders)
        })
    }

    /// Lets a session use a folder. One that it may use already gets the new access.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn grant_folder(&self, id: SessionId, folder: &Folder) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let number = session::number(transaction, id)?;
            transaction
                .prepare_cached(
                    "INSERT INTO session_folder (session, path, access, trusted)
                     VALUES (?, ?, ?, ?)
                     ON CONFLICT (session, path)
                     DO UPDATE SET access = excluded.access, trusted = excluded.trusted",
                )?
                .execute(params![
                    number,
                    folder.path,
                    word(folder.access)?,
                    folder.trusted
                ])?;
            Ok(())
        })
    }

    /// Takes a folder away from a session.
    ///
    /// # Errors
    /// `NotFound` if it had none of this path, or when it can't be written.
    pub fn revoke_folder(&self, id: SessionId, path: &str) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let number = session::number(transaction, id)?;
            let revoked = transaction
                .prepare_cached("DELETE FROM session_folder WHERE session = ? AND path = ?")?
                .execute(params![number, path])?;
            match revoked {
                0 => Err(StoreError::NotFound("folder")),
                _ => Ok(()),
            }
        })
    }
}
