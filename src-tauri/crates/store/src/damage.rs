//! A damaged database: found at start, set aside, and read for what is still in it.
//!
//! A full check reads the whole file, so it is done only where it is cheap or called for: when the
//! file is small, or when damage was met while it was in use. Called by `Store::open`, inside the
//! gate. After a process that ended without closing it, a large file is looked through later,
//! behind everything else.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fs_err as fs;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};
use talaria_domain::Timestamp;

use crate::migration::is_current;
use crate::{StoreError, table};

/// A file up to this size is checked at every start; it takes a few milliseconds.
pub(crate) const SMALL: u64 = 2 * 1024 * 1024;

/// How often a range that can't be read is halved, over one table. Bounds the time a hopeless
/// file takes.
const MOST_FAILURES: u32 = 20_000;

/// What a check found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    Sound,
    /// Only the search index was wrong; it is empty now and can be filled from the rows.
    IndexLost,
    Damaged,
}

/// Checks the whole file. An index that is wrong is dropped, which tells whether all else is well.
pub(crate) fn check(connection: &mut Connection) -> Result<Health, StoreError> {
    if is_sound(connection)? {
        return Ok(Health::Sound);
    }
    if is_current(connection) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let emptied = unless_damaged(table::empty_index(&transaction).map(|()| true))?;
        if emptied && is_sound(&transaction)? {
            transaction.commit()?;
            return Ok(Health::IndexLost);
        }
    }
    // The file is evidence from here on: closing it must not move its log into it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(Health::Damaged)
}

/// Looks through the whole file; an error says that it is damaged.
pub(crate) fn look(connection: &Connection) -> Result<(), StoreError> {
    if is_sound(connection)? {
        return Ok(());
    }
    let corrupt = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    Err(rusqlite::Error::SqliteFailure(corrupt, None).into())
}

fn is_sound(connection: &Connection) -> Result<bool, StoreError> {
    let verdict = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    unless_damaged(
        verdict
            .map(|verdict| verdict == "ok")
            .map_err(StoreError::from),
    )
}

/// False for an error that means damage; a busy or failing disk is another matter.
fn unless_damaged(result: Result<bool, StoreError>) -> Result<bool, StoreError> {
    match result {
        Err(error) if error.is_damage() => Ok(false),
        result => result,
    }
}

/// Renames the database and its log, and returns the new path. Nothing is deleted.
pub(crate) fn set_aside(database: &Path, now: Timestamp) -> Result<PathBuf, StoreError> {
    let mut aside = with_suffix(database, &format!(".corrupt-{}", now.as_millis()));
    let mut number = 1;
    while aside.exists() {
        aside = with_suffix(database, &format!(".corrupt-{}-{number}", now.as_millis()));
        number += 1;
    }
    for sidecar in ["-wal", "-shm"] {
        let from = with_suffix(database, sidecar);
        if from.exists() {
            fs::rename(from, with_suffix(&aside, sidecar))?;
        }
    }
    fs::rename(database, &aside)?;
    Ok(aside)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Copies every row that can be read from `damaged` into the new, empty database. Returns how many.
pub(crate) fn salvage(new: &mut Connection, damaged: &Path) -> Result<u64, StoreError> {
    let old = match open_readable(damaged) {
        Ok(old) => old,
        Err(error) => {
            tracing::warn!(%error, "nothing can be read from the damaged database");
            return Ok(0);
        }
    };
    new.pragma_update(None, "foreign_keys", false)?;
    let transaction = new.transaction()?;
    let mut saved = 0;
    for name in table::SALVAGED {
        saved += TableCopy::new(&old, &transaction, name)?.map_or(Ok(0), TableCopy::run)?;
    }
    transaction.execute_batch(table::MEND)?;
    transaction.commit()?;
    new.pragma_update(None, "foreign_keys", true)?;
    Ok(saved)
}

/// Opens the set-aside file so that nothing in it changes.
fn open_readable(damaged: &Path) -> Result<Connection, rusqlite::Error> {
    let old = Connection::open_with_flags(damaged, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    old.query_row("SELECT count(*) FROM sqlite_schema", [], |row| {
        row.get::<_, i64>(0)
    })?;
    Ok(old)
}

/// One table, copied in ranges that are halved around what can't be read.
struct TableCopy<'a> {
    old: &'a Connection,
    new: &'a Connection,
    name: &'static str,
    columns: Vec<String>,
    failures: u32,
    saved: u64,
}

impl<'a> TableCopy<'a> {
    /// None when the old file has no such table.
    fn new(
        old: &'a Connection,
        new: &'a Connection,
        name: &'static str,
    ) -> Result<Option<Self>, StoreError> {
        // An older file may lack columns of today; those keep their defaults.
        let there = columns(old, name).unwrap_or_default();
        let columns: Vec<String> = columns(new, name)?
            .into_iter()
            .filter(|column| there.contains(column))
            .collect();
        Ok((!columns.is_empty()).then_some(Self {
            old,
            new,
            name,
            columns,
            failures: 0,
            saved: 0,
        }))
    }

    fn run(mut self) -> Result<u64, StoreError> {
        let edge = |which: &str| {
            let sql = format!("SELECT {which}(rowid) FROM {}", self.name);
            self.old
                .query_row(&sql, [], |row| row.get::<_, Option<i64>>(0))
        };
        let first = edge("min").map_or(0, Option::unwrap_or_default);
        let last = edge("max").map_or(1 << 24, Option::unwrap_or_default);
        let mut ranges = vec![(first, last)];
        while let Some((from, to)) = ranges.pop() {
            if self.copy(from, to)? {
                continue;
            }
            self.failures += 1;
            if from < to && self.failures < MOST_FAILURES {
                let middle = from + (to - from) / 2;
                ranges.push((middle + 1, to));
                ranges.push((from, middle));
            }
        }
        if self.failures > 0 {
            tracing::warn!(
                table = self.name,
                saved = self.saved,
                "part of a table was unreadable"
            );
        }
        Ok(self.saved)
    }

    /// Copies the rows of a range; false when the old file can't be read there.
    fn copy(&mut self, from: i64, to: i64) -> Result<bool, StoreError> {
        let names = self.columns.join(", ");
        let places = vec!["?"; self.columns.len()].join(", ");
        let mut insert = self.new.prepare_cached(&format!(
            "INSERT OR IGNORE INTO {} ({names}) VALUES ({places})",
            self.name
        ))?;
        let sql = format!(
            "SELECT {names} FROM {} WHERE rowid BETWEEN ? AND ?",
            self.name
        );
        let Ok(mut select) = self.old.prepare_cached(&sql) else {
            return Ok(false);
        };
        let Ok(mut rows) = select.query(params![from, to]) else {
            return Ok(false);
        };
        loop {
            let Ok(next) = rows.next() else {
                return Ok(false);
            };
            let Some(row) = next else { return Ok(true) };
            let values: Result<Vec<rusqlite::types::Value>, _> = (0..self.columns.len())
                .map(|column| row.get(column))
                .collect();
            let Ok(values) = values else { return Ok(false) };
            // A row that doesn't fit its table (wrong type, no id) is damage too: passed over.
            match insert.execute(rusqlite::params_from_iter(values)) {
                Ok(changed) => self.saved += changed as u64,
                Err(error) if is_misfit(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

fn is_misfit(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            rusqlite::ffi::ErrorCode::ConstraintViolation | rusqlite::ffi::ErrorCode::TypeMismatch
        )
    )
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<String>, rusqlite::Error> {
    connection
        .prepare("SELECT name FROM pragma_table_info(?)")?
        .query_map([table], |row| row.get(0))?
        .collect()
}
