//! Which version of which file a session's model has seen, and how much of it. What it has not read,
//! it may not overwrite: it would not know what it destroys.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};
use talaria_domain::SessionId;

/// So many files are remembered; the rest has to be read again.
const REMEMBERED: usize = 4_096;

/// Stands for a content.
pub(super) type Version = [u8; 32];

/// How much of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    Part,
}

/// What sessions have seen. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Seen {
    files: Arc<Mutex<HashMap<(SessionId, String), Sight>>>,
}

struct Sight {
    version: Version,
    /// Every line up to this one, from 1.
    through: usize,
    is_whole: bool,
}

impl Seen {
    pub(super) fn note(&self, session: SessionId, path: &str, content: &[u8], extent: Extent) {
        self.look(session, path, content, |sight| {
            sight.is_whole |= extent == Extent::Whole;
        });
    }

    /// Takes note of the lines `first` to `last` of a file of so many.
    pub(super) fn note_lines(
        &self,
        session: SessionId,
        path: &str,
        content: &[u8],
        (first, last, total): (usize, usize, usize),
    ) {
        self.look(session, path, content, |sight| {
            if first <= sight.through + 1 {
                sight.through = sight.through.max(last);
            }
            sight.is_whole |= sight.through >= total;
        });
    }

    /// Whether the session has seen so much of the file as it is now.
    pub(super) fn knows(
        &self,
        session: SessionId,
        path: &str,
        content: &[u8],
        extent: Extent,
    ) -> bool {
        let files = self.lock();
        let sight = files.get(&(session, path.to_owned()));
        sight.is_some_and(|sight| {
            sight.version == version(content) && (sight.is_whole || extent == Extent::Part)
        })
    }

    fn look(&self, session: SessionId, path: &str, content: &[u8], see: impl FnOnce(&mut Sight)) {
        let mut files = self.lock();
        if files.len() >= REMEMBERED {
            files.clear();
        }
        let now = version(content);
        let sight = files.entry((session, path.to_owned())).or_insert(Sight {
            version: now,
            through: 0,
            is_whole: false,
        });
        if sight.version != now {
            *sight = Sight {
                version: now,
                through: 0,
                is_whole: false,
            };
        }
        see(sight);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(SessionId, String), Sight>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn version(content: &[u8]) -> Version {
    Sha256::digest(content).into()
}

#[cfg(test)]
mod tests {
    use talaria_domain::{SessionId, Timestamp};

    use super::{Extent, Seen};

    #[test]
    fn a_file_is_known_whole_once_every_line_was_seen() {
        let session = SessionId::from_parts(Timestamp::from_millis(1), [0; 10]);
        let seen = Seen::default();
        let knows = |extent| seen.knows(session, "/a", b"text", extent);
        assert!(!knows(Extent::Part));
        seen.note_lines(session, "/a", b"text", (3, 4, 6));
        assert!(knows(Extent::Part) && !knows(Extent::Whole));
        seen.note_lines(session, "/a", b"text", (1, 4, 6));
        assert!(!knows(Extent::Whole));
        seen.note_lines(session, "/a", b"text", (5, 6, 6));
        assert!(knows(Extent::Whole));
        assert!(!seen.knows(session, "/a", b"other", Extent::Part));
    }
}
