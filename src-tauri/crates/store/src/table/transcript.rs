//! Reading turns with their items: the latest, the ones before, one by its id.

use std::collections::HashMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};
use talaria_domain::{Cost, Item, ItemId, SessionId, Turn, TurnFailure, TurnId, Usage};

use super::{item, session, turn};
use crate::column::{model, optional_timestamp, timestamp, word_at};
use crate::{Store, StoreError};

/// A turn with its items, in order. The first is the user's text.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnRecord {
    /// The turn.
    pub turn: Turn,
    /// What happened in it.
    pub items: Vec<Item>,
}

/// Some turns of a session, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnPage {
    /// The turns.
    pub turns: Vec<TurnRecord>,
    /// Whether there are earlier ones.
    pub has_earlier: bool,
}

impl Store {
    /// One turn with its items, hidden or not.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be read.
    pub fn turn(&self, id: TurnId) -> Result<TurnRecord, StoreError> {
        self.database().read(|connection| {
            let number = turn::number(connection, id)?;
            let mut records = records(connection, "turn.number = ?", params![number])?;
            records.pop().ok_or(StoreError::NotFound("turn"))
        })
    }

    /// The latest turns of a session.
    ///
    /// # Errors
    /// `NotFound`, or when they can't be read.
    pub fn turns(&self, session: SessionId, limit: usize) -> Result<TurnPage, StoreError> {
        self.page(session, i64::MAX, limit)
    }

    /// The turns of a session before a known one.
    ///
    /// # Errors
    /// `NotFound`, or when they can't be read.
    pub fn turns_before(
        &self,
        session: SessionId,
        before: TurnId,
        limit: usize,
    ) -> Result<TurnPage, StoreError> {
        let before = self
            .database()
            .read(|connection| turn::number(connection, before))?;
        self.page(session, before, limit)
    }

    fn page(&self, id: SessionId, before: i64, limit: usize) -> Result<TurnPage, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.database().read(|connection| {
            let session = session::number(connection, id)?;
            let numbers: Vec<i64> = connection
                .prepare_cached(
                    "SELECT number FROM turn WHERE session = ? AND number < ?
                     AND hidden_at IS NULL ORDER BY number DESC LIMIT ?",
                )?
                .query_map([session, before, limit.saturating_add(1)], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            let has_earlier = i64::try_from(numbers.len()).unwrap_or(i64::MAX) > limit;
            let shown = numbers.len() - usize::from(has_earlier);
            let Some(first) = numbers.get(..shown).and_then(<[i64]>::last) else {
                return Ok(TurnPage {
                    turns: Vec::new(),
                    has_earlier,
                });
            };
            let filter = "turn.session = ? AND turn.number >= ? AND turn.number < ?
                          AND turn.hidden_at IS NULL";
            let turns = records(connection, filter, params![session, first, before])?;
            Ok(TurnPage { turns, has_earlier })
        })
    }
}

/// Gives turns and items new ids and a new session. Gives back each item's new id by its old one.
pub(super) fn renew(
    records: &mut [TurnRecord],
    session: SessionId,
    mut random: impl FnMut() -> [u8; 10],
) -> HashMap<ItemId, ItemId> {
    let mut renewed = HashMap::new();
    for record in records {
        record.turn.id = TurnId::from_parts(record.turn.started_at, random());
        record.turn.session_id = session;
        for item in &mut record.items {
            let id = ItemId::from_parts(item.started_at, random());
            renewed.insert(item.id, id);
            item.id = id;
            item.turn_id = record.turn.id;
        }
    }
    renewed
}

fn records(
    connection: &Connection,
    filter: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<Vec<TurnRecord>, StoreError> {
    let sql = format!(
        "SELECT turn.number, {COLUMNS} FROM turn
         JOIN session ON session.number = turn.session WHERE {filter} ORDER BY turn.number"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(values)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push((
            row.get(0)?,
            TurnRecord {
                turn: from_row(row)?,
                items: Vec::new(),
            },
        ));
    }
    item::fill(connection, filter, values, &mut records)?;
    Ok(records.into_iter().map(|(_, record)| record).collect())
}

/// What `from_row` reads, in its order, from the second column on.
const COLUMNS: &str = "turn.id, session.id, turn.state, turn.service, turn.model,
    turn.input_tokens, turn.cached_tokens, turn.cache_written_tokens, turn.output_tokens,
    turn.cost, turn.finish, turn.failure_code, turn.failure_message, turn.started_at,
    turn.finished_at";

fn from_row(row: &Row<'_>) -> Result<Turn, StoreError> {
    let unreadable = || StoreError::Unreadable("turn");
    let tokens = |column: usize| -> Result<u64, StoreError> {
        u64::try_from(row.get::<_, i64>(column)?).map_err(|_| unreadable())
    };
    let failure = match row.get_ref(12)? {
        ValueRef::Null => None,
        _ => Some(TurnFailure {
            code: word_at("turn", row, 12)?,
            message: row.get::<_, Option<String>>(13)?.unwrap_or_default(),
        }),
    };
    let finish = match row.get_ref(11)? {
        ValueRef::Null => None,
        _ => Some(word_at("turn", row, 11)?),
    };
    Ok(Turn {
        id: TurnId::from_bytes(row.get(1)?),
        session_id: SessionId::from_bytes(row.get(2)?),
        state: word_at("turn", row, 3)?,
        model: model(row, 4)?.ok_or_else(unreadable)?,
        usage: Usage {
            input_tokens: tokens(6)?,
            cached_tokens: tokens(7)?,
            cache_written_tokens: tokens(8)?,
            output_tokens: tokens(9)?,
            cost: row
                .get::<_, Option<i64>>(10)?
                .and_then(|cost| u64::try_from(cost).ok())
                .map(Cost),
        },
        finish,
        failure,
        started_at: timestamp(row, 14)?,
        finished_at: optional_timestamp(row, 15)?,
    })
}
