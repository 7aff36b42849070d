//! Brings a database to the form this program knows.
//!
//! Each table's file holds the dated steps that made it. They are only ever added to. The number
//! of the newest step applied is the file's `user_version`, so that a file of today costs one
//! comparison, and a file of tomorrow is refused instead of damaged.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::{StoreError, table};

/// One step, applied whole or not at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    /// The day it was written and its place in that day, as YYYYMMDDNN. Higher is later.
    pub(crate) number: i64,
    /// Whether data is changed or dropped in a way that needs a copy first.
    pub(crate) effect: Effect,
    /// What it does.
    pub(crate) sql: &'static str,
}

/// What a step does to rows that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Adds to the schema; every row stays as it is.
    Adds,
    /// Rewrites or drops rows: the database is copied first.
    Breaks,
}

/// Applies what is missing.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    migrate_to(connection, path, &table::migrations())
}

/// The same for a file with steps of its own.
pub(crate) fn migrate_to(
    connection: &mut Connection,
    path: &Path,
    migrations: &[Migration],
) -> Result<(), StoreError> {
    refuse_newer_than(connection, migrations)?;
    apply(connection, path, migrations)
}

fn apply(
    connection: &mut Connection,
    path: &Path,
    migrations: &[Migration],
) -> Result<(), StoreError> {
    let found = version(connection)?;
    for migration in migrations
        .iter()
        .filter(|migration| migration.number > found)
    {
        if migration.effect == Effect::Breaks && found > 0 {
            back_up(connection, path, migration.number)?;
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another program that started with this one may have done it meanwhile.
        if version(&transaction)? >= migration.number {
            continue;
        }
        transaction.execute_batch(migration.sql)?;
        transaction.pragma_update(None, "user_version", migration.number)?;
        transaction.commit()?;
        tracing::info!(number = migration.number, "database migrated");
    }
    Ok(())
}

/// Refuses a database of a newer program, which this one must not even check.
pub(crate) fn refuse_newer(connection: &Connection) -> Result<(), StoreError> {
    refuse_newer_than(connection, &table::migrations())
}

/// The same for a file with steps of its own.
pub(crate) fn refuse_newer_than(
    connection: &Connection,
    migrations: &[Migration],
) -> Result<(), StoreError> {
    let known = migrations.last().map_or(0, |last| last.number);
    let found = version(connection)?;
    if found > known {
        Err(StoreError::Newer { found, known })
    } else {
        Ok(())
    }
}

/// Whether a database has today's form.
pub(crate) fn is_current(connection: &Connection) -> bool {
    version(connection).is_ok_and(|found| found == newest())
}

fn newest() -> i64 {
    table::migrations().last().map_or(0, |last| last.number)
}

fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Copies the database beside itself; `VACUUM INTO` takes what is still in the log along.
fn back_up(connection: &Connection, path: &Path, number: i64) -> Result<(), StoreError> {
    let mut copy = path.as_os_str().to_owned();
    copy.push(format!(".before-{number}"));
    if Path::new(&copy).exists() {
        // An earlier try made it and then failed; the rows are still those.
        return Ok(());
    }
    connection.execute("VACUUM INTO ?1", [copy.to_string_lossy()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{Effect, Migration, apply, migrate, version};
    use crate::{StoreError, table};

    const FIRST: Migration = Migration {
        number: 1,
        effect: Effect::Adds,
        sql: "CREATE TABLE a (x TEXT)",
    };

    fn file() -> (tempfile::TempDir, std::path::PathBuf, Connection) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.db");
        let connection = Connection::open(&path).unwrap();
        (folder, path, connection)
    }

    #[test]
    fn the_steps_are_dated_ordered_and_single() {
        let numbers: Vec<i64> = table::migrations().iter().map(|step| step.number).collect();
        assert!(
            numbers.windows(2).all(|pair| pair[0] < pair[1]),
            "{numbers:?}"
        );
        assert!(
            numbers
                .iter()
                .all(|number| (2_026_010_100..2_100_000_000).contains(number))
        );
    }

    #[test]
    fn a_blank_file_is_brought_to_today_and_a_second_time_changes_nothing() {
        let (_folder, path, mut connection) = file();
        migrate(&mut connection, &path).unwrap();
        let schema = |connection: &Connection| -> i64 {
            connection
                .pragma_query_value(None, "schema_version", |row| row.get(0))
                .unwrap()
        };
        let before = schema(&connection);
        migrate(&mut connection, &path).unwrap();
        assert_eq!(schema(&connection), before);
    }

    #[test]
    fn a_file_at_any_earlier_step_is_brought_to_today() {
        let steps = table::migrations();
        for reached in 0..=steps.len() {
            let (_folder, path, mut connection) = file();
            apply(&mut connection, &path, &steps[..reached]).unwrap();
            migrate(&mut connection, &path).unwrap();
            assert_eq!(version(&connection).unwrap(), steps.last().unwrap().number);
        }
    }

    #[test]
    fn a_newer_file_is_refused_and_left_alone() {
        let (_folder, path, mut connection) = file();
        connection
            .pragma_update(None, "user_version", 2_099_010_100_i64)
            .unwrap();
        let error = migrate(&mut connection, &path).unwrap_err();
        assert!(matches!(
            error,
            StoreError::Newer {
                found: 2_099_010_100,
                ..
            }
        ));
        assert!(error.to_string().contains("newer Talaria"));
        assert_eq!(version(&connection).unwrap(), 2_099_010_100);
    }

    #[test]
    fn a_step_that_fails_leaves_nothing_behind() {
        let (_folder, path, mut connection) = file();
        let broken = Migration {
            number: 2,
            effect: Effect::Adds,
            sql: "CREATE TABLE b (x TEXT); CREATE TABLE a (x TEXT)",
        };
        assert!(apply(&mut connection, &path, &[FIRST, broken]).is_err());
        assert_eq!(version(&connection).unwrap(), 1);
        assert!(connection.prepare("SELECT * FROM b").is_err());
    }

    #[test]
    fn a_breaking_step_is_preceded_by_a_copy_with_the_old_rows() {
        let (_folder, path, mut connection) = file();
        let breaking = Migration {
            number: 2,
            effect: Effect::Breaks,
            sql: "DROP TABLE a",
        };
        apply(&mut connection, &path, &[FIRST]).unwrap();
        connection
            .execute("INSERT INTO a VALUES ('旧')", [])
            .unwrap();
        apply(&mut connection, &path, &[FIRST, breaking]).unwrap();
        let copy = Connection::open(path.with_file_name("t.db.before-2")).unwrap();
        let text: String = copy
            .query_row("SELECT x FROM a", [], |row| row.get(0))
            .unwrap();
        assert_eq!(text, "旧");
    }

    #[test]
    fn a_blank_file_needs_no_copy() {
        let (_folder, path, mut connection) = file();
        let breaking = Migration {
            number: 2,
            effect: Effect::Breaks,
            sql: "DROP TABLE a",
        };
        apply(&mut connection, &path, &[FIRST, breaking]).unwrap();
        assert!(!path.with_file_name("t.db.before-2").exists());
    }

    #[test]
    fn programs_that_migrate_at_once_do_each_step_once() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("talaria.db");
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        let mut connection = crate::database::connect(&path).unwrap();
                        migrate(&mut connection, &path).unwrap();
                    });
                }
            });
        }
    }
}
