//! Which version of which file a session's model has seen. What it has not read, it may not
//! overwrite: it would not know what it destroys.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};
use talaria_domain::SessionId;

/// So many files are remembered; the rest has to be read again.
const REMEMBERED: usize = 4_096;

/// Stands for a content.
pub(super) type Version = [u8; 32];

/// What sessions have seen. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Seen {
    files: Arc<Mutex<HashMap<(SessionId, String), Version>>>,
}

impl Seen {
    pub(super) fn note(&self, session: SessionId, path: &str, content: &[u8]) {
        let mut files = self.lock();
        if files.len() >= REMEMBERED {
            files.clear();
        }
        files.insert((session, path.to_owned()), version(content));
    }

    /// Whether the session has seen the file as it is now.
    pub(super) fn knows(&self, session: SessionId, path: &str, content: &[u8]) -> bool {
        let files = self.lock();
        files.get(&(session, path.to_owned())) == Some(&version(content))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(SessionId, String), Version>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn version(content: &[u8]) -> Version {
    Sha256::digest(content).into()
}
