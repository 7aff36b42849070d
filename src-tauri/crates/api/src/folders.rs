//! The folders that sessions may use: how they are named, and which can be granted.

use std::path::Path;

use talaria_agent::permission::grantable;
use talaria_domain::{Folder, FolderAccess, SessionId};

use crate::{ApiError, Core};

impl Core {
    /// The folders a session may use: those it was granted, then Talaria's own for files. The
    /// first is the one it works in.
    pub(crate) async fn folders(&self, session: SessionId) -> Result<Vec<Folder>, ApiError> {
        let files = self.home().files();
        let granted = self.stored(move |store| store.session_folders(session));
        let mut folders = granted.await?;
        let own = self.off_the_runtime(move || Folder {
            path: canonical(&files).unwrap_or_else(|_| files.display().to_string()),
            access: FolderAccess::Write,
            trusted: false,
        });
        folders.push(own.await?);
        Ok(folders)
    }

    /// The same, with the place of the session's own long results, which it may read.
    pub(crate) async fn readable(&self, session: SessionId) -> Result<Vec<Folder>, ApiError> {
        let mut folders = self.folders(session).await?;
        let spill = self.home().spill().join(session.to_string());
        let own = self.off_the_runtime(move || canonical(&spill).ok()).await?;
        folders.extend(own.map(|path| Folder {
            path,
            access: FolderAccess::Read,
            trusted: false,
        }));
        Ok(folders)
    }

    /// Lets a session use a folder, named as it really lies.
    pub(crate) async fn grant(&self, session: SessionId, folder: Folder) -> Result<(), ApiError> {
        let path = folder.path.clone();
        if !Path::new(&path).is_absolute() {
            return Err(ApiError::invalid(
                "the folder must be named by its whole path",
            ));
        }
        let real = self.off_the_runtime(move || existing(&path)).await??;
        let named = [&folder.path, &real];
        let (home, own) = (self.user_home(), self.own_places());
        for path in named {
            let folder = Folder {
                path: path.clone(),
                ..folder.clone()
            };
            grantable(&folder, home.as_deref(), &own).map_err(ApiError::invalid)?;
        }
        let folder = Folder {
            path: real,
            ..folder
        };
        self.stored(move |store| store.grant_folder(session, &folder))
            .await
    }

    /// What is Talaria's own, under each name that it has.
    pub(crate) fn own_places(&self) -> Vec<String> {
        let root = self.home().root();
        let mut places = vec![root.display().to_string()];
        places.extend(canonical(root).ok().filter(|real| !places.contains(real)));
        places
    }

    /// The user's home folder.
    pub(crate) fn user_home(&self) -> Option<String> {
        ["HOME", "USERPROFILE"]
            .into_iter()
            .find_map(|name| self.variable(name)?.into_string().ok())
            .filter(|home| !home.is_empty())
    }
}

fn existing(path: &str) -> Result<String, ApiError> {
    let real = canonical(Path::new(path)).map_err(|_| {
        ApiError::invalid(format_args!(
            "there is no folder {path}, or it can't be opened"
        ))
    })?;
    if Path::new(&real).is_dir() {
        Ok(real)
    } else {
        Err(ApiError::invalid(format_args!("{path} is no folder")))
    }
}

/// A path without links, as it is compared with others.
fn canonical(path: &Path) -> std::io::Result<String> {
    let real = fs_err::canonicalize(path)?.display().to_string();
    // Windows' long form is understood by fewer programs.
    Ok(match real.strip_prefix(r"\\?\") {
        Some(plain) if !plain.starts_with("UNC") => plain.to_owned(),
        _ => real,
    })
}
