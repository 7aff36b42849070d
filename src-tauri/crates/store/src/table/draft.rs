//! `draft`: what is typed in a session and not yet sent, with the files that wait beside it.

use rusqlite::{OptionalExtension, params};
use talaria_domain::{Attachment, SessionId};

use super::session;
use crate::column::{json, parse_json};
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_104,
        effect: Effect::Adds,
        sql: "
        CREATE TABLE draft (
            session INTEGER PRIMARY KEY REFERENCES session (number) ON DELETE CASCADE,
            text TEXT NOT NULL
        ) STRICT;",
    },
    Migration {
        number: 2_026_120_110,
        effect: Effect::Adds,
        sql: "ALTER TABLE draft ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]';",
    },
];

/// What is not yet sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The text as typed.
    pub text: String,
    /// The files to go with it.
    pub attachments: Vec<Attachment>,
}

impl Store {
    /// What waits in a session to be sent; empty when nothing does.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn draft(&self, id: SessionId) -> Result<Draft, StoreError> {
        self.database().read(|connection| {
            let found: Option<(String, String)> = connection
                .prepare_cached(
                    "SELECT text, attachments FROM draft
                     JOIN session ON session.number = draft.session WHERE session.id = ?",
                )?
                .query_row([id.to_bytes()], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let Some((text, attachments)) = found else {
                return Ok(Draft::default());
            };
            Ok(Draft {
                text,
                attachments: parse_json("draft", &attachments)?,
            })
        })
    }

    /// Keeps what is not yet sent; an empty draft forgets it.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn set_draft(&self, id: SessionId, draft: &Draft) -> Result<(), StoreError> {
        let attachments = json(&draft.attachments)?;
        self.database().write(|transaction| {
            let session = session::number(transaction, id)?;
            if *draft == Draft::default() {
                transaction.execute("DELETE FROM draft WHERE session = ?", [session])?;
            } else {
                transaction
                    .prepare_cached(
                        "INSERT OR REPLACE INTO draft (session, text, attachments)
                         VALUES (?, ?, ?)",
                    )?
                    .execute(params![session, draft.text, attachments])?;
            }
            Ok(())
        })
    }
}
