//! `turn`: what the user asked, and how it went.
//!
//! A running turn names its owner, the process that works on it, so that only turns whose process
//! is gone are ever declared interrupted.

use rusqlite::{Connection, OptionalExtension, Transaction, named_params, params};
use talaria_domain::{Cost, Item, SessionId, Timestamp, Turn, TurnId, TurnState, Usage};

use super::transcript::TurnRecord;
use super::{item, session};
use crate::column::word;
use crate::database::Durability;
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_102,
        effect: Effect::Adds,
        // `hidden_at` is set with either `cleared_at` or `replaced_at`: most readers ask only whether
        // the turn is to be seen.
        sql: "
        CREATE TABLE turn (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            state TEXT NOT NULL,
            owner TEXT,
            service TEXT NOT NULL,
            model TEXT NOT NULL,
            input_tokens INTEGER NOT NULL DEFAULT 0,
            cached_tokens INTEGER NOT NULL DEFAULT 0,
            output_tokens INTEGER NOT NULL DEFAULT 0,
            finish TEXT,
            failure_code TEXT,
            failure_message TEXT,
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            cleared_at INTEGER,
            replaced_at INTEGER,
            hidden_at INTEGER AS (ifnull(cleared_at, replaced_at))
        ) STRICT;
        CREATE INDEX turn_of_session ON turn (session);
        CREATE UNIQUE INDEX turn_running ON turn (session) WHERE state = 'running';
        CREATE INDEX turn_cleared ON turn (cleared_at) WHERE cleared_at IS NOT NULL;
        CREATE INDEX turn_replaced ON turn (replaced_at) WHERE replaced_at IS NOT NULL;",
    },
    // `cost` is in billionths of a US dollar; null where no price is known.
    Migration {
        number: 2_026_120_112,
        effect: Effect::Adds,
        sql: "
        ALTER TABLE turn ADD COLUMN cache_written_tokens INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE turn ADD COLUMN cost INTEGER;",
    },
];

impl Store {
    /// Writes a new turn and the user's words down; they outlast a power failure once this returns.
    ///
    /// # Errors
    /// `TurnRunning` when the session has a running turn, or when it can't be written.
    pub fn begin_turn(&self, turn: &Turn, user: &Item) -> Result<(), StoreError> {
        self.database()
            .write_with(Durability::Power, |transaction| {
                self.begin(transaction, turn, user)
            })
    }

    /// As `begin_turn`, for a turn that takes the place of `old`, its session's last.
    ///
    /// # Errors
    /// `TurnRunning`, `NotLastTurn`, or when it can't be written.
    pub fn begin_retry(&self, old: TurnId, turn: &Turn, user: &Item) -> Result<(), StoreError> {
        self.database()
            .write_with(Durability::Power, |transaction| {
                let session = session::number(transaction, turn.session_id)?;
                self.free(transaction, session, turn.started_at)?;
                let last = transaction
                    .query_row(
                        "SELECT id FROM turn WHERE session = ? AND hidden_at IS NULL
                     ORDER BY number DESC LIMIT 1",
                        [session],
                        |row| row.get(0),
                    )
                    .optional()?
                    .map(TurnId::from_bytes);
                if last != Some(old) {
                    return Err(StoreError::NotLastTurn);
                }
                transaction.execute(
                    "UPDATE turn SET replaced_at = ?2 WHERE id = ?1",
                    params![old.to_bytes(), turn.started_at.as_millis()],
                )?;
                self.begin(transaction, turn, user)
            })
    }

    fn begin(
        &self,
        transaction: &Transaction<'_>,
        turn: &Turn,
        user: &Item,
    ) -> Result<(), StoreError> {
        let session = session::number(transaction, turn.session_id)?;
        self.free(transaction, session, turn.started_at)?;
        let number = save(transaction, session, turn, Some(self.presence().name()))?;
        item::save(transaction, number, user)?;
        session::touch(transaction, session, turn.started_at)
    }

    /// Makes sure that no turn runs in the session: one left by a dead process is closed.
    fn free(
        &self,
        transaction: &Transaction<'_>,
        session: i64,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        for left in running(transaction)?
            .iter()
            .filter(|left| left.session == session)
        {
            if self.presence().is_alive(&left.owner) {
                return Err(StoreError::TurnRunning);
            }
            interrupt(transaction, left.number, now)?;
        }
        Ok(())
    }

    /// Writes down how a turn ended, and closes what it left open.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn finish_turn(&self, turn: &Turn) -> Result<(), StoreError> {
        let at = turn.finished_at.unwrap_or(turn.started_at);
        self.database().write(|transaction| {
            let session = transaction
                .prepare_cached("SELECT session FROM turn WHERE id = ?")?
                .query_row([turn.id.to_bytes()], |row| row.get(0))
                .optional()?
                .ok_or(StoreError::NotFound("turn"))?;
            let number = save(transaction, session, turn, None)?;
            item::close_open(transaction, number, at)?;
            session::touch(transaction, session, at)
        })?;
        self.update_index_or_warn();
        Ok(())
    }

    /// What a session took, in its turns and beside them; turns that are no longer seen were paid
    /// for too. The cost is none as soon as one turn's is unknown.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn session_usage(&self, id: SessionId) -> Result<Usage, StoreError> {
        self.database().read(|connection| {
            let session = session::number(connection, id)?;
            let mut statement = connection.prepare_cached(
                "SELECT input_tokens, cached_tokens, cache_written_tokens, output_tokens, cost
                 FROM turn WHERE session = ?1
                 UNION ALL
                 SELECT input_tokens, cached_tokens, cache_written_tokens, output_tokens, cost
                 FROM spending WHERE session = ?1",
            )?;
            let turns = statement.query_map([session], |row| {
                let tokens = |column| {
                    row.get(column)
                        .map(|count: i64| u64::try_from(count).unwrap_or(0))
                };
                Ok(Usage {
                    input_tokens: tokens(0)?,
                    cached_tokens: tokens(1)?,
                    cache_written_tokens: tokens(2)?,
                    output_tokens: tokens(3)?,
                    cost: row
                        .get::<_, Option<i64>>(4)?
                        .and_then(|cost| u64::try_from(cost).ok())
                        .map(Cost),
                })
            })?;
            turns
                .map(|turn| Ok(turn?))
                .try_fold(Usage::default(), |sum, turn: Result<Usage, StoreError>| {
                    Ok(sum.plus(turn?))
                })
        })
    }

    /// Closes the turns left running by processes that are gone, and returns them.
    ///
    /// # Errors
    /// When the database can't be read or written.
    pub fn recover_interrupted(&self, now: Timestamp) -> Result<Vec<TurnId>, StoreError> {
        let is_left = |turn: &Running| !self.presence().is_alive(&turn.owner);
        if !self
            .database()
            .read_at_opening(running)?
            .iter()
            .any(is_left)
        {
            return Ok(Vec::new());
        }
        self.database().write(|transaction| {
            let left: Vec<Running> = running(transaction)?.into_iter().filter(is_left).collect();
            for turn in &left {
                tracing::warn!(turn_id = %turn.id, "a turn was interrupted when its process ended");
                interrupt(transaction, turn.number, now)?;
            }
            Ok(left.iter().map(|turn| turn.id).collect())
        })
    }

    /// Clears a session: its turns are no longer seen or sent. Can be undone for a week.
    ///
    /// # Errors
    /// `NotFound`, `TurnRunning`, or when it can't be written.
    pub fn clear_turns(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let session = session::number(transaction, id)?;
            self.free(transaction, session, now)?;
            transaction.execute(
                "UPDATE turn SET cleared_at = ?2 WHERE session = ?1 AND hidden_at IS NULL",
                params![session, now.as_millis()],
            )?;
            Ok(())
        })
    }

    /// Undoes the latest clearing of a session.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn restore_turns(&self, id: SessionId) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            let session = session::number(transaction, id)?;
            transaction.execute(
                "UPDATE turn SET cleared_at = NULL WHERE session = ?1 AND cleared_at =
                     (SELECT max(cleared_at) FROM turn WHERE session = ?1)",
                [session],
            )?;
            Ok(())
        })
    }

    pub(super) fn purge_turns(&self, before: i64) -> Result<(), StoreError> {
        for filter in ["turn.cleared_at < ?", "turn.replaced_at < ?"] {
            let sql = format!("SELECT EXISTS (SELECT 1 FROM turn WHERE {filter})");
            let any = self.database().read_at_opening(|connection| {
                Ok(connection.query_row(&sql, [before], |row| row.get::<_, bool>(0))?)
            })?;
            if any {
                self.database()
                    .write(|transaction| purge(transaction, filter, before))?;
            }
        }
        Ok(())
    }
}

/// Deletes turns for good. Their items are put in line for the index, which forgets them.
pub(super) fn purge(
    transaction: &Transaction<'_>,
    filter: &str,
    value: i64,
) -> Result<(), StoreError> {
    transaction.execute(
        &format!(
            "INSERT OR IGNORE INTO search_queue (item)
             SELECT item.number FROM turn JOIN item ON item.turn = turn.number WHERE {filter}"
        ),
        [value],
    )?;
    transaction.execute(&format!("DELETE FROM turn WHERE {filter}"), [value])?;
    Ok(())
}

/// The row number of a turn.
pub(super) fn number(connection: &Connection, id: TurnId) -> Result<i64, StoreError> {
    connection
        .prepare_cached("SELECT number FROM turn WHERE id = ?")?
        .query_row([id.to_bytes()], |row| row.get(0))
        .optional()?
        .ok_or(StoreError::NotFound("turn"))
}

/// Writes a whole turn down. One that was still running where it comes from is interrupted here.
pub(super) fn insert_record(
    transaction: &Transaction<'_>,
    session: i64,
    record: &TurnRecord,
) -> Result<(), StoreError> {
    let number = save(transaction, session, &record.turn, None)?;
    for item in &record.items {
        item::insert(transaction, number, item)?;
    }
    if record.turn.state == TurnState::Running {
        interrupt(transaction, number, record.turn.started_at)?;
    }
    Ok(())
}

struct Running {
    number: i64,
    id: TurnId,
    session: i64,
    owner: String,
}

fn running(connection: &Connection) -> Result<Vec<Running>, StoreError> {
    let mut statement = connection
        .prepare_cached("SELECT number, id, session, owner FROM turn WHERE state = 'running'")?;
    let turns = statement.query_map([], |row| {
        Ok(Running {
            number: row.get("number")?,
            id: TurnId::from_bytes(row.get("id")?),
            session: row.get("session")?,
            owner: row.get::<_, Option<String>>("owner")?.unwrap_or_default(),
        })
    })?;
    Ok(turns.collect::<Result<_, _>>()?)
}

fn interrupt(transaction: &Transaction<'_>, number: i64, now: Timestamp) -> Result<(), StoreError> {
    transaction.execute(
        "UPDATE turn SET state = 'interrupted', owner = NULL, finished_at = ?2 WHERE number = ?1",
        params![number, now.as_millis()],
    )?;
    item::close_open(transaction, number, now)
}

/// Inserts a turn or replaces what is known of it, and returns its number. Only a running one
/// keeps its owner.
fn save(
    transaction: &Transaction<'_>,
    session: i64,
    turn: &Turn,
    owner: Option<&str>,
) -> Result<i64, StoreError> {
    let tokens = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let number = transaction
        .prepare_cached(
            "INSERT INTO turn (id, session, state, owner, service, model, input_tokens,
                cached_tokens, cache_written_tokens, output_tokens, cost, finish, failure_code, failure_message, started_at,
                finished_at)
             VALUES (:id, :session, :state, :owner, :service, :model, :input, :cached, :written,
                :output, :cost, :finish, :code, :message, :started, :finished)
             ON CONFLICT (id) DO UPDATE SET
                service = excluded.service, model = excluded.model,
                state = excluded.state, owner = iif(excluded.state = 'running', owner, NULL),
                input_tokens = excluded.input_tokens, cached_tokens = excluded.cached_tokens,
                cache_written_tokens = excluded.cache_written_tokens,
                output_tokens = excluded.output_tokens, cost = excluded.cost, finish = excluded.finish,
                failure_code = excluded.failure_code, failure_message = excluded.failure_message,
                finished_at = excluded.finished_at
             RETURNING number",
        )?
        .query_row(
            named_params! {
                ":id": turn.id.to_bytes(),
                ":session": session,
                ":state": word(turn.state)?,
                ":owner": owner,
                ":service": turn.model.service.as_str(),
                ":model": turn.model.model.as_str(),
                ":input": tokens(turn.usage.input_tokens),
                ":cached": tokens(turn.usage.cached_tokens),
                ":written": tokens(turn.usage.cache_written_tokens),
                ":cost": turn.usage.cost.map(|Cost(cost)| tokens(cost)),
                ":output": tokens(turn.usage.output_tokens),
                ":finish": turn.finish.map(word).transpose()?,
                ":code": turn.failure.as_ref().map(|failure| failure.code.as_str()),
                ":message": turn.failure.as_ref().map(|failure| failure.message.as_str()),
                ":started": turn.started_at.as_millis(),
                ":finished": turn.finished_at.map(Timestamp::as_millis),
            },
            |row| row.get(0),
        )?;
    Ok(number)
}
