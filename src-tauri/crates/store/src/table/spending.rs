//! `spending`: tokens that a session took beside its turns, such as for a summary by hand.

use rusqlite::params;
use talaria_domain::{Cost, SessionId, Timestamp, Usage};

use super::session;
use crate::migration::{Effect, Migration};
use crate::{Store, StoreError};

pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 2_026_120_131,
    effect: Effect::Adds,
    sql: "
        CREATE TABLE spending (
            number INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            input_tokens INTEGER NOT NULL,
            cached_tokens INTEGER NOT NULL,
            cache_written_tokens INTEGER NOT NULL,
            output_tokens INTEGER NOT NULL,
            cost INTEGER,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX spending_of_session ON spending (session);",
}];

impl Store {
    /// Notes what a session took beside its turns. Nothing is noted where nothing was taken.
    ///
    /// # Errors
    /// `NotFound`, or when it can't be written.
    pub fn note_spending(
        &self,
        id: SessionId,
        usage: Usage,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if usage.is_empty() {
            return Ok(());
        }
        let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        self.database().write(|transaction| {
            let session = session::number(transaction, id)?;
            transaction
                .prepare_cached(
                    "INSERT INTO spending (session, input_tokens, cached_tokens,
                         cache_written_tokens, output_tokens, cost, at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    session,
                    count(usage.input_tokens),
                    count(usage.cached_tokens),
                    count(usage.cache_written_tokens),
                    count(usage.output_tokens),
                    usage.cost.map(|Cost(cost)| count(cost)),
                    now.as_millis(),
                ])?;
            Ok(())
        })
    }
}
