//! `search` and `search_queue`: finding words in all sessions.
//!
//! A completed text only puts its number into the queue, in the transaction that completes it. The
//! index takes from the queue later, in transactions of its own, so that whatever happens to the
//! index, the transcript is safe. The index holds no text of its own and is joined with the real
//! rows, so that what was deleted, cleared or replaced is never found.

use rusqlite::{Connection, Transaction, params};
use talaria_domain::{SessionId, TurnId};

use crate::excerpt::{ExcerptRun, excerpt};
use crate::migration::{Effect, Migration};
use crate::word::{Query, index_text};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[
    Migration {
        number: 2_026_120_106,
        effect: Effect::Adds,
        sql: "CREATE TABLE search_queue (item INTEGER PRIMARY KEY) STRICT;",
    },
    Migration {
        number: 2_026_120_107,
        effect: Effect::Adds,
        sql: INDEX,
    },
    Migration {
        number: 2_026_120_116,
        effect: Effect::Adds,
        sql: MERGING,
    },
];

/// The words are cut by this program (see `word`); the tokenizer only parts them at spaces.
const INDEX: &str = "CREATE VIRTUAL TABLE search USING fts5
    (words, content = '', contentless_delete = 1, tokenize = 'ascii');";

/// A text is in the index as soon as it is complete; what it costs to keep the index in few pieces
/// is paid when there are sixteen of a size, not a little each time by whoever waits.
/// A whole batch fits into the memory it is gathered in, so that it becomes one piece.
const MERGING: &str = "INSERT INTO search (search, rank) VALUES ('automerge', 0);
    INSERT INTO search (search, rank) VALUES ('hashsize', 8388608);";

/// Texts taken from the queue in one transaction.
const BATCH: usize = 2_000;

/// A hit of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHit {
    /// The session.
    pub session_id: SessionId,
    /// Its title.
    pub title: String,
    /// The turn the words stand in.
    pub turn_id: TurnId,
    /// The words around the hit.
    pub excerpt: Vec<ExcerptRun>,
}

impl Store {
    /// Finds the texts that hold every part of a query, newest first. Any text is a good query.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn search(&self, query: &str, limit: usize) -> Result<Vec<SearchHit>, StoreError> {
        let Some(query) = Query::new(query) else {
            return Ok(Vec::new());
        };
        self.update_index_or_warn();
        let hits = || {
            self.database()
                .read(|connection| find(connection, &query, limit))
        };
        match hits() {
            Err(error) if error.is_damage() => {
                tracing::warn!(%error, "the search index is damaged and is made anew");
                self.rebuild_index()?;
                hits()
            }
            hits => hits,
        }
    }

    /// Brings the index up to date. Called after each turn and before each search.
    ///
    /// # Errors
    /// When the index can't be written, even after it was made anew.
    pub fn update_index(&self) -> Result<(), StoreError> {
        match self.drain_queue() {
            Err(error) if error.is_damage() => {
                tracing::warn!(%error, "the search index is damaged and is made anew");
                self.rebuild_index()
            }
            result => result,
        }
    }

    /// Makes the search index anew from the texts.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn rebuild_index(&self) -> Result<(), StoreError> {
        self.database().write(|transaction| {
            empty_index(transaction)?;
            transaction.execute_batch(
                "INSERT OR IGNORE INTO search_queue (item)
                     SELECT number FROM item WHERE finished_at IS NOT NULL
                     AND kind IN ('user_text', 'model_text');",
            )?;
            Ok(())
        })?;
        self.drain_queue()
    }

    /// As `update_index`, where a failure must not stop anything.
    pub(crate) fn update_index_or_warn(&self) {
        if let Err(error) = self.update_index() {
            tracing::warn!(%error, "the search index could not be brought up to date");
        }
    }

    fn drain_queue(&self) -> Result<(), StoreError> {
        let waits = |connection: &Connection| -> Result<bool, StoreError> {
            Ok(connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM search_queue)")?
                .query_row([], |row| row.get(0))?)
        };
        if self.database().read(waits)? {
            while self.database().write(take_batch)? == Queue::Waits {}
        }
        Ok(())
    }
}

/// Whether there may be more in the queue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Queue {
    Waits,
    Empty,
}

/// Replaces the index by one that knows nothing yet.
pub(crate) fn empty_index(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.execute_batch(&format!("DROP TABLE IF EXISTS search; {INDEX} {MERGING}"))?)
}

fn take_batch(transaction: &Transaction<'_>) -> Result<Queue, StoreError> {
    let mut queued = transaction.prepare_cached(
        "SELECT search_queue.item, item.body FROM search_queue
         LEFT JOIN item ON item.number = search_queue.item ORDER BY search_queue.item LIMIT ?",
    )?;
    let mut put =
        transaction.prepare_cached("INSERT OR REPLACE INTO search (rowid, words) VALUES (?, ?)")?;
    let mut forget = transaction.prepare_cached("DELETE FROM search WHERE rowid = ?")?;
    let mut rows = queued.query([BATCH as i64])?;
    let (mut taken, mut last) = (0, None);
    while let Some(row) = rows.next()? {
        let item: i64 = row.get(0)?;
        match row.get_ref(1)?.as_str_or_null().unwrap_or_default() {
            Some(body) => put.execute(params![item, index_text(body)])?,
            None => forget.execute([item])?,
        };
        taken += 1;
        last = Some(item);
    }
    transaction
        .prepare_cached("DELETE FROM search_queue WHERE item <= ?")?
        .execute([last])?;
    Ok(if taken == BATCH {
        Queue::Waits
    } else {
        Queue::Empty
    })
}

/// The hits of the query as it is written, or else of its wider form.
fn find(
    connection: &Connection,
    query: &Query,
    limit: usize,
) -> Result<Vec<SearchHit>, StoreError> {
    let hits = matching(connection, query, &query.exact, limit)?;
    match &query.wider {
        Some(wider) if hits.is_empty() => matching(connection, query, wider, limit),
        _ => Ok(hits),
    }
}

fn matching(
    connection: &Connection,
    query: &Query,
    words: &str,
    limit: usize,
) -> Result<Vec<SearchHit>, StoreError> {
    // CROSS JOIN keeps the order of the tables: the index walks from the newest hit and stops.
    let mut statement = connection.prepare_cached(
        "SELECT session.id, session.title, turn.id, item.body FROM search
         CROSS JOIN item ON item.number = search.rowid
         CROSS JOIN turn ON turn.number = item.turn
         CROSS JOIN session ON session.number = turn.session
         WHERE search MATCH ?1 AND turn.hidden_at IS NULL AND session.deleted_at IS NULL
         ORDER BY search.rowid DESC LIMIT ?2",
    )?;
    let as_beginning = words != query.exact || words.ends_with('*');
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let hits = statement.query_map(params![words, limit], |row| {
        let body: String = row.get(3)?;
        Ok(SearchHit {
            session_id: SessionId::from_bytes(row.get(0)?),
            title: row.get(1)?,
            turn_id: TurnId::from_bytes(row.get(2)?),
            excerpt: excerpt(&body, &query.terms, as_beginning),
        })
    })?;
    Ok(hits.collect::<Result<_, _>>()?)
}
