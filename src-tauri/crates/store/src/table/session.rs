//! `session`: the conversations, their titles, models and frozen system prompts.

mod list;

use rusqlite::{Connection, OptionalExtension, Transaction, named_params, params};
use talaria_domain::{Compaction, Mode, ModelRef, Session, SessionId, Timestamp, TitleOrigin};

pub use list::ListedSession;
use list::{COLUMNS, from_row};

use super::transcript::{self, TurnRecord};
use super::{compaction, turn};
use crate::column::word;
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_101,
        effect: Effect::Adds,
        sql: "
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            title TEXT NOT NULL,
            title_origin TEXT NOT NULL,
            service TEXT,
            model TEXT,
            source TEXT NOT NULL,
            pinned INTEGER NOT NULL DEFAULT 0,
            archived INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            system_prompt TEXT,
            deleted_at INTEGER
        ) STRICT;
        CREATE INDEX session_in_list ON session (archived, pinned DESC, updated_at DESC)
            WHERE deleted_at IS NULL;
        CREATE INDEX session_deleted ON session (deleted_at) WHERE deleted_at IS NOT NULL;",
    },
    Migration {
        number: 2_026_120_113,
        effect: Effect::Adds,
        sql: "ALTER TABLE session ADD COLUMN mode TEXT NOT NULL DEFAULT 'ask';",
    },
];

/// How long what was deleted or cleared can be brought back.
const KEPT_MILLIS: i64 = 7 * 24 * 60 * 60 * 1000;
impl Store {
    /// Writes a new session down.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        self.database()
            .write(|transaction| insert(transaction, session).map(drop))
    }

    /// A session by its id.
    ///
    /// # Errors
    /// `NotFound` for one that isn't there or is deleted.
    pub fn session(&self, id: SessionId) -> Result<Session, StoreError> {
        self.database().read(|connection| {
            connection
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM session WHERE id = ? AND deleted_at IS NULL"
                ))?
                .query_row([id.to_bytes()], |row| Ok(from_row(row)))
                .optional()?
                .ok_or(StoreError::NotFound("session"))?
        })
    }

    /// Whether a session is there, if only to be restored.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn keeps_session(&self, id: SessionId) -> Result<bool, StoreError> {
        self.database().read(|connection| {
            Ok(connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM session WHERE id = ?)")?
                .query_row([id.to_bytes()], |row| row.get(0))?)
        })
    }

    /// Gives a session the user's title. A blank one gives it back to the automatic title.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn rename_session(&self, id: SessionId, title: &str) -> Result<(), StoreError> {
        let title = title.trim();
        let origin = if title.is_empty() {
            TitleOrigin::None
        } else {
            TitleOrigin::User
        };
        let origin = word(origin)?;
        self.change(
            id,
            "title = ?2, title_origin = ?3",
            params![id.to_bytes(), title, origin],
        )
    }

    /// Gives a session an automatic title, unless the user gave it one.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn set_automatic_title(&self, id: SessionId, title: &str) -> Result<(), StoreError> {
        let sets = "title = iif(title_origin = 'user', title, ?2),
                    title_origin = iif(title_origin = 'user', title_origin, 'automatic')";
        self.change(id, sets, params![id.to_bytes(), title.trim()])
    }

    /// Keeps a session at the top of the list, or no longer.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn pin_session(&self, id: SessionId, pinned: bool) -> Result<(), StoreError> {
        self.change(id, "pinned = ?2", params![id.to_bytes(), pinned])
    }

    /// Puts a session away, or brings it back.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn archive_session(&self, id: SessionId, archived: bool) -> Result<(), StoreError> {
        self.change(id, "archived = ?2", params![id.to_bytes(), archived])
    }

    /// Chooses the model of a session's next turns.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn set_session_model(&self, id: SessionId, model: &ModelRef) -> Result<(), StoreError> {
        let (service, name) = (model.service.as_str(), model.model.as_str());
        self.change(
            id,
            "service = ?2, model = ?3",
            params![id.to_bytes(), service, name],
        )
    }

    /// Chooses how much a session may do without asking.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn set_session_mode(&self, id: SessionId, mode: Mode) -> Result<(), StoreError> {
        self.change(id, "mode = ?2", params![id.to_bytes(), word(mode)?])
    }

    /// The system prompt of a session, once it is frozen.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be read.
    pub fn system_prompt(&self, id: SessionId) -> Result<Option<String>, StoreError> {
        self.database().read(|connection| {
            connection
                .prepare_cached(
                    "SELECT system_prompt FROM session WHERE id = ? AND deleted_at IS NULL",
                )?
                .query_row([id.to_bytes()], |row| row.get(0))
                .optional()?
                .ok_or(StoreError::NotFound("session"))
        })
    }

    /// Freezes the system prompt of a session. The first one given stays; it is returned.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn freeze_system_prompt(&self, id: SessionId, prompt: &str) -> Result<String, StoreError> {
        self.database().write(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE session SET system_prompt = ifnull(system_prompt, ?2)
                     WHERE id = ?1 AND deleted_at IS NULL RETURNING system_prompt",
                )?
                .query_row(params![id.to_bytes(), prompt], |row| row.get(0))
                .optional()?
                .ok_or(StoreError::NotFound("session"))
        })
    }

    /// Deletes a session. It can be restored for a week.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn delete_session(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.change(
            id,
            "deleted_at = ?2",
            params![id.to_bytes(), now.as_millis()],
        )
    }

    /// Undoes a deletion.
    ///
    /// # Errors
    /// `NotFound` once it is purged, or when it can't be written.
    pub fn restore_session(&self, id: SessionId) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let changed = transaction.execute(
                "UPDATE session SET deleted_at = NULL WHERE id = ?",
                [id.to_bytes()],
            )?;
            found(changed)
        })
    }

    /// Writes a whole conversation down at once, as it was read from a file; `random` makes new ids
    /// for its turns, so that one file can be read in more than once.
    ///
    /// # Errors
    /// When it can't be written; then nothing of it is.
    pub fn import_session(
        &self,
        session: &Session,
        mut turns: Vec<TurnRecord>,
        random: impl FnMut() -> [u8; 10],
    ) -> Result<(), StoreError> {
        let _renewed = transcript::renew(&mut turns, session.id, random);
        self.database().write(|transaction| {
            let number = insert(transaction, session)?;
            turns
                .iter()
                .try_for_each(|record| turn::insert_record(transaction, number, record))
        })
    }

    /// Copies a session's conversation into `fork`, a new session; `random` makes the new ids.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn fork_session(
        &self,
        id: SessionId,
        fork: &Session,
        mut random: impl FnMut() -> [u8; 10],
    ) -> Result<(), StoreError> {
        self.session(id)?;
        let mut turns = self.turns(id, usize::MAX)?.turns;
        let renewed = transcript::renew(&mut turns, fork.id, &mut random);
        let compactions = self.compactions(id)?.into_iter();
        let followed = compactions.filter(|kept| !kept.undone);
        let compactions: Vec<Compaction> = followed
            .filter_map(|kept| compaction::copied(kept.compaction, fork.id, &renewed, &mut random))
            .collect();
        self.database().write(|transaction| {
            let number = insert(transaction, fork)?;
            for record in &turns {
                turn::insert_record(transaction, number, record)?;
            }
            // It is sent as the first was, so that it extends what the service has cached.
            for compaction in &compactions {
                compaction::insert(transaction, number, compaction)?;
            }
            transaction.execute(
                "UPDATE session SET system_prompt =
                     (SELECT system_prompt FROM session WHERE id = ?1) WHERE number = ?2",
                params![id.to_bytes(), number],
            )?;
            Ok(())
        })
    }

    /// Deletes for good what was deleted, cleared or replaced more than a week ago; a session at a
    /// time, so that nobody waits long for the writer.
    pub(crate) fn purge(&self, now: Timestamp) -> Result<(), StoreError> {
        let before = now.as_millis().saturating_sub(KEPT_MILLIS);
        let sessions: Vec<i64> = self.database().read_at_opening(|connection| {
            let mut statement =
                connection.prepare("SELECT number FROM session WHERE deleted_at < ?")?;
            let numbers = statement.query_map([before], |row| row.get(0))?;
            Ok(numbers.collect::<Result<_, _>>()?)
        })?;
        for number in sessions {
            self.database().write(|transaction| {
                turn::purge(transaction, "turn.session = ?", number)?;
                transaction.execute("DELETE FROM session WHERE number = ?", [number])?;
                Ok(())
            })?;
        }
        self.purge_turns(before)?;
        self.purge_attachments(before)?;
        self.purge_file_changes(now)
    }

    fn change(
        &self,
        id: SessionId,
        sets: &str,
        values: impl rusqlite::Params,
    ) -> Result<(), StoreError> {
        tracing::debug!(session_id = %id, "session changed");
        let sql = format!("UPDATE session SET {sets} WHERE id = ?1 AND deleted_at IS NULL");
        self.database()
            .write(|transaction| found(transaction.prepare_cached(&sql)?.execute(values)?))
    }
}

fn found(changed: usize) -> Result<(), StoreError> {
    if changed == 0 {
        Err(StoreError::NotFound("session"))
    } else {
        Ok(())
    }
}

/// The row number of a session that is not deleted.
pub(super) fn number(connection: &Connection, id: SessionId) -> Result<i64, StoreError> {
    connection
        .prepare_cached("SELECT number FROM session WHERE id = ? AND deleted_at IS NULL")?
        .query_row([id.to_bytes()], |row| row.get(0))
        .optional()?
        .ok_or(StoreError::NotFound("session"))
}

/// Notes that something happened in a session.
pub(super) fn touch(
    transaction: &Transaction<'_>,
    number: i64,
    at: Timestamp,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("UPDATE session SET updated_at = max(updated_at, ?2) WHERE number = ?1")?
        .execute(params![number, at.as_millis()])?;
    Ok(())
}

fn insert(transaction: &Transaction<'_>, session: &Session) -> Result<i64, StoreError> {
    transaction
        .prepare_cached(
            "INSERT INTO session (id, title, title_origin, service, model, source, mode,
                                  pinned, archived, created_at, updated_at)
             VALUES (:id, :title, :origin, :service, :model, :source, :mode,
                     :pinned, :archived, :created, :updated)",
        )?
        .execute(named_params! {
            ":id": session.id.to_bytes(),
            ":title": session.title,
            ":origin": word(session.title_origin)?,
            ":service": session.model.as_ref().map(|model| model.service.as_str()),
            ":model": session.model.as_ref().map(|model| model.model.as_str()),
            ":source": word(session.source)?,
            ":mode": word(session.mode)?,
            ":pinned": session.pinned,
            ":archived": session.archived,
            ":created": session.created_at.as_millis(),
            ":updated": session.updated_at.as_millis(),
        })?;
    Ok(transaction.last_insert_rowid())
}
