//! The notes folder as files: reached through a capability, so that neither `..` nor a link
//! leaves it, and written whole or not at all. The notebook and the history use it.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use sha2::{Digest, Sha256};
use talaria_domain::Timestamp;

use crate::{NoteError, NotePath};

/// The most a note may have, in bytes.
pub(crate) const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// Everything of Talaria's own inside the notes folder.
pub(crate) const OWN: &str = ".talaria";

const MAX_DEPTH: usize = 6;
const MAX_NOTES: usize = 20_000;

/// The folder, opened for one operation. It is opened anew for each, so that one that was moved
/// away, put back or mounted later is noticed.
pub(crate) struct Folder {
    root: Dir,
    path: PathBuf,
}

/// A note's file without its text.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) path: NotePath,
    pub(crate) changed: Timestamp,
    pub(crate) size: u64,
}

impl Folder {
    /// Opens a folder that must be there.
    pub(crate) fn open(path: &Path) -> Result<Self, NoteError> {
        let root = Dir::open_ambient_dir(path, ambient_authority()).map_err(|source| {
            NoteError::Folder {
                folder: path.to_owned(),
                source,
            }
        })?;
        Ok(Self {
            root,
            path: path.to_owned(),
        })
    }

    /// Opens a folder and makes it if there is none.
    pub(crate) fn open_or_create(path: &Path) -> Result<Self, NoteError> {
        fs_err::create_dir_all(path).map_err(|source| NoteError::Folder {
            folder: path.to_owned(),
            source,
        })?;
        Self::open(path)
    }

    /// Waits until no other process changes the folder; it may again when the result is dropped.
    pub(crate) fn lock(&self) -> Result<Option<std::fs::File>, NoteError> {
        self.create_folder(OWN)?;
        let path = format!("{OWN}/lock");
        let mut options = OpenOptions::new();
        options.write(true).create(true);
        let file = self
            .root
            .open_with(&path, &options)
            .map_err(NoteError::of_file(&path))?;
        let file = file.into_std();
        // Some network file systems have no locks; the version check still guards there.
        Ok(file.lock().is_ok().then_some(file))
    }

    /// Every note, in no order. Links are not followed; hidden folders and `node_modules` are
    /// left out.
    pub(crate) fn notes(&self) -> Result<Vec<Found>, NoteError> {
        let mut notes = Vec::new();
        let entries = self.root.entries().map_err(|source| NoteError::Folder {
            folder: self.path.clone(),
            source,
        })?;
        collect(entries, "", 1, &mut notes);
        if notes.len() >= MAX_NOTES {
            tracing::warn!(
                limit = MAX_NOTES,
                "the notes folder has more notes than are listed"
            );
        }
        Ok(notes)
    }

    /// The names of everything in a folder inside.
    pub(crate) fn names(&self, folder: &str) -> Result<Vec<String>, NoteError> {
        let folder = if folder.is_empty() { "." } else { folder };
        let entries = self
            .root
            .read_dir(folder)
            .map_err(NoteError::of_file(folder))?;
        Ok(entries
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect())
    }

    /// A plain file's metadata. Anything else, such as a link or a pipe, is as good as absent:
    /// opening it could leave the folder or wait for ever.
    pub(crate) fn plain_file(&self, path: &str) -> Result<Metadata, NoteError> {
        let metadata = self
            .root
            .symlink_metadata(path)
            .map_err(NoteError::of_file(path))?;
        if metadata.is_file() {
            Ok(metadata)
        } else {
            Err(NoteError::NotFound(path.to_owned()))
        }
    }

    /// The file's content, if it is not too large.
    pub(crate) fn bytes(&self, path: &str) -> Result<Vec<u8>, NoteError> {
        self.plain_file(path)?;
        let file = self.root.open(path).map_err(NoteError::of_file(path))?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(NoteError::of_file(path))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(NoteError::TooLarge {
                path: path.to_owned(),
                limit: MAX_BYTES,
            });
        }
        Ok(bytes)
    }

    /// The file's text.
    pub(crate) fn text(&self, path: &str) -> Result<String, NoteError> {
        String::from_utf8(self.bytes(path)?).map_err(|_| NoteError::NotText(path.to_owned()))
    }

    /// Writes the file whole or not at all. An existing file keeps its mode, and one that may
    /// not be written is not replaced.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), NoteError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(NoteError::TooLarge {
                path: path.to_owned(),
                limit: MAX_BYTES,
            });
        }
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let spare = spare_name(parent);
        let written = self.write_spare(path, &spare, bytes);
        if written.is_err() {
            // What was written so far is of no use; that it can't be removed adds nothing.
            let _ = self.root.remove_file(&spare);
        }
        written.map_err(NoteError::of_file(path))?;
        self.sync(parent);
        Ok(())
    }

    fn write_spare(&self, path: &str, spare: &str, bytes: &[u8]) -> io::Result<()> {
        let mode = match self.root.symlink_metadata(path) {
            Ok(metadata) if !metadata.is_file() => {
                return Err(io::Error::other("it is not a plain file"));
            }
            Ok(metadata) if metadata.permissions().readonly() => {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            Ok(metadata) => Some(metadata.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = self.root.open_with(spare, &options)?;
        file.write_all(bytes)?;
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        file.sync_all()?;
        drop(file);
        self.root.rename(spare, &self.root, path)
    }

    /// Tries whether a file can be written.
    pub(crate) fn check_writable(&self) -> Result<(), NoteError> {
        let spare = spare_name("");
        self.write(&spare, b"")?;
        self.remove_file(&spare)
    }

    /// Makes a rename last through a power cut, where the system can.
    fn sync(&self, folder: &str) {
        let folder = if folder.is_empty() { "." } else { folder };
        if let Ok(folder) = self.root.open_dir(folder) {
            let _ = folder.into_std_file().sync_all();
        }
    }

    pub(crate) fn create_folder(&self, path: &str) -> Result<(), NoteError> {
        self.root
            .create_dir_all(path)
            .map_err(NoteError::of_file(path))
    }

    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<(), NoteError> {
        self.root
            .rename(from, &self.root, to)
            .map_err(NoteError::of_file(from))?;
        self.sync(to.rsplit_once('/').map_or("", |(parent, _)| parent));
        Ok(())
    }

    pub(crate) fn remove_file(&self, path: &str) -> Result<(), NoteError> {
        self.root
            .remove_file(path)
            .map_err(NoteError::of_file(path))
    }

    pub(crate) fn remove_folder(&self, path: &str) -> Result<(), NoteError> {
        self.root
            .remove_dir_all(path)
            .map_err(NoteError::of_file(path))
    }
}

fn collect(entries: cap_std::fs::ReadDir, parent: &str, depth: usize, notes: &mut Vec<Found>) {
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        if notes.len() >= MAX_NOTES || name.starts_with('.') || name == "node_modules" {
            continue;
        }
        let path = if parent.is_empty() {
            name
        } else {
            format!("{parent}/{name}")
        };
        if kind.is_dir() && depth < MAX_DEPTH {
            // A sub-folder that can't be read hides its own notes only.
            if let Ok(entries) = entry.open_dir().and_then(|folder| folder.entries()) {
                collect(entries, &path, depth + 1, notes);
            }
        } else if kind.is_file()
            && let Ok(path) = NotePath::parse(&path)
            && let Ok(metadata) = entry.metadata()
        {
            notes.push(Found {
                path,
                changed: changed(&metadata),
                size: metadata.len(),
            });
        }
    }
}

/// When the file last changed.
pub(crate) fn changed(metadata: &Metadata) -> Timestamp {
    metadata
        .modified()
        .map_or(Timestamp::from_millis(0), |time| timestamp(time.into_std()))
}

/// The time now.
pub(crate) fn now() -> Timestamp {
    timestamp(SystemTime::now())
}

fn timestamp(time: SystemTime) -> Timestamp {
    let millis = time
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// The first hexadecimal digits of the content's SHA-256.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    use std::fmt::Write as _;

    Sha256::digest(bytes)
        .iter()
        .take(8)
        .fold(String::new(), |mut hex, byte| {
            // Writing to a string can't fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

/// A hidden name beside the file, so that the rename stays on one file system.
fn spare_name(parent: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!(
        ".talaria-{}-{count}-{}.tmp",
        std::process::id(),
        now().as_millis()
    );
    if parent.is_empty() {
        name
    } else {
        format!("{parent}/{name}")
    }
}
