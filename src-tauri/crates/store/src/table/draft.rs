//! `draft`: what is typed in a session and not yet sent.

use rusqlite::{OptionalExtension, params};
use talaria_domain::SessionId;

use super::session;
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 2_026_120_104,
    effect: Effect::Adds,
    sql: "
        CREATE TABLE draft (
            session INTEGER PRIMARY KEY REFERENCES session (number) ON DELETE CASCADE,
            text TEXT NOT NULL
        ) STRICT;",
}];

impl Store {
    /// What is typed in a session; empty when nothing is.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn draft(&self, id: SessionId) -> Result<String, StoreError> {
        self.database().read(|connection| {
            let text: Option<String> = connection
                .prepare_cached(
                    "SELECT text FROM draft JOIN session ON session.number = draft.session
                     WHERE session.id = ?",
                )?
                .query_row([id.to_bytes()], |row| row.get(0))
                .optional()?;
            Ok(text.unwrap_or_default())
        })
    }

    /// Keeps what is typed; an empty text forgets it.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn set_draft(&self, id: SessionId, text: &str) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let session = session::number(transaction, id)?;
            if text.is_empty() {
                transaction.execute("DELETE FROM draft WHERE session = ?", [session])?;
            } else {
                transaction
                    .prepare_cached("INSERT OR REPLACE INTO draft (session, text) VALUES (?, ?)")?
                    .execute(params![session, text])?;
            }
            Ok(())
        })
    }
}
