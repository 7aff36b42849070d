//! The data root: where everything of a user's is kept, and what lies where in it.
//!
//! The front ends resolve it once at start and hand it on; nothing else reads these variables.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::StoreError;

/// The layout of the data root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// The data root: `TALARIA_HOME`, else the platform's data folder.
    ///
    /// # Errors
    /// `NoHome` when the environment names no usable folder.
    pub fn resolve(environment: impl Fn(&str) -> Option<OsString>) -> Result<Self, StoreError> {
        let folder = |name: &str| {
            environment(name)
                .map(PathBuf::from)
                .filter(|path| !path.as_os_str().is_empty())
        };
        let root = match folder("TALARIA_HOME") {
            Some(root) => Some(std::path::absolute(root)?),
            None => platform_folder(folder),
        };
        root.map(Self::at).ok_or(StoreError::NoHome)
    }

    /// The data root at a known folder.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Makes the folders, readable by this user only.
    ///
    /// # Errors
    /// When a folder can't be made.
    pub fn create(&self) -> Result<(), StoreError> {
        for folder in [
            self.root.clone(),
            self.notes(),
            self.skills(),
            self.logs(),
            self.run(),
            self.files(),
        ] {
            private_folder(&folder)?;
        }
        Ok(())
    }

    /// The data root itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.root.join("talaria.db")
    }

    /// The traces of turns, in a file of their own.
    #[must_use]
    pub fn traces(&self) -> PathBuf {
        self.root.join("traces.db")
    }

    /// The notes folder, unless the settings name another.
    #[must_use]
    pub fn notes(&self) -> PathBuf {
        self.root.join("notes")
    }

    /// The user's skills.
    #[must_use]
    pub fn skills(&self) -> PathBuf {
        self.root.join("skills")
    }

    /// The logs.
    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// The folder for files of sessions that were given no other.
    #[must_use]
    pub fn files(&self) -> PathBuf {
        self.root.join("files")
    }

    /// Where commands keep what they need only for a while.
    #[must_use]
    pub fn scratch(&self) -> PathBuf {
        self.root.join("scratch")
    }

    /// Results that were too long to be given to a model whole.
    #[must_use]
    pub fn spill(&self) -> PathBuf {
        self.root.join("spill")
    }

    /// The settings file.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.root.join("settings.yaml")
    }

    /// The file of sealed secrets, for who has no keyring.
    #[must_use]
    pub fn secrets(&self) -> PathBuf {
        self.root.join("secrets.sealed")
    }

    /// Marks of the processes that use this data root now.
    pub(crate) fn run(&self) -> PathBuf {
        self.root.join("run")
    }
}

#[cfg(target_os = "macos")]
fn platform_folder(folder: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    folder("HOME").map(|home| home.join("Library/Application Support/Talaria"))
}

#[cfg(windows)]
fn platform_folder(folder: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    folder("APPDATA").map(|data| data.join("Talaria"))
}

#[cfg(not(any(target_os = "macos", windows)))]
fn platform_folder(folder: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    // The XDG rules: a relative path is to be ignored.
    folder("XDG_DATA_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| folder("HOME").map(|home| home.join(".local/share")))
        .map(|data| data.join("talaria"))
}

fn private_folder(path: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::Home;
    use crate::StoreError;

    fn resolve(variables: &[(&str, &str)]) -> Result<Home, StoreError> {
        Home::resolve(|name| {
            variables
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_variable_wins_over_the_platform() {
        let home = resolve(&[
            ("TALARIA_HOME", "/srv/t"),
            ("XDG_DATA_HOME", "/x"),
            ("HOME", "/h"),
        ]);
        assert_eq!(home.unwrap(), Home::at("/srv/t"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_platform_folder_follows_the_xdg_rules() {
        let table = [
            (vec![("XDG_DATA_HOME", "/x"), ("HOME", "/h")], "/x/talaria"),
            (
                vec![("XDG_DATA_HOME", "relative"), ("HOME", "/h")],
                "/h/.local/share/talaria",
            ),
            (
                vec![("XDG_DATA_HOME", ""), ("HOME", "/h")],
                "/h/.local/share/talaria",
            ),
            (
                vec![("TALARIA_HOME", ""), ("HOME", "/h")],
                "/h/.local/share/talaria",
            ),
        ];
        for (variables, root) in table {
            assert_eq!(
                resolve(&variables).unwrap(),
                Home::at(root),
                "{variables:?}"
            );
        }
    }

    #[test]
    fn without_any_folder_the_user_is_told_what_to_set() {
        let error = resolve(&[]).unwrap_err();
        assert!(error.to_string().contains("TALARIA_HOME"));
    }

    #[test]
    fn a_relative_home_is_made_absolute_once() {
        let home = resolve(&[("TALARIA_HOME", "data")]).unwrap();
        assert!(home.root().is_absolute() && home.root().ends_with("data"));
    }

    #[cfg(unix)]
    #[test]
    fn the_folders_are_for_this_user_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path().join("数据/talaria"));
        home.create().unwrap();
        home.create().unwrap();
        for path in [
            home.root().to_owned(),
            home.notes(),
            home.skills(),
            home.logs(),
            home.run(),
            home.files(),
        ] {
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", path.display());
        }
    }
}
