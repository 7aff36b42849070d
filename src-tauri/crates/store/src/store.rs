//! The open store: a handle that is cheap to clone, and how it is opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;
use rusqlite::Connection;
use talaria_domain::Timestamp;

use crate::damage::{self, Health};
use crate::database::{Database, connect, suspicion};
use crate::migration::{migrate, refuse_newer};
use crate::presence::{Gate, Others, Presence};
use crate::{Home, StoreError};

/// The database of a data root. Clones share it; it is closed with the last of them.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// The fields are dropped in this order: the mark comes down once the database is closed.
struct Inner {
    database: Database,
    presence: Presence,
}

/// A store, and what was found when it was opened.
pub struct Opened {
    /// The store.
    pub store: Store,
    /// Where the damaged database was put, if it was damaged. What could be read of it is in the
    /// store.
    pub damaged: Option<PathBuf>,
    /// A process ended without closing the database, which is too large to be checked while
    /// somebody waits: [`Store::check`] is to be called behind everything else.
    pub unchecked: bool,
}

impl Store {
    /// Opens the database of a data root, making what is missing.
    ///
    /// Turns left running by processes that are gone are closed as interrupted, and what was
    /// deleted more than a week ago is purged.
    ///
    /// # Errors
    /// When the folder can't be written, a newer program wrote the database, or it is damaged
    /// while another process uses it.
    pub fn open(home: &Home, now: Timestamp) -> Result<Opened, StoreError> {
        home.create()?;
        // One path however the root is reached: SQLite names its log after it.
        let home = Home::at(fs::canonicalize(home.root())?);
        let path = home.database();
        let _gate = Gate::enter(&home.run())?;
        let presence = Presence::announce(&home.run(), now)?;
        let others = presence.sweep()?;
        let (writer, found) = open_sound(&path, &others, now)?;
        let store = Self {
            inner: Arc::new(Inner {
                database: Database::new(path, writer),
                presence,
            }),
        };
        if found.index_lost {
            store.rebuild_index()?;
        }
        store.purge(now)?;
        store.recover_interrupted(now)?;
        Ok(Opened {
            store,
            damaged: found.damaged,
            unchecked: found.unchecked,
        })
    }

    /// Looks for damage in the whole file. What is found is repaired at the next start. Takes as
    /// long as reading the file does.
    ///
    /// # Errors
    /// When the file is damaged, or can't be read.
    pub fn check(&self) -> Result<(), StoreError> {
        self.database().read(damage::look)
    }

    pub(crate) fn database(&self) -> &Database {
        &self.inner.database
    }

    pub(crate) fn presence(&self) -> &Presence {
        &self.inner.presence
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Store")
    }
}

struct Found {
    damaged: Option<PathBuf>,
    index_lost: bool,
    unchecked: bool,
}

fn open_sound(
    path: &Path,
    others: &Others,
    now: Timestamp,
) -> Result<(Connection, Found), StoreError> {
    let suspicion = suspicion(path);
    create_private(path)?;
    let size = path.metadata().map_or(0, |metadata| metadata.len());
    let look_closely = size <= damage::SMALL || suspicion.exists();
    let unchecked = others.died && !look_closely;
    let opened = connect(path).and_then(|mut connection| {
        refuse_newer(&connection)?;
        let health = if look_closely {
            damage::check(&mut connection)?
        } else {
            Health::Sound
        };
        if health != Health::Damaged {
            migrate(&mut connection, path)?;
        }
        Ok((connection, health))
    });
    match opened {
        Ok((connection, health)) if health != Health::Damaged => {
            clear(&suspicion)?;
            let index_lost = health == Health::IndexLost;
            let damaged = None;
            return Ok((
                connection,
                Found {
                    damaged,
                    index_lost,
                    unchecked,
                },
            ));
        }
        // Closed before its file is renamed: SQLite would remove the log of the file that comes
        // after it.
        Ok((connection, _)) => drop(connection),
        Err(error) if error.is_damage() => {}
        Err(error) => return Err(error),
    }
    if others.live {
        return Err(StoreError::DamagedInUse(path.to_owned()));
    }
    replace_damaged(path, &suspicion, now)
}

fn replace_damaged(
    path: &Path,
    suspicion: &Path,
    now: Timestamp,
) -> Result<(Connection, Found), StoreError> {
    let aside = damage::set_aside(path, now)?;
    create_private(path)?;
    let mut connection = connect(path)?;
    migrate(&mut connection, path)?;
    let saved = damage::salvage(&mut connection, &aside)?;
    clear(suspicion)?;
    tracing::error!(aside = %aside.display(), saved, "the database was damaged and was set aside");
    let found = Found {
        damaged: Some(aside),
        index_lost: true,
        unchecked: false,
    };
    Ok((connection, found))
}

fn clear(suspicion: &Path) -> Result<(), StoreError> {
    match fs::remove_file(suspicion) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Makes the file for this user only, wherever it lies; SQLite gives its log the same rights.
pub(crate) fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}
