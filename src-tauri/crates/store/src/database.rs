//! The database's connections: one that writes, and a few that read.
//!
//! Used by every table's file. A write begins as a write (`BEGIN IMMEDIATE`), so that it waits for
//! other processes at its start and never fails in its middle.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fs_err as fs;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::StoreError;

/// How long a statement waits for another process's write.
const BUSY_WAIT: Duration = Duration::from_secs(5);
/// How often that is looked at where SQLite does not wait by itself.
const BUSY_GLANCE: Duration = Duration::from_millis(5);
/// How many idle readers are kept open.
const IDLE_READERS: usize = 3;

/// How surely a write is on disk when it returns. A killed process loses nothing either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Survives the end of the process; the newest may be lost when the power fails.
    Process,
    /// Survives a power failure too.
    Power,
}

/// The open database.
pub(crate) struct Database {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

impl Database {
    /// Takes a connection that was checked and migrated.
    pub(crate) fn new(path: PathBuf, writer: Connection) -> Self {
        Self {
            path,
            writer: Mutex::new(writer),
            readers: Mutex::new(Vec::new()),
        }
    }

    /// Runs a piece of reading; all of it sees the same moment.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let idle = self
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let reader = idle.map_or_else(|| connect(&self.path), Ok)?;
        let result = reader
            .unchecked_transaction()
            .map_err(StoreError::from)
            .and_then(|transaction| work(&transaction));
        let result = self.noting_damage(result)?;
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < IDLE_READERS {
            readers.push(reader);
        }
        Ok(result)
    }

    /// Runs a piece of reading on the connection that writes: while the store is opened there is
    /// no other yet, and to make one takes longer than what is read.
    pub(crate) fn read_at_opening<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let result = work(&writer);
        self.noting_damage(result)
    }

    /// Runs a piece of writing, whole or not at all.
    pub(crate) fn write<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write_with(Durability::Process, work)
    }

    /// As `write`, with a say in how sure it must be.
    pub(crate) fn write_with<T>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let result = match durability {
            Durability::Process => run(&mut writer, work),
            Durability::Power => {
                writer.pragma_update(None, "synchronous", "FULL")?;
                let result = run(&mut writer, work);
                writer.pragma_update(None, "synchronous", "NORMAL")?;
                result
            }
        };
        self.noting_damage(result)
    }

    /// Leaves a mark when the file turns out to be damaged, so that the next start looks closely.
    fn noting_damage<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(error) = &result
            && error.is_damage()
        {
            tracing::error!(%error, "the database is damaged; it will be checked at the next start");
            if let Err(error) = fs::write(suspicion(&self.path), "") {
                tracing::warn!(%error, "the mark for the next start could not be made");
            }
        }
        result
    }
}

fn run<T>(
    writer: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let value = work(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

/// The file whose being there says that damage was met while the database was in use.
pub(crate) fn suspicion(database: &Path) -> PathBuf {
    database.with_extension("db.suspect")
}

/// Opens a connection with the settings all of them share.
pub(crate) fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    set_up(&connection)?;
    Ok(connection)
}

/// Gives a connection those settings.
pub(crate) fn set_up(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(BUSY_WAIT)?;
    connection.set_prepared_statement_cache_capacity(64);
    write_ahead(connection)?;
    connection.execute_batch(
        "PRAGMA synchronous = NORMAL;
         PRAGMA foreign_keys = ON;
         PRAGMA temp_store = MEMORY;",
    )?;
    Ok(())
}

/// Turns the write-ahead log on. SQLite does not wait by itself where several programs do that to a
/// new file at once.
fn write_ahead(connection: &Connection) -> Result<(), StoreError> {
    let began = Instant::now();
    loop {
        let turned = connection.pragma_update(None, "journal_mode", "WAL");
        match turned.map_err(StoreError::from) {
            Err(StoreError::Busy) if began.elapsed() < BUSY_WAIT => std::thread::sleep(BUSY_GLANCE),
            turned => return turned,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Database, Durability, connect, suspicion};
    use crate::StoreError;

    fn database() -> (tempfile::TempDir, Database) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("talaria.db");
        let writer = connect(&path).unwrap();
        writer.execute_batch("CREATE TABLE a (x TEXT)").unwrap();
        (folder, Database::new(path, writer))
    }

    fn put(database: &Database, text: &str) -> Result<(), StoreError> {
        database.write(|transaction| {
            transaction.execute("INSERT INTO a VALUES (?)", [text])?;
            Ok(())
        })
    }

    fn count(database: &Database) -> i64 {
        database
            .read(
                |connection| Ok(connection.query_row("SELECT count(*) FROM a", [], |r| r.get(0))?),
            )
            .unwrap()
    }

    #[test]
    fn a_full_disk_is_told_and_loses_nothing_that_was_there() {
        let (_folder, database) = database();
        put(&database, "kept").unwrap();
        // A limit on the file stands in for a limit of the disk.
        database
            .write(|transaction| {
                transaction.pragma_update(None, "max_page_count", 10)?;
                Ok(())
            })
            .unwrap();
        let refused = put(&database, &"long".repeat(100_000));
        assert!(matches!(refused, Err(StoreError::DiskFull)), "{refused:?}");
        put(&database, "more").unwrap();
        assert_eq!(count(&database), 2);
    }

    #[test]
    fn a_write_that_fails_leaves_nothing_behind() {
        let (_folder, database) = database();
        let refused: Result<(), _> = database.write(|transaction| {
            transaction.execute("INSERT INTO a VALUES ('half')", [])?;
            Err(StoreError::NotFound("session"))
        });
        assert!(refused.is_err());
        assert_eq!(count(&database), 0);
    }

    #[test]
    fn the_surest_write_leaves_the_others_quick() {
        let (_folder, database) = database();
        database.write_with(Durability::Power, |_| Ok(())).unwrap();
        let level: i64 = database
            .write(|transaction| {
                Ok(transaction.pragma_query_value(None, "synchronous", |row| row.get(0))?)
            })
            .unwrap();
        assert_eq!(level, 1);
    }

    #[test]
    fn damage_met_in_use_leaves_a_mark_for_the_next_start() {
        let (_folder, database) = database();
        let corrupt = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        let failed: Result<(), _> =
            database.read(|_| Err(rusqlite::Error::SqliteFailure(corrupt, None).into()));
        assert!(failed.is_err() && suspicion(&database.path).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_written_is_told() {
        let (folder, database) = database();
        put(&database, "x").unwrap();
        let missing = connect(&folder.path().join("no/such/folder.db"));
        assert!(matches!(missing, Err(StoreError::ReadOnly)));
    }
}
