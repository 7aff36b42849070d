//! Older texts of notes, kept under `.talaria/history/` in the notes folder.
//!
//! Each note has a folder there, named by its path's fingerprint, with an `index.json` and a
//! file for each text, the current one included: a text that another program overwrites later is
//! then still known.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use talaria_domain::{SessionId, Timestamp};

use crate::folder::{Folder, OWN, fingerprint};
use crate::{NoteAuthor, NoteError, NotePath, NoteVersion};

/// How many texts are kept for a note, the current one included.
const MAX_VERSIONS: usize = 100;

/// One text that the note had, oldest first in the index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) version: String,
    pub(crate) author: NoteAuthor,
    pub(crate) session_id: Option<SessionId>,
    pub(crate) saved_at: Timestamp,
    pub(crate) size: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Index {
    /// The note's path, for a person who looks into the folder.
    path: String,
    entries: Vec<Entry>,
}

/// The history of one note.
pub(crate) struct History<'folder> {
    folder: &'folder Folder,
    path: &'folder NotePath,
    place: String,
    index: Index,
}

impl<'folder> History<'folder> {
    /// Reads the index. One that can't be read counts as empty, so that the note itself stays
    /// usable; its texts stay on disk.
    pub(crate) fn of(folder: &'folder Folder, path: &'folder NotePath) -> Self {
        let place = format!("{OWN}/history/{}", fingerprint(path.as_str().as_bytes()));
        let index = match folder.bytes(&format!("{place}/index.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::warn!(%path, %error, "the note's history can't be read");
                Index::default()
            }),
            Err(_) => Index::default(),
        };
        Self {
            folder,
            path,
            place,
            index,
        }
    }

    /// The latest entry for a text.
    pub(crate) fn entry(&self, version: &str) -> Option<&Entry> {
        self.index
            .entries
            .iter()
            .rev()
            .find(|entry| entry.version == version)
    }

    /// Adds a text as the latest one. The same text again only changes who saved it last.
    pub(crate) fn add(&mut self, entry: Entry, text: &str) -> Result<(), NoteError> {
        self.folder.create_folder(&self.place)?;
        if self.entry(&entry.version).is_none() {
            self.folder
                .write(&self.text_path(&entry.version), text.as_bytes())?;
        }
        if self
            .index
            .entries
            .last()
            .is_some_and(|last| last.version == entry.version)
        {
            self.index.entries.pop();
        }
        self.index.entries.push(entry);
        self.write()
    }

    /// Adds a text that another program wrote, unless it is the latest one already.
    pub(crate) fn notice(&mut self, text: &str, changed: Timestamp) -> Result<(), NoteError> {
        let version = fingerprint(text.as_bytes());
        if self
            .index
            .entries
            .last()
            .is_some_and(|last| last.version == version)
        {
            return Ok(());
        }
        let size = text.len() as u64;
        let author = NoteAuthor::User;
        self.add(
            Entry {
                version,
                author,
                session_id: None,
                saved_at: changed,
                size,
            },
            text,
        )
    }

    /// The texts other than the current one, latest first, each once.
    pub(crate) fn versions(&self, current: &str) -> Vec<NoteVersion> {
        let mut seen = HashSet::from([current]);
        let entries = self.index.entries.iter().rev();
        entries
            .filter(|entry| seen.insert(&entry.version))
            .map(|entry| NoteVersion {
                version: entry.version.clone(),
                author: entry.author,
                saved_at: entry.saved_at,
                size: entry.size,
            })
            .collect()
    }

    /// The text of a version in the index.
    pub(crate) fn text(&self, version: &str) -> Result<String, NoteError> {
        let missing = || NoteError::VersionNotFound {
            path: self.path.to_string(),
            version: version.chars().take(64).collect(),
        };
        // Only a version of the index becomes a file name.
        let entry = self.entry(version).ok_or_else(missing)?;
        match self.folder.text(&self.text_path(&entry.version)) {
            Err(NoteError::NotFound(_)) => Err(missing()),
            other => other,
        }
    }

    /// Gives the whole history to a note that was renamed.
    pub(crate) fn move_to(self, path: &NotePath) -> Result<(), NoteError> {
        let mut other = History::of(self.folder, path);
        for entry in &self.index.entries {
            if let Ok(text) = self.text(&entry.version) {
                other.add(entry.clone(), &text)?;
            }
        }
        if self.index.entries.is_empty() {
            Ok(())
        } else {
            self.folder.remove_folder(&self.place)
        }
    }

    fn text_path(&self, version: &str) -> String {
        format!("{}/{}.md", self.place, fingerprint_only(version))
    }

    /// Writes the index and drops the oldest texts.
    fn write(&mut self) -> Result<(), NoteError> {
        let surplus = self.index.entries.len().saturating_sub(MAX_VERSIONS);
        let dropped: Vec<Entry> = self.index.entries.drain(..surplus).collect();
        self.path.as_str().clone_into(&mut self.index.path);
        let json = serde_json::to_vec_pretty(&self.index).map_err(|error| NoteError::File {
            path: self.place.clone(),
            source: error.into(),
        })?;
        self.folder
            .write(&format!("{}/index.json", self.place), &json)?;
        for entry in dropped {
            if self.entry(&entry.version).is_none() {
                self.folder.remove_file(&self.text_path(&entry.version))?;
            }
        }
        Ok(())
    }
}

/// A version as it may stand in a file name: an index edited by hand must not name other files.
fn fingerprint_only(version: &str) -> String {
    version.chars().filter(char::is_ascii_hexdigit).collect()
}
