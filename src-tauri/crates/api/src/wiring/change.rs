//! The database as the file tools' log of changes.

use std::sync::Arc;

use talaria_agent::port::Clock;
use talaria_domain::FileChangeId;
use talaria_store::{NewFileChange, Store};
use talaria_tool::file::{ChangeLog, FileChange};

use super::SystemClock;

/// Keeps what files held before tools changed them.
pub(crate) struct StoreChanges {
    store: Store,
    clock: Arc<SystemClock>,
}

impl StoreChanges {
    pub(crate) fn new(store: Store, clock: Arc<SystemClock>) -> Self {
        Self { store, clock }
    }
}

impl ChangeLog for StoreChanges {
    fn keep(&self, change: &FileChange) -> Result<FileChangeId, String> {
        let at = self.clock.now();
        let id = FileChangeId::from_parts(at, self.clock.random());
        let kept = NewFileChange {
            id,
            session_id: change.session_id,
            turn_id: change.turn_id,
            item_id: change.item_id,
            path: change.path.clone(),
            before: change.before.clone(),
            after: Some(change.after.clone()),
            at,
        };
        let kept = self.store.keep_file_change(&kept);
        kept.map(|()| id).map_err(|error| error.to_string())
    }

    fn made(&self, id: FileChangeId) {
        // A change that was made and not noted is found by what its file holds.
        if let Err(error) = self.store.mark_made(id) {
            tracing::warn!(%error, "a change of a file could not be noted as made");
        }
    }
}
