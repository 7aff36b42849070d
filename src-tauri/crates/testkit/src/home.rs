//! A home of its own for a program under test.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Variables through which the tester's own machine would show: a running keyring, a proxy.
const HIDDEN: &[&str] = &[
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
];

/// Keys and settings of the tester's own: every variable that begins or ends so is hidden too.
const HIDDEN_STARTS: &[&str] = &["TALARIA_", "HERMES_", "LC_"];
const HIDDEN_ENDS: &[&str] = &["_API_KEY"];

/// A folder that stands for the user's home, removed when dropped.
#[derive(Debug)]
pub struct TempHome {
    folder: TempDir,
}

impl TempHome {
    /// Makes an empty one.
    ///
    /// # Errors
    /// When the system's temporary folder can't be written.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            folder: tempfile::Builder::new().prefix("talaria-test-").tempdir()?,
        })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The data root of programs started by [`Self::command`].
    #[must_use]
    pub fn data_root(&self) -> PathBuf {
        self.path().join("data")
    }

    /// A command that sees this home and nothing of the tester's: no keys, proxy, keyring, display.
    #[must_use]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(is_hidden) {
                command.env_remove(name);
            }
        }
        command
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path().join("share"))
            .env("XDG_CONFIG_HOME", self.path().join("config"))
            .env("XDG_CACHE_HOME", self.path().join("cache"))
            .env("XDG_RUNTIME_DIR", self.path())
            .env("TALARIA_HOME", self.data_root())
            .env("LANG", "C.UTF-8");
        command
    }
}

fn is_hidden(name: &str) -> bool {
    HIDDEN.contains(&name)
        || HIDDEN_STARTS.iter().any(|start| name.starts_with(start))
        || HIDDEN_ENDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::{TempHome, is_hidden};

    #[test]
    fn what_belongs_to_the_tester_is_hidden() {
        let cases = [
            ("OPENAI_API_KEY", true),
            ("TALARIA_MODEL", true),
            ("HERMES_BASE_URL", true),
            ("https_proxy", true),
            ("DBUS_SESSION_BUS_ADDRESS", true),
            ("PATH", false),
            ("CARGO_TARGET_DIR", false),
        ];
        for (name, expected) in cases {
            assert_eq!(is_hidden(name), expected, "{name}");
        }
    }

    #[test]
    fn a_command_keeps_its_data_in_the_temporary_home() {
        let home = TempHome::new().unwrap();
        let command = home.command("true");
        let root = command.get_envs().find(|(name, _)| *name == "TALARIA_HOME");
        assert_eq!(
            root.and_then(|(_, value)| value),
            Some(home.data_root().as_os_str())
        );
    }

    #[test]
    fn the_folder_goes_with_its_owner() {
        let home = TempHome::new().unwrap();
        let path = home.path().to_owned();
        assert!(path.is_dir());
        drop(home);
        assert!(!path.exists());
    }
}
