//! All that can be done with notes. The window's handlers, the command line and the agent's
//! tools call it, from a thread that may block.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use talaria_domain::{SessionId, Timestamp};

use crate::file_name::{file_stem, free_name};
use crate::folder::{Folder, Found, OWN, changed, fingerprint, now};
use crate::heading::{excerpt, heading, with_heading};
use crate::history::{Entry, History};
use crate::search::Query;
use crate::{Note, NoteAuthor, NoteError, NotePath, NoteSummary, NoteVersion};

/// The notes of one folder; cheap to clone.
#[derive(Clone, Debug)]
pub struct Notebook {
    folder: Arc<PathBuf>,
    /// Held while notes are changed.
    changing: Arc<Mutex<()>>,
    /// What the list shows, as long as the file has that time and size.
    listed: Arc<Mutex<HashMap<NotePath, Listed>>>,
}

#[derive(Clone, Debug)]
struct Listed {
    size: u64,
    summary: NoteSummary,
}

impl Notebook {
    /// Opens the folder, and makes it if there is none.
    ///
    /// # Errors
    /// [`NoteError::Folder`] if it can't be made or read.
    pub fn open(folder: &Path) -> Result<Self, NoteError> {
        Folder::open_or_create(folder)?;
        Ok(Self {
            folder: Arc::new(folder.to_owned()),
            changing: Arc::default(),
            listed: Arc::default(),
        })
    }

    /// Every note, latest first.
    ///
    /// # Errors
    /// [`NoteError::Folder`] if the folder is gone or can't be read.
    pub fn list(&self) -> Result<Vec<NoteSummary>, NoteError> {
        let folder = self.folder()?;
        let found = folder.notes()?;
        let mut listed = lock(&self.listed);
        let mut kept = HashMap::with_capacity(found.len());
        for file in found {
            let known = listed.remove(&file.path).filter(|known| {
                known.size == file.size && known.summary.updated_at == file.changed
            });
            let entry = known.or_else(|| {
                let summary = summary_of(&folder, &file)?;
                Some(Listed {
                    size: file.size,
                    summary,
                })
            });
            if let Some(entry) = entry {
                kept.insert(file.path, entry);
            }
        }
        let mut notes: Vec<_> = kept.values().map(|entry| entry.summary.clone()).collect();
        *listed = kept;
        notes.sort_by(latest_first);
        Ok(notes)
    }

    /// The notes that hold every word of the query: in the title first, then latest first.
    ///
    /// # Errors
    /// [`NoteError::Folder`] if the folder is gone or can't be read.
    pub fn search(&self, query: &str) -> Result<Vec<NoteSummary>, NoteError> {
        let query = Query::new(query);
        let folder = self.folder()?;
        let mut hits: Vec<(bool, NoteSummary)> = Vec::new();
        for mut summary in self.list()? {
            let Ok(bytes) = folder.bytes(&summary.path) else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            let Some(hit) = query.find(&summary.title, &text) else {
                continue;
            };
            if let Some(excerpt) = hit.excerpt {
                summary.excerpt = excerpt;
            }
            hits.push((hit.in_title, summary));
        }
        // A stable sort: within each half the list's order stays.
        hits.sort_by_key(|(in_title, _)| !in_title);
        Ok(hits.into_iter().map(|(_, summary)| summary).collect())
    }

    /// Reads a note.
    ///
    /// # Errors
    /// [`NoteError::NotFound`], or why the file can't be read as text.
    pub fn read(&self, path: &NotePath) -> Result<Note, NoteError> {
        read(&self.folder()?, path)
    }

    /// Makes a note in a new file named by the title; an empty title takes the text's heading.
    ///
    /// # Errors
    /// Why the file can't be written.
    pub fn create(
        &self,
        title: &str,
        text: &str,
        author: NoteAuthor,
        session_id: Option<SessionId>,
    ) -> Result<Note, NoteError> {
        let _changing = lock(&self.changing);
        let folder = self.folder()?;
        let _lock = folder.lock()?;
        let stem = file_stem(title)
            .or_else(|| file_stem(&heading(text)?.0))
            .unwrap_or_else(|| "Untitled".to_owned());
        let path = NotePath::parse(&free_name(&stem, &folder.names("")?))?;
        self.put(&folder, &path, text, author, session_id)
    }

    /// Saves a note's text, if it is still at `expected_version`. Line ends and a byte order
    /// mark stay as the file had them.
    ///
    /// # Errors
    /// [`NoteError::Conflict`] if it has another version now, or why it can't be written.
    pub fn save(
        &self,
        path: &NotePath,
        text: &str,
        expected_version: &str,
        author: NoteAuthor,
        session_id: Option<SessionId>,
    ) -> Result<Note, NoteError> {
        let _changing = lock(&self.changing);
        let folder = self.folder()?;
        let _lock = folder.lock()?;
        let current = read(&folder, path)?;
        if current.version != expected_version {
            return Err(NoteError::Conflict {
                path: path.to_string(),
                current: current.version,
            });
        }
        History::of(&folder, path).notice(&current.text, current.summary.updated_at)?;
        self.put(
            &folder,
            path,
            &in_style_of(&current.text, text),
            author,
            session_id,
        )
    }

    /// Gives a note another file name, made from the title, in the same folder; its heading, if
    /// it has one, says the new title too. Its history goes with it.
    ///
    /// # Errors
    /// [`NoteError::NotFound`], or why the file can't be renamed.
    pub fn rename(&self, path: &NotePath, title: &str) -> Result<Note, NoteError> {
        let _changing = lock(&self.changing);
        let folder = self.folder()?;
        let _lock = folder.lock()?;
        let current = read(&folder, path)?;
        let Some(stem) = file_stem(title) else {
            return Err(NoteError::Path {
                given: title.chars().take(120).collect(),
                reason: "a title needs a letter or a digit",
            });
        };
        History::of(&folder, path).notice(&current.text, current.summary.updated_at)?;
        let mut names = folder.names(path.parent())?;
        names.retain(|name| name != path.file_name());
        let target = path.beside(&free_name(&stem, &names))?;
        if target != *path {
            folder.rename(path.as_str(), target.as_str())?;
            History::of(&folder, path).move_to(&target)?;
            lock(&self.listed).remove(path);
        }
        let text = with_heading(&current.text, title);
        if text == current.text {
            return read(&folder, &target);
        }
        self.put(
            &folder,
            &target,
            &text,
            NoteAuthor::User,
            current.summary.session_id,
        )
    }

    /// Deletes a note: its file goes to `.talaria/trash/`, from where it can be restored.
    ///
    /// # Errors
    /// [`NoteError::NotFound`], or why the file can't be moved.
    pub fn delete(&self, path: &NotePath) -> Result<(), NoteError> {
        let _changing = lock(&self.changing);
        let folder = self.folder()?;
        let _lock = folder.lock()?;
        let metadata = folder.plain_file(path.as_str())?;
        // An earlier note of that path in the trash is replaced; its text is in the history.
        if let Ok(text) = folder.text(path.as_str()) {
            History::of(&folder, path).notice(&text, changed(&metadata))?;
        }
        folder.create_folder(&trash_folder(path))?;
        folder.rename(path.as_str(), &trash_path(path))?;
        lock(&self.listed).remove(path);
        Ok(())
    }

    /// Undoes a deletion. If the path is taken by now, the note gets a name beside it.
    ///
    /// # Errors
    /// [`NoteError::NotFound`] if the trash has no such note.
    pub fn restore(&self, path: &NotePath) -> Result<Note, NoteError> {
        let _changing = lock(&self.changing);
        let folder = self.folder()?;
        let _lock = folder.lock()?;
        let trashed = trash_path(path);
        folder
            .plain_file(&trashed)
            .map_err(|_| NoteError::NotFound(path.to_string()))?;
        if !path.parent().is_empty() {
            folder.create_folder(path.parent())?;
        }
        let names = folder.names(path.parent())?;
        let target = if names.iter().any(|name| name == path.file_name()) {
            path.beside(&free_name(path.stem(), &names))?
        } else {
            path.clone()
        };
        folder.rename(&trashed, target.as_str())?;
        read(&folder, &target)
    }

    /// The older texts of a note, latest first. Those of a deleted note are still there.
    ///
    /// # Errors
    /// Why the note can't be read.
    pub fn versions(&self, path: &NotePath) -> Result<Vec<NoteVersion>, NoteError> {
        let folder = self.folder()?;
        let current = match folder.text(path.as_str()) {
            Ok(text) => fingerprint(text.as_bytes()),
            Err(NoteError::NotFound(_) | NoteError::NotText(_)) => String::new(),
            Err(error) => return Err(error),
        };
        Ok(History::of(&folder, path).versions(&current))
    }

    /// The text of a version, the current one included.
    ///
    /// # Errors
    /// [`NoteError::VersionNotFound`] if the note never had it or it is no longer kept.
    pub fn read_version(&self, path: &NotePath, version: &str) -> Result<String, NoteError> {
        let folder = self.folder()?;
        match folder.text(path.as_str()) {
            Ok(text) if fingerprint(text.as_bytes()) == version => Ok(text),
            _ => History::of(&folder, path).text(version),
        }
    }

    /// Tries whether notes can be saved, and leaves nothing behind.
    ///
    /// # Errors
    /// Why they can't.
    pub fn check_writable(&self) -> Result<(), NoteError> {
        self.folder()?.check_writable()
    }

    fn folder(&self) -> Result<Folder, NoteError> {
        Folder::open(&self.folder)
    }

    /// Writes the text, which is the current one from then on.
    fn put(
        &self,
        folder: &Folder,
        path: &NotePath,
        text: &str,
        author: NoteAuthor,
        session_id: Option<SessionId>,
    ) -> Result<Note, NoteError> {
        folder.write(path.as_str(), text.as_bytes())?;
        let version = fingerprint(text.as_bytes());
        let size = text.len() as u64;
        let entry = Entry {
            version,
            author,
            session_id,
            saved_at: now(),
            size,
        };
        if let Err(error) = History::of(folder, path).add(entry, text) {
            // The note is saved; to say otherwise would make the caller save it again.
            tracing::warn!(%path, %error, "who saved the note could not be kept");
        }
        lock(&self.listed).remove(path);
        read(folder, path)
    }
}

fn read(folder: &Folder, path: &NotePath) -> Result<Note, NoteError> {
    let metadata = folder.plain_file(path.as_str())?;
    let text = folder.text(path.as_str())?;
    let summary = summary(folder, path, &text, changed(&metadata));
    Ok(Note {
        summary,
        version: fingerprint(text.as_bytes()),
        text,
    })
}

/// None if the file went away or can't be read. One that is not UTF-8 is still listed: the user
/// sees that it is there, and opening it says what is wrong.
fn summary_of(folder: &Folder, file: &Found) -> Option<NoteSummary> {
    let bytes = match folder.bytes(file.path.as_str()) {
        Ok(bytes) => bytes,
        Err(NoteError::TooLarge { .. }) => Vec::new(),
        Err(_) => return None,
    };
    Some(summary(
        folder,
        &file.path,
        &String::from_utf8_lossy(&bytes),
        file.changed,
    ))
}

fn summary(folder: &Folder, path: &NotePath, text: &str, updated_at: Timestamp) -> NoteSummary {
    let history = History::of(folder, path);
    let entry = history.entry(&fingerprint(text.as_bytes()));
    NoteSummary {
        path: path.to_string(),
        title: heading(text).map_or_else(|| path.stem().to_owned(), |(title, _)| title),
        excerpt: excerpt(text),
        author: entry.map_or(NoteAuthor::User, |entry| entry.author),
        session_id: entry.and_then(|entry| entry.session_id),
        updated_at,
    }
}

fn latest_first(one: &NoteSummary, other: &NoteSummary) -> std::cmp::Ordering {
    other
        .updated_at
        .cmp(&one.updated_at)
        .then_with(|| one.path.cmp(&other.path))
}

/// The new text with the line ends and the byte order mark of the old one: editors hand back
/// text without them.
fn in_style_of(old: &str, new: &str) -> String {
    let mut text = new.to_owned();
    if old.contains('\n') && old.matches('\n').count() == old.matches("\r\n").count() {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if old.starts_with('\u{FEFF}') && !text.starts_with('\u{FEFF}') {
        text.insert(0, '\u{FEFF}');
    }
    text
}

fn trash_folder(path: &NotePath) -> String {
    format!("{OWN}/trash/{}", fingerprint(path.as_str().as_bytes()))
}

fn trash_path(path: &NotePath) -> String {
    format!("{}/{}", trash_folder(path), path.file_name())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
