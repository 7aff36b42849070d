//! `last_request`: the messages a session's model was last sent, exactly.
//!
//! Read by `talaria session show --sent`. Only the last one is kept: each holds the whole context.

use rusqlite::{OptionalExtension, params};
use talaria_domain::{ContextReport, Message, SessionId, TurnId};

use super::session;
use crate::column::{json, parse_json};
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_105,
        effect: Effect::Adds,
        sql: "
        CREATE TABLE last_request (
            session INTEGER PRIMARY KEY REFERENCES session (number) ON DELETE CASCADE,
            turn BLOB NOT NULL,
            messages TEXT NOT NULL
        ) STRICT;",
    },
    // What the request's tokens were spent on, as JSON.
    Migration {
        number: 2_026_120_114,
        effect: Effect::Adds,
        sql: "ALTER TABLE last_request ADD COLUMN report TEXT;",
    },
];

impl Store {
    /// Keeps the messages that a turn is about to send, and what they take, in place of its
    /// session's earlier ones.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn keep_request(
        &self,
        turn: TurnId,
        messages: &[Message],
        report: &ContextReport,
    ) -> Result<(), StoreError> {
        let (messages, report) = (json(&messages)?, json(report)?);
        self.database().write(|transaction| {
            let changed = transaction
                .prepare_cached(
                    "INSERT OR REPLACE INTO last_request (session, turn, messages, report)
                     SELECT session, id, ?2, ?3 FROM turn WHERE id = ?1",
                )?
                .execute(params![turn.to_bytes(), messages, report])?;
            if changed == 0 {
                Err(StoreError::NotFound("turn"))
            } else {
                Ok(())
            }
        })
    }

    /// What the tokens of a session's latest request were spent on, if there was one.
    ///
    /// # Errors
    /// `NotFound` when there is no such session, or when it can't be read.
    pub fn last_report(&self, id: SessionId) -> Result<Option<ContextReport>, StoreError> {
        self.database().read(|connection| {
            let session = session::number(connection, id)?;
            let kept: Option<Option<String>> = connection
                .query_row(
                    "SELECT report FROM last_request WHERE session = ?",
                    [session],
                    |row| row.get(0),
                )
                .optional()?;
            let report = kept.flatten();
            report
                .map(|report| parse_json("request", &report))
                .transpose()
        })
    }

    /// The turn that last sent a request in a session, and the messages it sent.
    ///
    /// # Errors
    /// `NotFound` when there is no such session, or when it can't be read.
    pub fn last_request(
        &self,
        id: SessionId,
    ) -> Result<Option<(TurnId, Vec<Message>)>, StoreError> {
        self.database().read(|connection| {
            let session = session::number(connection, id)?;
            let kept: Option<([u8; 16], String)> = connection
                .query_row(
                    "SELECT turn, messages FROM last_request WHERE session = ?",
                    [session],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()?;
            kept.map(|(turn, messages)| {
                Ok((TurnId::from_bytes(turn), parse_json("request", &messages)?))
            })
            .transpose()
        })
    }
}
