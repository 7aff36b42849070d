//! Long results on disk, each session's in a folder of its own, without secrets.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use talaria_domain::{ItemId, SessionId};
use talaria_secret::Redactor;
use talaria_tool::Spill;

/// How long a long result is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The folder of the long results.
pub(crate) struct SpillFolder {
    folder: PathBuf,
    redactor: Redactor,
}

impl SpillFolder {
    pub(crate) fn new(folder: PathBuf, redactor: Redactor) -> Self {
        Self { folder, redactor }
    }

    fn write(&self, session: SessionId, item: ItemId, text: &str) -> std::io::Result<PathBuf> {
        let folder = self.folder.join(session.to_string());
        fs_err::create_dir_all(&folder)?;
        let file = fs_err::canonicalize(&folder)?.join(format!("{item}.txt"));
        fs_err::write(&file, self.redactor.redact(text))?;
        Ok(file)
    }
}

impl Spill for SpillFolder {
    fn keep(&self, session: SessionId, item: ItemId, text: &str) -> Option<String> {
        let written = self.write(session, item, text).inspect_err(|error| {
            tracing::warn!(%error, "a long result could not be kept");
        });
        written.ok().map(|file| file.display().to_string())
    }
}

/// Deletes what is older than a week. Blocks.
pub(crate) fn sweep(folder: &Path) {
    let Ok(sessions) = fs_err::read_dir(folder) else {
        return;
    };
    let now = SystemTime::now();
    for session in sessions.flatten() {
        let changed = session.metadata().and_then(|metadata| metadata.modified());
        let age = changed.ok().and_then(|at| now.duration_since(at).ok());
        if age.is_some_and(|age| age > KEPT)
            && let Err(error) = fs_err::remove_dir_all(session.path())
        {
            tracing::warn!(%error, "old results could not be deleted");
        }
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::{ItemId, SessionId, Timestamp};
    use talaria_secret::{Redactor, Secret};
    use talaria_tool::Spill;

    use super::{SpillFolder, sweep};

    #[test]
    fn a_long_result_is_kept_without_secrets_and_for_a_week() {
        let root = tempfile::tempdir().unwrap();
        let redactor = Redactor::default();
        redactor.add(&Secret::new("sk-12345678".to_owned()));
        let spill = SpillFolder::new(root.path().join("spill"), redactor);
        let session = SessionId::from_parts(Timestamp::from_millis(1), [1; 10]);
        let item = ItemId::from_parts(Timestamp::from_millis(1), [2; 10]);
        let path = spill.keep(session, item, "key sk-12345678").unwrap();
        assert_eq!(fs_err::read_to_string(&path).unwrap(), "key [secret]");
        sweep(&root.path().join("spill"));
        assert!(std::path::Path::new(&path).exists(), "it is not a week old");
    }
}
