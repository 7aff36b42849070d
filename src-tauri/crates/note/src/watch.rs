//! Notices that something in the notes folder changed. The core starts one for the open folder
//! and tells the window.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::{Config, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::folder::{Folder, OWN};

/// How long a burst of changes may pause and still be one.
const QUIET: Duration = Duration::from_millis(200);
/// A burst that does not end is told after this.
const LONGEST: Duration = Duration::from_secs(2);
/// How often the folder is looked at when the system can't tell, or the folder is away.
const POLL: Duration = Duration::from_secs(5);

enum Signal {
    Changed,
    Stop,
}

/// Watches until it is dropped.
#[derive(Debug)]
pub struct Watcher {
    signals: Sender<Signal>,
}

impl Watcher {
    /// Calls `on_change` soon after anything in the folder changed, once for a burst. Where the
    /// system can't tell, the folder is looked at every few seconds.
    pub fn start(folder: &Path, on_change: impl Fn() + Send + 'static) -> Self {
        let (signals, received) = channel();
        let mut watch = Watch {
            folder: folder.to_owned(),
            signals: signals.clone(),
            system: None,
            told_of_polling: false,
            seen: None,
        };
        // Before the thread starts: a change right after this call is noticed.
        watch.begin();
        let spawned = std::thread::Builder::new()
            .name("notes-watch".to_owned())
            .spawn(move || watch.run(&received, on_change));
        if let Err(error) = spawned {
            tracing::warn!(%error, "changes in the notes folder will not be noticed");
        }
        Self { signals }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // A thread that has ended already needs no word.
        let _ = self.signals.send(Signal::Stop);
    }
}

struct Watch {
    folder: PathBuf,
    signals: Sender<Signal>,
    /// None while the folder is away or the system can't watch it.
    system: Option<RecommendedWatcher>,
    told_of_polling: bool,
    seen: Option<u64>,
}

impl Watch {
    fn run(mut self, received: &Receiver<Signal>, on_change: impl Fn()) {
        loop {
            match received.recv_timeout(POLL) {
                Ok(Signal::Changed) => {
                    if !wait_for_quiet(received) {
                        return;
                    }
                    on_change();
                }
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    if self.look() {
                        on_change();
                    }
                }
            }
        }
    }

    /// Asks the system to tell of changes.
    fn begin(&mut self) {
        self.seen = state(&self.folder);
        match watch_by_system(&self.folder, self.signals.clone()) {
            Ok(system) => self.system = Some(system),
            Err(error) if !self.told_of_polling => {
                self.told_of_polling = true;
                tracing::warn!(%error, "the notes folder is looked at every few seconds instead");
            }
            Err(_) => {}
        }
    }

    /// Looks whether the folder itself came or went, or, without the system's help, whether
    /// anything in it changed.
    fn look(&mut self) -> bool {
        if self.system.is_some() {
            if self.folder.is_dir() {
                return false;
            }
            self.system = None;
            self.seen = None;
            return true;
        }
        let before = self.seen;
        self.begin();
        self.seen != before
    }
}

fn watch_by_system(folder: &Path, signals: Sender<Signal>) -> notify::Result<RecommendedWatcher> {
    let own = folder.join(OWN);
    let mut watcher = RecommendedWatcher::new(
        move |event: notify::Result<notify::Event>| {
            let matters = match &event {
                Ok(event) => {
                    !matches!(event.kind, EventKind::Access(_))
                        && !event.paths.iter().all(|path| path.starts_with(&own))
                }
                // Events were lost: something changed.
                Err(_) => true,
            };
            if matters {
                // The watcher is being dropped if nobody listens.
                let _ = signals.send(Signal::Changed);
            }
        },
        Config::default().with_follow_symlinks(false),
    )?;
    watcher.watch(folder, RecursiveMode::Recursive)?;
    Ok(watcher)
}

/// False if the watcher was dropped meanwhile.
fn wait_for_quiet(received: &Receiver<Signal>) -> bool {
    let latest = Instant::now() + LONGEST;
    while Instant::now() < latest {
        match received.recv_timeout(QUIET) {
            Ok(Signal::Changed) => {}
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => return true,
        }
    }
    true
}

/// A number that changes with the names, times and sizes of the notes; None without a folder.
fn state(folder: &Path) -> Option<u64> {
    let mut notes = Folder::open(folder)
        .and_then(|folder| folder.notes())
        .ok()?;
    notes.sort_by(|one, other| one.path.cmp(&other.path));
    let mut hasher = DefaultHasher::new();
    for note in notes {
        (note.path, note.changed, note.size).hash(&mut hasher);
    }
    Some(hasher.finish())
}
