//! `file_change` and `file_content`: what tools changed in the user's files, so that it can be seen
//! and undone.
//!
//! A content is kept once, by its hash. After thirty days, or once all contents together are larger
//! than 500 MB, the oldest changes are forgotten: they can then no longer be undone.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use sha2::{Digest, Sha256};
use talaria_domain::{FileChangeId, ItemId, SessionId, Timestamp, TurnId};

use super::session;
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_121,
        effect: Effect::Adds,
        sql: "
        CREATE TABLE file_content (
            hash BLOB PRIMARY KEY,
            content BLOB NOT NULL
        ) STRICT;
        CREATE TABLE file_change (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            turn BLOB NOT NULL,
            item BLOB NOT NULL,
            path TEXT NOT NULL,
            before BLOB,
            after BLOB,
            at INTEGER NOT NULL,
            undone_at INTEGER
        ) STRICT;
        CREATE INDEX file_change_of_session ON file_change (session);
        CREATE INDEX file_change_of_time ON file_change (at);",
    },
    // Set once the file really holds its new content.
    Migration {
        number: 2_026_120_122,
        effect: Effect::Adds,
        sql: "ALTER TABLE file_change ADD COLUMN made INTEGER NOT NULL DEFAULT 0;",
    },
];

/// How long a change can be undone.
const KEPT_MILLIS: i64 = 30 * 24 * 60 * 60 * 1000;
/// The most that all kept contents may take, in bytes.
const KEPT_BYTES: i64 = 500 * 1024 * 1024;

/// A change of a file. Contents are none where there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFileChange {
    /// Its id.
    pub id: FileChangeId,
    /// The session whose turn made it.
    pub session_id: SessionId,
    /// The turn.
    pub turn_id: TurnId,
    /// The tool call.
    pub item_id: ItemId,
    /// The file.
    pub path: String,
    /// What it held.
    pub before: Option<Vec<u8>>,
    /// What it holds then.
    pub after: Option<Vec<u8>>,
    /// When.
    pub at: Timestamp,
}

/// A change as it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFileChange {
    /// The change.
    pub change: NewFileChange,
    /// The file was given its new content. If not, the program may have ended just then.
    pub made: bool,
    /// The user took it back.
    pub undone: bool,
    /// A content is no longer there, after the database was damaged. It is empty then.
    pub lost: bool,
}

impl Store {
    /// Keeps a change; it outlasts a power failure once this returns.
    ///
    /// # Errors
    /// `NotFound` for a session that isn't there, or when it can't be written.
    pub fn keep_file_change(&self, change: &NewFileChange) -> Result<(), StoreError> {
        let durability = crate::database::Durability::Power;
        self.database().write_with(durability, |transaction| {
            let session = session::number(transaction, change.session_id)?;
            let before = keep_content(transaction, change.before.as_deref())?;
            let after = keep_content(transaction, change.after.as_deref())?;
            transaction
                .prepare_cached(
                    "INSERT INTO file_change (id, session, turn, item, path, before, after, at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![
                    change.id.to_bytes(),
                    session,
                    change.turn_id.to_bytes(),
                    change.item_id.to_bytes(),
                    change.path,
                    before,
                    after,
                    change.at.as_millis(),
                ])?;
            Ok(())
        })
    }

    /// Notes that a kept change was made.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn mark_made(&self, id: FileChangeId) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            transaction
                .prepare_cached("UPDATE file_change SET made = 1 WHERE id = ?")?
                .execute([id.to_bytes()])?;
            Ok(())
        })
    }

    /// The changes of a session, or of one of its turns, oldest first.
    ///
    /// # Errors
    /// `NotFound`, or when the database can't be read.
    pub fn file_changes(
        &self,
        id: SessionId,
        turn: Option<TurnId>,
    ) -> Result<Vec<KeptFileChange>, StoreError> {
        self.database().read(|connection| {
            let session = session::number(connection, id)?;
            let mut statement = connection.prepare_cached(
                "SELECT id, turn, item, path, at, undone_at IS NOT NULL,
                        before IS NOT NULL, (SELECT content FROM file_content WHERE hash = before),
                        after IS NOT NULL, (SELECT content FROM file_content WHERE hash = after),
                        made
                 FROM file_change WHERE session = ?1 AND ifnull(?2, turn) = turn
                 ORDER BY number",
            )?;
            let turn = turn.map(TurnId::to_bytes);
            let rows = statement.query_map(params![session, turn], |row| from_row(row, id))?;
            rows.map(|row| Ok(row?)).collect()
        })
    }

    /// The session that a change belongs to.
    ///
    /// # Errors
    /// `NotFound`, or when the database can't be read.
    pub fn session_of_file_change(&self, id: FileChangeId) -> Result<SessionId, StoreError> {
        self.database().read(|connection| {
            let session: Option<[u8; 16]> = connection
                .query_row(
                    "SELECT session.id FROM file_change JOIN session ON session.number = file_change.session
                     WHERE file_change.id = ?",
                    [id.to_bytes()],
                    |row| row.get(0),
                )
                .optional()?;
            let session = session.ok_or(StoreError::NotFound("file change"))?;
            Ok(SessionId::from_bytes(session))
        })
    }

    /// Marks changes as taken back.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn mark_undone(&self, ids: &[FileChangeId], now: Timestamp) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let mut statement = transaction
                .prepare_cached("UPDATE file_change SET undone_at = ?2 WHERE id = ?1")?;
            for id in ids {
                statement.execute(params![id.to_bytes(), now.as_millis()])?;
            }
            Ok(())
        })
    }

    /// Forgets changes that are too old, and the oldest while all together take too much. A turn is
    /// forgotten whole: nobody could tell that a part of what it changed can't be put back.
    pub(super) fn purge_file_changes(&self, now: Timestamp) -> Result<(), StoreError> {
        let old = now.as_millis().saturating_sub(KEPT_MILLIS);
        let is_due = self.database().read(|connection| {
            let any = "SELECT EXISTS (SELECT 1 FROM file_change WHERE at < ?)";
            let is_old: bool = connection.query_row(any, [old], |row| row.get(0))?;
            Ok(is_old || size(connection)? > KEPT_BYTES)
        })?;
        if !is_due {
            return Ok(());
        }
        self.database().write(|transaction| {
            transaction.execute(TOO_OLD, [old])?;
            forget_contents(transaction)?;
            while size(transaction)? > KEPT_BYTES {
                transaction.execute(OLDEST, [])?;
                forget_contents(transaction)?;
            }
            Ok(())
        })
    }
}

/// Forgets the turns that began to change files before a time.
const TOO_OLD: &str = "DELETE FROM file_change WHERE turn IN
    (SELECT turn FROM file_change WHERE at < ?)";
/// Forgets the turns of some of the oldest changes.
const OLDEST: &str = "DELETE FROM file_change WHERE turn IN
    (SELECT turn FROM file_change ORDER BY number LIMIT 50)";

fn size(connection: &Connection) -> Result<i64, StoreError> {
    let sum = "SELECT ifnull(sum(length(content)), 0) FROM file_content";
    Ok(connection.query_row(sum, [], |row| row.get(0))?)
}

fn forget_contents(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    transaction.execute(
        "DELETE FROM file_content WHERE hash NOT IN
         (SELECT before FROM file_change WHERE before IS NOT NULL
          UNION SELECT after FROM file_change WHERE after IS NOT NULL)",
        [],
    )?;
    Ok(())
}

fn keep_content(
    transaction: &Transaction<'_>,
    content: Option<&[u8]>,
) -> Result<Option<[u8; 32]>, StoreError> {
    let Some(content) = content else {
        return Ok(None);
    };
    let hash: [u8; 32] = Sha256::digest(content).into();
    transaction
        .prepare_cached("INSERT OR IGNORE INTO file_content (hash, content) VALUES (?1, ?2)")?
        .execute(params![hash, content])?;
    Ok(Some(hash))
}

fn from_row(row: &Row<'_>, session_id: SessionId) -> rusqlite::Result<KeptFileChange> {
    let (had_before, mut before): (bool, Option<Vec<u8>>) = (row.get(6)?, row.get(7)?);
    let (had_after, mut after): (bool, Option<Vec<u8>>) = (row.get(8)?, row.get(9)?);
    let lost = had_before != before.is_some() || had_after != after.is_some();
    if lost {
        before = had_before.then(Vec::new);
        after = had_after.then(Vec::new);
    }
    Ok(KeptFileChange {
        change: NewFileChange {
            id: FileChangeId::from_bytes(row.get(0)?),
            session_id,
            turn_id: TurnId::from_bytes(row.get(1)?),
            item_id: ItemId::from_bytes(row.get(2)?),
            path: row.get(3)?,
            at: Timestamp::from_millis(row.get(4)?),
            before,
            after,
        },
        made: row.get(10)?,
        undone: row.get(5)?,
        lost,
    })
}
