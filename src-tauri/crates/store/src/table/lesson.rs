//! `lesson`: what services have taught about their models by refusing or answering.
//!
//! A lesson is kept by the service's address and the model's name, so that it outlives the program
//! and a service that is set up again. Its words are the provider's own business.

use rusqlite::{OptionalExtension, params};
use talaria_domain::Timestamp;

use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 2_026_120_109,
    effect: Effect::Adds,
    sql: "
        CREATE TABLE lesson (
            address TEXT NOT NULL,
            model TEXT NOT NULL,
            subject TEXT NOT NULL,
            content TEXT NOT NULL,
            learnt_at INTEGER NOT NULL,
            PRIMARY KEY (address, model, subject)
        ) STRICT, WITHOUT ROWID;",
}];

impl Store {
    /// What is known on a subject of the model at an address.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn lesson(
        &self,
        address: &str,
        model: &str,
        subject: &str,
    ) -> Result<Option<String>, StoreError> {
        self.database().read(|connection| {
            let found = connection
                .prepare_cached(
                    "SELECT content FROM lesson
                     WHERE address = ? AND model = ? AND subject = ?",
                )?
                .query_row([address, model, subject], |row| row.get(0))
                .optional()?;
            Ok(found)
        })
    }

    /// Keeps what was learnt, in place of what was known before.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn keep_lesson(
        &self,
        address: &str,
        model: &str,
        subject: &str,
        content: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT OR REPLACE INTO lesson (address, model, subject, content, learnt_at)
                     VALUES (?, ?, ?, ?, ?)",
                )?
                .execute(params![address, model, subject, content, now.as_millis()])?;
            Ok(())
        })
    }

    /// Forgets a lesson, for example when the user sets by hand what it was about.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn forget_lesson(
        &self,
        address: &str,
        model: &str,
        subject: &str,
    ) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            transaction.execute(
                "DELETE FROM lesson WHERE address = ? AND model = ? AND subject = ?",
                [address, model, subject],
            )?;
            Ok(())
        })
    }
}
