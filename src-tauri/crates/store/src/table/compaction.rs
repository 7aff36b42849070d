//! `compaction`: how sessions' contexts were shortened for their models, and which of that was undone.
//!
//! Only what is sent gets shorter by one: the items that it covers stay as they are.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use talaria_domain::{Compaction, CompactionId, ItemId, SessionId, Timestamp, TurnId};

use super::session;
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_115,
        effect: Effect::Adds,
        sql: "
        CREATE TABLE compaction (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            steps_through BLOB,
            summary_through BLOB,
            summary TEXT NOT NULL,
            tokens_before INTEGER NOT NULL,
            tokens_after INTEGER NOT NULL,
            by_hand INTEGER NOT NULL,
            at INTEGER NOT NULL,
            undone_at INTEGER
        ) STRICT;
        CREATE INDEX compaction_of_session ON compaction (session);",
    },
    Migration {
        number: 2_026_120_130,
        effect: Effect::Adds,
        sql: "ALTER TABLE compaction ADD COLUMN left_out_through BLOB;
              ALTER TABLE compaction ADD COLUMN window INTEGER NOT NULL DEFAULT 0;",
    },
];

/// A compaction, and whether it is still followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptCompaction {
    /// The compaction.
    pub compaction: Compaction,
    /// The user took it back.
    pub undone: bool,
}

/// What a compaction is made from: it holds only where this is still so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionStand {
    /// The latest compaction that was not taken back.
    pub compaction: Option<CompactionId>,
    /// The latest turn that is part of the session.
    pub turn: Option<TurnId>,
}

impl Store {
    /// Keeps a compaction. From here on it is the one that is followed.
    ///
    /// # Errors
    /// `NotFound` for a session that isn't there, or when it can't be written.
    pub fn keep_compaction(&self, compaction: &Compaction) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let session = session::number(transaction, compaction.session_id)?;
            insert(transaction, session, compaction)
        })
    }

    /// Keeps a compaction that was made while the session could go on, if it did not: `after` is
    /// how the session stood when the compaction was begun.
    ///
    /// # Errors
    /// `TurnRunning`, `ChangedMeanwhile` when a turn came or went or the session was shortened
    /// otherwise, else as of [`Self::keep_compaction`].
    pub fn keep_compaction_after(
        &self,
        compaction: &Compaction,
        after: SessionStand,
    ) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let session = session::number(transaction, compaction.session_id)?;
            refuse_while_running(transaction, session)?;
            if stand(transaction, session)? != after {
                return Err(StoreError::ChangedMeanwhile);
            }
            insert(transaction, session, compaction)
        })
    }

    /// How a session stands, to tell later whether it went on.
    ///
    /// # Errors
    /// `NotFound`, or when the database can't be read.
    pub fn session_stand(&self, id: SessionId) -> Result<SessionStand, StoreError> {
        self.database().read(|connection| {
            let session = session::number(connection, id)?;
            stand(connection, session)
        })
    }

    /// All compactions of a session, oldest first.
    ///
    /// # Errors
    /// `NotFound`, or when the database can't be read.
    pub fn compactions(&self, id: SessionId) -> Result<Vec<KeptCompaction>, StoreError> {
        self.database().read(|connection| {
            let session = session::number(connection, id)?;
            let mut statement = connection.prepare_cached(
                "SELECT id, steps_through, summary_through, summary, tokens_before, tokens_after,
                        by_hand, at, undone_at IS NOT NULL, left_out_through, window
                 FROM compaction WHERE session = ? ORDER BY number",
            )?;
            let rows = statement.query_map([session], |row| from_row(row, id))?;
            rows.map(|row| Ok(row?)).collect()
        })
    }

    /// Takes a session's latest compaction back, so that the one before it is followed again.
    ///
    /// # Errors
    /// `NotLatest` for any but the latest that still holds, or when it can't be written.
    pub fn undo_compaction(
        &self,
        session_id: SessionId,
        id: CompactionId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let session = session::number(transaction, session_id)?;
            refuse_while_running(transaction, session)?;
            if latest(transaction, session)? != Some(id) {
                return Err(StoreError::NotLatest);
            }
            transaction.execute(
                "UPDATE compaction SET undone_at = ?2 WHERE id = ?1",
                params![id.to_bytes(), now.as_millis()],
            )?;
            Ok(())
        })
    }
}

pub(super) fn insert(
    transaction: &Transaction<'_>,
    session: i64,
    compaction: &Compaction,
) -> Result<(), StoreError> {
    let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    transaction
        .prepare_cached(
            "INSERT INTO compaction (id, session, steps_through, summary_through, summary,
                                     left_out_through, window, tokens_before, tokens_after,
                                     by_hand, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            compaction.id.to_bytes(),
            session,
            compaction.steps_through.map(ItemId::to_bytes),
            compaction.summary_through.map(ItemId::to_bytes),
            compaction.summary,
            compaction.left_out_through.map(ItemId::to_bytes),
            count(compaction.window),
            count(compaction.tokens_before),
            count(compaction.tokens_after),
            compaction.by_hand,
            compaction.at.as_millis(),
        ])?;
    Ok(())
}

/// The compaction for a copy of its session. None: what it names was not copied.
pub(super) fn copied(
    compaction: Compaction,
    session_id: SessionId,
    renewed: &HashMap<ItemId, ItemId>,
    mut random: impl FnMut() -> [u8; 10],
) -> Option<Compaction> {
    let renew = |id: Option<ItemId>| match id {
        Some(id) => renewed.get(&id).copied().map(Some),
        None => Some(None),
    };
    Some(Compaction {
        id: CompactionId::from_parts(compaction.at, random()),
        session_id,
        steps_through: renew(compaction.steps_through)?,
        summary_through: renew(compaction.summary_through)?,
        left_out_through: renew(compaction.left_out_through)?,
        ..compaction
    })
}

fn latest(connection: &Connection, session: i64) -> Result<Option<CompactionId>, StoreError> {
    let latest: Option<[u8; 16]> = connection
        .query_row(
            "SELECT id FROM compaction WHERE session = ? AND undone_at IS NULL
             ORDER BY number DESC LIMIT 1",
            [session],
            |row| row.get(0),
        )
        .optional()?;
    Ok(latest.map(CompactionId::from_bytes))
}

fn stand(connection: &Connection, session: i64) -> Result<SessionStand, StoreError> {
    let turn: Option<[u8; 16]> = connection
        .query_row(
            "SELECT id FROM turn WHERE session = ? AND hidden_at IS NULL
             ORDER BY number DESC LIMIT 1",
            [session],
            |row| row.get(0),
        )
        .optional()?;
    Ok(SessionStand {
        compaction: latest(connection, session)?,
        turn: turn.map(TurnId::from_bytes),
    })
}

/// A turn has its context already; what changes meanwhile would be lost with its own compaction.
fn refuse_while_running(transaction: &Transaction<'_>, session: i64) -> Result<(), StoreError> {
    let running: bool = transaction.query_row(
        "SELECT EXISTS (SELECT 1 FROM turn WHERE session = ? AND state = 'running')",
        [session],
        |row| row.get(0),
    )?;
    if running {
        Err(StoreError::TurnRunning)
    } else {
        Ok(())
    }
}

fn from_row(row: &Row<'_>, session_id: SessionId) -> rusqlite::Result<KeptCompaction> {
    let item = |column| -> rusqlite::Result<Option<ItemId>> {
        let bytes: Option<[u8; 16]> = row.get(column)?;
        Ok(bytes.map(ItemId::from_bytes))
    };
    let tokens = |column| -> rusqlite::Result<u64> {
        Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0))
    };
    Ok(KeptCompaction {
        compaction: Compaction {
            id: CompactionId::from_bytes(row.get(0)?),
            session_id,
            steps_through: item(1)?,
            summary_through: item(2)?,
            summary: row.get(3)?,
            tokens_before: tokens(4)?,
            tokens_after: tokens(5)?,
            left_out_through: item(9)?,
            window: tokens(10)?,
            by_hand: row.get(6)?,
            at: Timestamp::from_millis(row.get(7)?),
        },
        undone: row.get(8)?,
    })
}
