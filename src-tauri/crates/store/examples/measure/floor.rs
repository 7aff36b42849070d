//! The same work on the bare database: one table, one statement, no types.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};

use super::{HITS, Outcome, RUNS, share};

/// How long each of many appends took.
pub(crate) struct Appended {
    pub(crate) quick: Vec<Duration>,
    pub(crate) sure: Vec<Duration>,
}

/// All texts in one transaction, without an index.
pub(crate) fn import(texts: &[String]) -> Outcome<Duration> {
    let folder = tempfile::tempdir()?;
    let mut connection = table(&folder.path().join("bare.db"))?;
    let begun = Instant::now();
    let transaction = connection.transaction()?;
    {
        let mut insert = transaction.prepare("INSERT INTO message (text) VALUES (?)")?;
        for text in texts {
            insert.execute([text])?;
        }
    }
    transaction.commit()?;
    Ok(begun.elapsed())
}

/// One text a transaction, beside the real database so that the disk is the same.
pub(crate) fn append(folder: &Path, texts: &[String]) -> Outcome<Appended> {
    let connection = table(&folder.join("bare.db"))?;
    let each = |level: &str| -> Outcome<Vec<Duration>> {
        connection.pragma_update(None, "synchronous", level)?;
        let mut insert = connection.prepare("INSERT INTO message (text) VALUES (?)")?;
        texts
            .iter()
            .map(|text| {
                let begun = Instant::now();
                insert.execute([text])?;
                Ok(begun.elapsed())
            })
            .collect()
    };
    Ok(Appended {
        quick: each("NORMAL")?,
        sure: each("FULL")?,
    })
}

/// Opening the file and reading one number from it.
pub(crate) fn open(database: &Path) -> Outcome<Duration> {
    middle(|| {
        let connection = Connection::open(database)?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(())
    })
}

/// The rows of the list, without what is computed for them.
pub(crate) fn list(database: &Path) -> Outcome<Duration> {
    let connection = Connection::open(database)?;
    let mut select = connection.prepare(
        "SELECT id, title, updated_at FROM session WHERE deleted_at IS NULL AND archived = 0
         ORDER BY pinned DESC, updated_at DESC LIMIT 20",
    )?;
    middle(|| read(&mut select, params![]))
}

/// The texts of a session.
pub(crate) fn turns(database: &Path) -> Outcome<Duration> {
    let connection = Connection::open(database)?;
    let mut select = connection.prepare(
        "SELECT item.id, item.body FROM turn JOIN item ON item.turn = turn.number
         WHERE turn.session = 3 ORDER BY turn.number",
    )?;
    middle(|| read(&mut select, params![]))
}

/// The numbers of the newest hits, without their texts.
pub(crate) fn search(database: &Path, query: &str) -> Outcome<Duration> {
    let connection = Connection::open(database)?;
    let phrase = format!("\"{}\"", query.replace('-', " "));
    let mut select = connection
        .prepare("SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?")?;
    middle(|| read(&mut select, params![phrase, HITS as i64]))
}

fn read(select: &mut rusqlite::Statement<'_>, values: &[&dyn rusqlite::ToSql]) -> Outcome<()> {
    let mut rows = select.query(values)?;
    while let Some(row) = rows.next()? {
        std::hint::black_box(row.get_ref(0)?);
    }
    Ok(())
}

fn middle(work: impl FnMut() -> Outcome<()>) -> Outcome<Duration> {
    let mut times = super::timed(work)?;
    debug_assert_eq!(times.len(), RUNS);
    Ok(share(&mut times, 50))
}

fn table(path: &Path) -> Outcome<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
         CREATE TABLE message (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;",
    )?;
    Ok(connection)
}
