//! From the path that a model wrote to a file, through a capability that nothing leads out of.

use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use talaria_domain::ToolResult;

use super::LARGEST;
use crate::ToolContext;

/// What a call is told whose path meant another place when it was planned.
pub(super) const MOVED: &str = "Not done: the path leads elsewhere now. Call it again.";

/// Why a file can't be reached.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The path is none.
    #[error("{0:?} is not a path: {1}")]
    Path(String, &'static str),
    /// The file system said no.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// What it said.
        source: io::Error,
    },
    /// It is a device, a pipe or the like.
    #[error("{0} is no ordinary file")]
    Special(String),
    /// It is too large to be read or changed whole.
    #[error(
        "{0} has {1} bytes, more than the 5 MB that can be handled; read what you need with a command"
    )]
    TooLarge(String, u64),
}

impl From<PlaceError> for ToolResult {
    fn from(error: PlaceError) -> Self {
        Self::failure(format!("Not done: {error}."))
    }
}

/// Where a session's paths lead: the folders it was granted, and the one that relative ones begin at.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    folders: Vec<PathBuf>,
    working_folder: PathBuf,
}

impl Ground {
    pub(crate) fn of(context: &ToolContext<'_>) -> Self {
        let folders = context.folders.iter();
        Self {
            folders: folders.map(|folder| PathBuf::from(&folder.path)).collect(),
            working_folder: context.working_folder.clone(),
        }
    }
}

/// A file or folder: an existing folder, and a path inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Where the capability begins: the granted folder, else the folder the file lies in.
    root: PathBuf,
    /// From there; empty for the root itself.
    inner: PathBuf,
}

impl Place {
    /// The place of a path as the model wrote it: absolute, from the home folder, or from the
    /// working folder. May block.
    pub(super) fn find(written: &str, ground: &Ground) -> Result<Self, PlaceError> {
        let written = written.trim();
        let refused = |why| PlaceError::Path(written.chars().take(200).collect(), why);
        if written.is_empty() || written.contains('\0') {
            return Err(refused("it is empty or holds a NUL"));
        }
        if written.contains("://") {
            return Err(refused("it is an address"));
        }
        let path = match written.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => std::env::home_dir()
                .ok_or_else(|| refused("there is no home folder"))?
                .join(rest.trim_start_matches(['/', '\\'])),
            _ => ground.working_folder.join(written),
        };
        let path = canonical(&path).map_err(|source| PlaceError::Io {
            path: path.display().to_string(),
            source,
        })?;
        let granted = ground.folders.iter();
        let granted = granted.filter(|folder| path.starts_with(folder));
        let root = granted.max_by_key(|folder| folder.as_os_str().len());
        let root = match root {
            Some(root) => root.clone(),
            None if path.is_dir() => path.clone(),
            None => existing_parent(&path),
        };
        let inner = path.strip_prefix(&root).unwrap_or(Path::new("")).to_owned();
        Ok(Self { root, inner })
    }

    /// A file in an existing folder.
    pub(super) fn inside(folder: &Path, inner: &Path) -> Self {
        Self {
            root: folder.to_owned(),
            inner: inner.to_owned(),
        }
    }

    /// The whole path, without links.
    pub(super) fn path(&self) -> PathBuf {
        if self.inner.as_os_str().is_empty() {
            self.root.clone()
        } else {
            self.root.join(&self.inner)
        }
    }

    pub(super) fn display(&self) -> String {
        self.path().display().to_string()
    }

    pub(super) fn is_folder(&self) -> bool {
        self.path().is_dir()
    }

    pub(super) fn exists(&self) -> bool {
        self.path().exists()
    }

    /// The names in a folder, with the size of each file; folders end in `/`.
    pub(super) fn list(&self) -> Result<Vec<(String, Option<u64>)>, PlaceError> {
        let dir = self.open_root()?;
        let dir = match self.inner.as_os_str().is_empty() {
            true => dir,
            false => dir.open_dir(&self.inner).map_err(|error| self.io(error))?,
        };
        let mut names = Vec::new();
        for entry in dir.entries().map_err(|error| self.io(error))? {
            let entry = entry.map_err(|error| self.io(error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let metadata = entry.metadata().map_err(|error| self.io(error))?;
            if metadata.is_dir() {
                names.push((format!("{name}/"), None));
            } else {
                names.push((name, Some(metadata.len())));
            }
        }
        names.sort();
        Ok(names)
    }

    /// What the file holds; none if there is none.
    pub(super) fn read(&self) -> Result<Option<Vec<u8>>, PlaceError> {
        let dir = self.open_root()?;
        let metadata = match dir.metadata(&self.inner) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.io(error)),
        };
        // Opening a device may set something going.
        self.must_be_ordinary(&metadata)?;
        let file = dir.open_with(&self.inner, &without_waiting());
        let file = file.map_err(|error| self.io(error))?;
        // It may be another file by now.
        self.must_be_ordinary(&file.metadata().map_err(|error| self.io(error))?)?;
        let mut bytes = Vec::new();
        let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(|error| self.io(error))?;
        Ok(Some(bytes))
    }

    fn must_be_ordinary(&self, metadata: &Metadata) -> Result<(), PlaceError> {
        if !metadata.is_file() {
            return Err(PlaceError::Special(self.display()));
        }
        if metadata.len() > LARGEST {
            return Err(PlaceError::TooLarge(self.display(), metadata.len()));
        }
        Ok(())
    }

    /// Gives the file this content, whole or not at all. Its folder is made if there is none.
    pub(super) fn write(&self, content: &[u8]) -> Result<(), PlaceError> {
        let dir = self.open_root()?;
        let folder = self.inner.parent().unwrap_or(Path::new(""));
        if !folder.as_os_str().is_empty() {
            dir.create_dir_all(folder).map_err(|error| self.io(error))?;
        }
        let beside = folder.join(format!(".{}.part", uuid::Uuid::new_v4()));
        let written = self.write_beside(&dir, &beside, content);
        if written.is_err() {
            // What is half written is of no use to anybody; the error that matters is told.
            let _ = dir.remove_file(&beside);
        }
        written.map_err(|error| self.io(error))
    }

    fn write_beside(&self, dir: &Dir, beside: &Path, content: &[u8]) -> io::Result<()> {
        let old = dir.metadata(&self.inner).ok();
        let mut file = begun(dir, beside, old.is_some())?;
        file.write_all(content)?;
        if let Some(metadata) = old {
            if metadata.permissions().readonly() {
                return Err(io::Error::new(
                    io::ErrorKind::PermissionDenied,
                    "the file may only be read",
                ));
            }
            file.set_permissions(metadata.permissions())?;
        }
        file.sync_all()?;
        dir.rename(beside, dir, &self.inner)
    }

    fn open_root(&self) -> Result<Dir, PlaceError> {
        Dir::open_ambient_dir(&self.root, ambient_authority()).map_err(|error| self.io(error))
    }

    fn io(&self, source: io::Error) -> PlaceError {
        PlaceError::Io {
            path: self.display(),
            source,
        }
    }
}

/// A new file beside the one that it is to replace. Nobody reads the new content who could not read
/// the old one.
fn begun(dir: &Dir, beside: &Path, is_replacing: bool) -> io::Result<cap_std::fs::File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_replacing {
        use cap_std::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    dir.open_with(beside, &options)
}

/// Opens a file for reading; a pipe that nobody writes into does not hold up whoever opens it.
fn without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    options
}

/// What a file holds; none if there is none.
///
/// # Errors
/// When it can't be read, is no ordinary file, or is larger than any file that is changed.
pub fn content(path: &Path) -> Result<Option<Vec<u8>>, PlaceError> {
    known(path).read()
}

/// Gives a file the content it had, or takes it away if there was none. Used to undo a change.
///
/// # Errors
/// When it can't be written.
pub fn put_back(path: &Path, content: Option<&[u8]>) -> Result<(), PlaceError> {
    let place = known(path);
    match content {
        Some(content) => place.write(content),
        None => match place.open_root()?.remove_file(&place.inner) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(place.io(error)),
            _ => Ok(()),
        },
    }
}

/// The place of a path that came from one.
fn known(path: &Path) -> Place {
    let root = existing_parent(path);
    let inner = path.strip_prefix(&root).unwrap_or(path).to_owned();
    Place { root, inner }
}

/// The path without links, `.` and `..`. What is not there yet is taken by its words.
fn canonical(path: &Path) -> io::Result<PathBuf> {
    let mut known = path.to_owned();
    let mut rest = Vec::new();
    loop {
        match fs_err::canonicalize(&known) {
            Ok(mut found) => {
                found.extend(rest.iter().rev());
                return Ok(found);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        // A link that leads nowhere would be followed by whoever writes to it.
        if known.is_symlink() {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "it is a link that leads nowhere",
            ));
        }
        match known.components().next_back() {
            Some(Component::Normal(name)) => rest.push(name.to_owned()),
            _ => {
                return Err(io::Error::new(
                    io::ErrorKind::NotFound,
                    "there is no such folder",
                ));
            }
        }
        if !known.pop() {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "there is no such folder",
            ));
        }
    }
}

fn existing_parent(path: &Path) -> PathBuf {
    let parents = path.ancestors().skip(1);
    let mut existing = parents.filter(|parent| parent.is_dir());
    existing.next().unwrap_or(Path::new("/")).to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use cap_std::ambient_authority;
    use cap_std::fs::{Dir, PermissionsExt};

    use super::begun;

    #[test]
    fn what_replaces_a_file_is_written_where_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        let mode = |name: &str, is_replacing| {
            let file = begun(&dir, Path::new(name), is_replacing).unwrap();
            file.metadata().unwrap().permissions().mode() & 0o777
        };
        // A new file is as readable as any program's.
        fs_err::write(folder.path().join("usual"), "").unwrap();
        let usual = dir.metadata("usual").unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("a", true), mode("b", false)), (0o600, usual));
        assert!(begun(&dir, Path::new("a"), true).is_err(), "it is there");
    }
}
