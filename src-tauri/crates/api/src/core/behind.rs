//! What the core does behind everything else: nobody waits for it, and its failure stops nothing.

use super::Core;

impl Core {
    /// Brings the search index up to date, behind everything else.
    pub(crate) fn index_soon(&self) {
        let store = self.store();
        tokio::task::spawn_blocking(move || {
            if let Err(error) = store.update_index() {
                tracing::warn!(%error, "the search index is behind");
            }
        });
    }

    /// Deletes the traces of sessions that are deleted for good, behind everything else.
    pub(super) fn forget_traces_soon(&self) {
        let (store, traces) = (self.store(), self.traces().clone());
        tokio::task::spawn_blocking(move || {
            let forgotten = traces.sessions().and_then(|sessions| {
                for session in sessions {
                    if !store.keeps_session(session)? {
                        traces.forget(session);
                    }
                }
                Ok(())
            });
            if let Err(error) = forgotten {
                tracing::warn!(%error, "the traces of deleted sessions could not be looked for");
            }
        });
    }

    /// Looks through a large database that was not closed, behind everything else: damage that is
    /// found is mended at the next start.
    pub(super) fn check_soon(&self) {
        if !self.inner.unchecked {
            return;
        }
        let store = self.store();
        tokio::task::spawn_blocking(move || match store.check() {
            Ok(()) => tracing::info!("the database is sound"),
            Err(error) => tracing::error!(%error, "the database is to be mended at the next start"),
        });
    }
}
