//! Which processes use a data root now.
//!
//! The window and the command line share one database. Each open store holds an advisory lock on
//! a file of its own in `run/`; the system lets go of it however the process ends, `kill -9`
//! included. So a turn whose owner's file can be locked, or is gone, has nobody left to finish it,
//! and a file found unlocked at start says that some process ended without closing the database.

use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err as fs;
use fs_err::File;
use talaria_domain::Timestamp;

use crate::StoreError;

/// How long opening waits for another process that is opening the same data root.
const GATE_WAIT: Duration = Duration::from_secs(30);
const ENDING: &str = "live";

/// The right to open, check and migrate the database; one process at a time has it.
pub(crate) struct Gate {
    _file: File,
}

impl Gate {
    pub(crate) fn enter(run: &Path) -> Result<Self, StoreError> {
        let file = lock_file(&run.join("open.lock"))?;
        let waiting = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Err(TryLockError::WouldBlock) if waiting.elapsed() > GATE_WAIT => {
                    return Err(StoreError::Busy);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }
}

/// This store's sign of life, taken down when it is closed.
pub(crate) struct Presence {
    run: PathBuf,
    name: String,
    _file: File,
}

/// What the marks of other processes say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Others {
    /// Somebody else has the database open.
    pub(crate) live: bool,
    /// Somebody ended without closing it.
    pub(crate) died: bool,
}

impl Presence {
    /// Puts up a mark. Must be called inside the gate.
    pub(crate) fn announce(run: &Path, now: Timestamp) -> Result<Self, StoreError> {
        let start = format!("{}-{}", std::process::id(), now.as_millis());
        let mut number = 0_u32;
        loop {
            let name = format!("{start}-{number}.{ENDING}");
            match File::options()
                .write(true)
                .create_new(true)
                .open(run.join(&name))
            {
                Ok(file) => {
                    file.lock()?;
                    return Ok(Self {
                        run: run.to_owned(),
                        name,
                        _file: file,
                    });
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The name written beside a running turn.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Looks at the marks of others and takes down those of the dead. Must be called inside the
    /// gate, so that a mark just put up is never taken for a dead one.
    pub(crate) fn sweep(&self) -> Result<Others, StoreError> {
        let mut others = Others {
            live: false,
            died: false,
        };
        for entry in fs::read_dir(&self.run)? {
            let path = entry?.path();
            let is_mark = path.extension().is_some_and(|ending| ending == ENDING);
            if !is_mark
                || path
                    .file_name()
                    .is_some_and(|name| name == self.name.as_str())
            {
                continue;
            }
            if is_held(&path) {
                others.live = true;
            } else {
                others.died = true;
                fs::remove_file(&path)?;
            }
        }
        Ok(others)
    }

    /// Whether the owner of a turn is still there to finish it.
    pub(crate) fn is_alive(&self, owner: &str) -> bool {
        // The name comes from the database: anything but a plain file name is nobody's.
        let plain = Path::new(owner)
            .file_name()
            .is_some_and(|name| name == owner);
        owner == self.name || (plain && is_held(&self.run.join(owner)))
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(self.run.join(&self.name)) {
            tracing::warn!(%error, "the mark of this process could not be taken down");
        }
    }
}

fn lock_file(path: &Path) -> std::io::Result<File> {
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn is_held(path: &Path) -> bool {
    match File::options().read(true).write(true).open(path) {
        Ok(file) => matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use fs_err as fs;
    use talaria_domain::Timestamp;

    use super::{Gate, Others, Presence};

    const NOW: Timestamp = Timestamp::from_millis(1_764_550_000_000);

    #[test]
    fn two_stores_of_one_process_see_each_other() {
        let run = tempfile::tempdir().unwrap();
        let first = Presence::announce(run.path(), NOW).unwrap();
        let second = Presence::announce(run.path(), NOW).unwrap();
        assert_ne!(first.name(), second.name());
        assert!(first.is_alive(second.name()) && second.is_alive(first.name()));
        assert_eq!(
            second.sweep().unwrap(),
            Others {
                live: true,
                died: false
            }
        );
        let name = first.name().to_owned();
        drop(first);
        assert!(!second.is_alive(&name));
        assert_eq!(
            second.sweep().unwrap(),
            Others {
                live: false,
                died: false
            }
        );
    }

    #[test]
    fn a_mark_left_behind_is_found_once() {
        let run = tempfile::tempdir().unwrap();
        fs::write(run.path().join("1-1-0.live"), "").unwrap();
        let presence = Presence::announce(run.path(), NOW).unwrap();
        assert!(!presence.is_alive("1-1-0.live"));
        assert!(presence.sweep().unwrap().died);
        assert!(!presence.sweep().unwrap().died);
    }

    #[test]
    fn an_owner_that_is_a_path_is_nobody() {
        let run = tempfile::tempdir().unwrap();
        let presence = Presence::announce(run.path(), NOW).unwrap();
        for owner in ["", "..", "../x", "/etc/passwd", "missing.live"] {
            assert!(!presence.is_alive(owner), "{owner}");
        }
    }

    #[test]
    fn the_gate_opens_again_after_it_was_left() {
        let run = tempfile::tempdir().unwrap();
        drop(Gate::enter(run.path()).unwrap());
        drop(Gate::enter(run.path()).unwrap());
    }
}
