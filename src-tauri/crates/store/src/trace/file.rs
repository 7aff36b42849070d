//! The file of the traces: writing batches, and deleting what is too old or too much.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use talaria_domain::{Cost, Span, SpanContent};

use super::clean::{Clean, Kept};
use super::{Order, Retention, schema};
use crate::StoreError;
use crate::column::word;
use crate::database::{connect, set_up};
use crate::migration;
use crate::store::create_private;

/// Deleting begins above the bound and ends here, in hundredths of it, so that not every batch
/// deletes.
const TRIM_TO: u64 = 90;
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The open file.
pub(super) struct TraceFile {
    pub(super) connection: Connection,
    /// The newest moment that a span told: retention needs no clock beside it.
    newest: i64,
}

impl TraceFile {
    /// Opens the file to write, making what is missing.
    pub(super) fn make(path: &Path) -> Result<Self, StoreError> {
        create_private(path)?;
        let mut connection = connect_shrinking(path)?;
        migration::migrate_to(&mut connection, path, schema::MIGRATIONS)?;
        Ok(Self {
            connection,
            newest: 0,
        })
    }

    /// Opens the file to read.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = connect(path)?;
        migration::refuse_newer_than(&connection, schema::MIGRATIONS)?;
        Ok(Self {
            connection,
            newest: 0,
        })
    }

    /// Writes what is to be kept, and deletes what is to be forgotten, in one transaction.
    pub(super) fn write(&mut self, batch: &[Order], clean: &Clean) -> Result<(), StoreError> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        for order in batch {
            match order {
                Order::Keep(span) => {
                    self.newest = self.newest.max(span.ended_at.as_millis());
                    insert(&transaction, span, clean)?;
                }
                Order::Forget(session) => {
                    transaction
                        .prepare_cached("DELETE FROM trace WHERE session = ?")?
                        .execute([session.to_bytes()])?;
                }
                Order::Flush(_) => {}
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Deletes the turns that are too old, then the oldest ones while the file is too large.
    pub(super) fn trim(&mut self, retention: Retention) -> Result<(), StoreError> {
        if self.newest == 0 {
            return Ok(());
        }
        let kept = i64::from(retention.days).saturating_mul(DAY_MILLIS);
        let before = self.newest.saturating_sub(kept);
        let old: Option<i64> = self
            .connection
            .prepare_cached("SELECT number FROM trace WHERE started_at < ? LIMIT 1")?
            .query_row([before], |row| row.get(0))
            .optional()?;
        if old.is_some() {
            self.connection
                .execute("DELETE FROM trace WHERE started_at < ?", [before])?;
        }
        if self.used()? > retention.bytes {
            let enough = retention.bytes / 100 * TRIM_TO;
            while self.used()? > enough && self.delete_oldest()? > 0 {}
        }
        self.give_back()
    }

    /// Gives the pages that are free back to the system; each step of the statement gives one.
    fn give_back(&self) -> Result<(), StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("PRAGMA incremental_vacuum")?;
        let mut pages = statement.query([])?;
        while pages.next()?.is_some() {}
        Ok(())
    }

    /// Deletes a twentieth of the turns.
    fn delete_oldest(&self) -> Result<usize, StoreError> {
        // The newest turn stays, however large: it is what somebody is looking for.
        let deleted = self
            .connection
            .prepare_cached(
                "DELETE FROM trace WHERE number IN (
                     SELECT number FROM trace
                     WHERE number <> (SELECT max(number) FROM trace)
                     ORDER BY started_at LIMIT (SELECT max(1, count(*) / 20) FROM trace))",
            )?
            .execute([])?;
        Ok(deleted)
    }

    /// The bytes that are in use.
    fn used(&self) -> Result<u64, StoreError> {
        let pragma = |name: &str| -> Result<u64, StoreError> {
            let value: i64 = self
                .connection
                .pragma_query_value(None, name, |row| row.get(0))?;
            Ok(u64::try_from(value).unwrap_or(0))
        };
        let pages = pragma("page_count")?.saturating_sub(pragma("freelist_count")?);
        Ok(pages.saturating_mul(pragma("page_size")?))
    }
}

/// A connection to a file that can give back what it no longer needs, which is settled before the
/// first table is made.
fn connect_shrinking(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL")?;
    set_up(&connection)?;
    Ok(connection)
}

fn insert(transaction: &Transaction<'_>, span: &Span, clean: &Clean) -> Result<(), StoreError> {
    let Some(kept) = Kept::of(span, clean) else {
        return Ok(());
    };
    let (started, ended) = (span.started_at.as_millis(), span.ended_at.as_millis());
    let trace: i64 = transaction
        .prepare_cached(
            "INSERT INTO trace (turn, session, started_at, ended_at, spans) VALUES (?1, ?2, ?3, ?4, 1)
             ON CONFLICT (turn) DO UPDATE SET spans = spans + 1,
                 started_at = min(started_at, excluded.started_at),
                 ended_at = max(ended_at, excluded.ended_at)
             RETURNING number",
        )?
        .query_row(
            params![
                span.turn_id.to_bytes(),
                span.session_id.to_bytes(),
                started,
                ended
            ],
            |row| row.get(0),
        )?;
    transaction
        .prepare_cached("INSERT INTO span (trace, started_at, content, words) VALUES (?, ?, ?, ?)")?
        .execute(params![trace, started, kept.json, kept.words])?;
    sum_up(transaction, trace, span)
}

/// Brings the turn's line in keeping with a span.
fn sum_up(transaction: &Transaction<'_>, trace: i64, span: &Span) -> Result<(), StoreError> {
    let (model, usage) = match &span.content {
        SpanContent::Turn { model, state, .. } => {
            transaction
                .prepare_cached("UPDATE trace SET state = ? WHERE number = ?")?
                .execute(params![word(state)?, trace])?;
            (model, None)
        }
        SpanContent::Request { request } => (&request.model, Some(request.usage)),
        _ => return Ok(()),
    };
    let usage = usage.unwrap_or_default();
    let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
    let cost = usage
        .cost
        .map(|Cost(cost)| i64::try_from(cost).unwrap_or(i64::MAX));
    transaction
        .prepare_cached(
            "UPDATE trace SET service = ?2, model = ?3, tokens = tokens + ?4,
                 cost = iif(?5 IS NULL, cost, ifnull(cost, 0) + ?5) WHERE number = ?1",
        )?
        .execute(params![
            trace,
            model.service.as_str(),
            model.model.as_str(),
            i64::try_from(tokens).unwrap_or(i64::MAX),
            cost
        ])?;
    Ok(())
}
