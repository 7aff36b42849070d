//! The open notes folder, which the user may move while the program runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use talaria_note::{NoteError, Notebook, Watcher};

type OnChange = Arc<dyn Fn() + Send + Sync>;

/// The folder, its notebook and its watcher.
pub(crate) struct Notes {
    open: Mutex<Open>,
}

struct Open {
    folder: PathBuf,
    /// None until the folder can be opened: it may be on a disk that is not there yet.
    notebook: Option<Notebook>,
    on_change: Option<OnChange>,
    watcher: Option<Watcher>,
}

impl Notes {
    /// Opens the folder; one that can't be opened now is tried again when it is asked.
    pub(crate) fn open(folder: PathBuf) -> Self {
        let notebook = Notebook::open(&folder).inspect_err(|error| {
            tracing::warn!(%error, "the notes folder can't be opened");
        });
        Self {
            open: Mutex::new(Open {
                folder,
                notebook: notebook.ok(),
                on_change: None,
                watcher: None,
            }),
        }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.lock().folder.clone()
    }

    pub(crate) fn notebook(&self) -> Result<Notebook, NoteError> {
        let mut open = self.lock();
        if let Some(notebook) = &open.notebook {
            return Ok(notebook.clone());
        }
        let notebook = Notebook::open(&open.folder)?;
        open.notebook = Some(notebook.clone());
        open.watch();
        Ok(notebook)
    }

    /// Uses another folder from now on. The notes stay where they are.
    pub(crate) fn move_to(&self, folder: &Path) -> Result<(), NoteError> {
        let notebook = Notebook::open(folder)?;
        let mut open = self.lock();
        open.folder = folder.to_owned();
        open.notebook = Some(notebook);
        open.watch();
        Ok(())
    }

    /// Calls `on_change` whenever something in the folder changed.
    pub(crate) fn on_change(&self, on_change: impl Fn() + Send + Sync + 'static) {
        let mut open = self.lock();
        open.on_change = Some(Arc::new(on_change));
        open.watch();
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn watch(&mut self) {
        let (Some(on_change), Some(_)) = (self.on_change.clone(), &self.notebook) else {
            return;
        };
        self.watcher = Some(Watcher::start(&self.folder, move || on_change()));
    }
}
