//! The database's search as the tools' memory of other sessions.

use async_trait::async_trait;
use talaria_domain::SessionId;
use talaria_store::{SearchHit, Store, StoreError};
use talaria_tool::{Remembered, Sessions};
use time::OffsetDateTime;

/// So many hits of the session that asks are looked past.
const OWN_HITS: usize = 200;

/// The words of all sessions.
pub(crate) struct StoreSessions(pub(crate) Store);

#[async_trait]
impl Sessions for StoreSessions {
    async fn search(
        &self,
        but: SessionId,
        query: &str,
        limit: usize,
    ) -> Result<Vec<Remembered>, String> {
        let (store, query) = (self.0.clone(), query.to_owned());
        let found = tokio::task::spawn_blocking(move || {
            // The session's own words are in front of the model already, and may be many.
            let hits = store.search(&query, limit + OWN_HITS)?;
            let others = hits.into_iter().filter(|hit| hit.session_id != but);
            others
                .take(limit)
                .map(|hit| remembered(&store, hit))
                .collect()
        });
        let found: Result<Vec<Remembered>, StoreError> =
            found.await.map_err(|error| error.to_string())?;
        found.map_err(|error| error.to_string())
    }
}

fn remembered(store: &Store, hit: SearchHit) -> Result<Remembered, StoreError> {
    let at = store.turn(hit.turn_id)?.turn.started_at.as_millis();
    let day = OffsetDateTime::from_unix_timestamp(at / 1_000)
        .map(|moment| moment.date().to_string())
        .unwrap_or_default();
    Ok(Remembered {
        title: hit.title,
        day,
        excerpt: hit.excerpt.into_iter().map(|run| run.text).collect(),
    })
}
