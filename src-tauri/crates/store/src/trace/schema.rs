//! How the file of the traces came to be.

use crate::migration::{Effect, Migration};

/// The steps, oldest first.
pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 2_026_120_101,
    effect: Effect::Adds,
    sql: "
    CREATE TABLE trace (
        number INTEGER PRIMARY KEY,
        turn BLOB NOT NULL UNIQUE,
        session BLOB NOT NULL,
        service TEXT,
        model TEXT,
        state TEXT NOT NULL DEFAULT 'running',
        spans INTEGER NOT NULL DEFAULT 0,
        tokens INTEGER NOT NULL DEFAULT 0,
        cost INTEGER,
        started_at INTEGER NOT NULL,
        ended_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX trace_by_time ON trace (started_at);
    CREATE INDEX trace_by_session ON trace (session);
    CREATE TABLE span (
        number INTEGER PRIMARY KEY,
        trace INTEGER NOT NULL REFERENCES trace (number) ON DELETE CASCADE,
        started_at INTEGER NOT NULL,
        content TEXT NOT NULL,
        words TEXT NOT NULL
    ) STRICT;
    CREATE INDEX span_by_trace ON span (trace, started_at);",
}];
