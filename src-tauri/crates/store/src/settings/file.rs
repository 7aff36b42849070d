//! `settings.yaml`: read at start, changed in place.
//!
//! The window and the command line may both change it, so each change begins from what is on disk.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fs_err as fs;

use super::Settings;
use super::edit::edited;

/// The file of a new user: every setting as a comment that explains it.
pub(super) const DEFAULT: &str = include_str!("default.yaml");

/// A file beyond these was not written by hand or by Talaria. The reader bounds the depth it goes
/// to and the growth of aliases itself, but takes long to give up on brackets within brackets.
const LARGEST: usize = 64 * 1024;
const MOST_BRACKETS: usize = 1000;

/// How keeping the settings fails.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file could not be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// The file is written in a way that can't be changed without losing something.
    #[error("{0} can't be changed without losing something in it; please edit it by hand")]
    NotEditable(PathBuf),
    /// An address holds a user name or a password.
    #[error("the address of a service must not hold a user name or password; enter it as its key")]
    SecretInAddress,
}

/// Why the settings file could not be understood. The defaults hold until it can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}{}: {message}", line.map_or_else(String::new, |line| format!(", line {line}")), path = path.display())]
pub struct SettingsProblem {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, where known.
    pub line: Option<usize>,
    /// What is wrong there.
    pub message: String,
}

/// The settings file and the settings in effect.
#[derive(Debug)]
pub struct SettingsFile {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    settings: Settings,
    problem: Option<SettingsProblem>,
}

impl SettingsFile {
    /// Reads the file. A missing one is made, with every setting explained; a broken one is left
    /// as it is and reported, and the defaults hold.
    ///
    /// # Errors
    /// When a file that is there can't be read.
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let path = path.into();
        let state = match read(&path)? {
            Some(text) => State::of(&path, &text),
            None => {
                if let Err(error) = write(&path, DEFAULT) {
                    tracing::warn!(%error, "the settings file could not be made");
                }
                State {
                    settings: Settings::default(),
                    problem: None,
                }
            }
        };
        if let Some(problem) = &state.problem {
            tracing::warn!(%problem, "the settings file is broken; the defaults are used");
        }
        Ok(Self {
            path,
            state: Mutex::new(state),
        })
    }

    /// The settings in effect.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .settings
            .clone()
    }

    /// What is wrong with the file, if it could not be understood.
    #[must_use]
    pub fn problem(&self) -> Option<SettingsProblem> {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .problem
            .clone()
    }

    /// Changes the settings and returns them. Comments and order in the file stay. A broken file is
    /// first put aside, as `settings.yaml.broken-1` and so on.
    ///
    /// # Errors
    /// When the file can't be written, can't be changed safely, or would hold a secret; then
    /// nothing changes.
    pub fn update(&self, change: impl FnOnce(&mut Settings)) -> Result<Settings, SettingsError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let on_disk = read(&self.path)?.unwrap_or_else(|| DEFAULT.to_owned());
        let (text, old) = match parse(&on_disk) {
            Ok(settings) => (on_disk, settings),
            Err(_) => {
                let aside = put_aside(&self.path)?;
                tracing::warn!(aside = %aside.display(), "the broken settings file was put aside");
                (DEFAULT.to_owned(), Settings::default())
            }
        };
        let mut new = old.clone();
        change(&mut new);
        let new = new.bounded();
        if new.holds_secret() {
            return Err(SettingsError::SecretInAddress);
        }
        if new != old {
            let text = edited(&text, &old, &new)
                .ok_or_else(|| SettingsError::NotEditable(self.path.clone()))?;
            write(&self.path, &text)?;
        }
        *state = State {
            settings: new.clone(),
            problem: None,
        };
        Ok(new)
    }
}

impl State {
    fn of(path: &Path, text: &str) -> Self {
        match parse(text) {
            Ok(settings) => Self {
                settings,
                problem: None,
            },
            Err(Fault { line, message }) => Self {
                settings: Settings::default(),
                problem: Some(SettingsProblem {
                    path: path.to_owned(),
                    line,
                    message,
                }),
            },
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    line: Option<usize>,
    message: String,
}

/// Reads settings from text.
pub(super) fn parse(text: &str) -> Result<Settings, Fault> {
    let brackets = text
        .bytes()
        .filter(|byte| matches!(byte, b'[' | b'{'))
        .count();
    if text.len() > LARGEST || brackets > MOST_BRACKETS {
        let message = "the file is too large to be settings".to_owned();
        return Err(Fault {
            line: None,
            message,
        });
    }
    serde_yaml::from_str::<Option<Settings>>(text)
        .map(Option::unwrap_or_default)
        .map_err(|error| Fault {
            line: error.location().map(|place| place.line()),
            message: error.to_string(),
        })
}

fn read(path: &Path) -> Result<Option<String>, SettingsError> {
    match fs::read(path) {
        // A byte that is no UTF-8 becomes a mark that the reader stumbles over or a comment holds.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Writes the whole file or nothing: beside it, to the disk, then in its place.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    // A settings file that is a link stays one: what it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = with_suffix(&path, &format!(".{}.new", std::process::id()));
    let written = fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, &path)
    });
    if written.is_err() {
        drop(fs::remove_file(&beside));
    }
    written
}

fn put_aside(path: &Path) -> std::io::Result<PathBuf> {
    let mut number = 1_u32;
    loop {
        let aside = with_suffix(path, &format!(".broken-{number}"));
        if !aside.exists() {
            fs::rename(path, &aside)?;
            return Ok(aside);
        }
        number += 1;
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::{DEFAULT, SettingsError, SettingsFile, parse};
    use crate::{ServiceSettings, Settings, Theme, WindowPlace};

    fn file(text: &str) -> (tempfile::TempDir, SettingsFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.yaml");
        fs::write(&path, text).unwrap();
        let file = SettingsFile::load(path).unwrap();
        (folder, file)
    }

    #[test]
    fn a_new_user_gets_a_file_that_explains_everything() {
        let folder = tempfile::tempdir().unwrap();
        let file = SettingsFile::load(folder.path().join("settings.yaml")).unwrap();
        assert_eq!(file.settings(), Settings::default());
        assert_eq!(
            fs::read_to_string(folder.path().join("settings.yaml")).unwrap(),
            DEFAULT
        );
    }

    #[test]
    fn every_setting_is_explained_and_its_example_can_be_read() {
        let set = DEFAULT
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|line| {
                line.starts_with(' ')
                    || line.split_once(':').is_some_and(|(key, _)| {
                        key.bytes()
                            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
                    })
            })
            .collect::<Vec<_>>()
            .join("\n");
        let settings = parse(&set).unwrap_or_else(|fault| panic!("{fault:?} in {set}"));
        assert!(settings.language.is_some() && settings.notes_folder.is_some());
        assert!(settings.model.is_some() && settings.window.is_some());
        assert!(settings.secret_backend.is_some() && settings.services.len() == 1);
        for key in ["theme", "zoom", "setup_done"] {
            assert!(set.contains(&format!("{key}:")), "{key}");
        }
    }

    #[test]
    fn a_change_is_kept_and_seen_by_another_program() {
        let (folder, file) = file("");
        file.update(|settings| settings.theme = Theme::Dark)
            .unwrap();
        let other = SettingsFile::load(folder.path().join("settings.yaml")).unwrap();
        other.update(|settings| settings.zoom = 150).unwrap();
        let place = WindowPlace {
            x: -1,
            y: 0,
            width: 800,
            height: 600,
            maximized: true,
        };
        let settings = file
            .update(|settings| settings.window = Some(place))
            .unwrap();
        assert_eq!((settings.theme, settings.zoom), (Theme::Dark, 150));
        assert_eq!(settings.window, Some(place));
    }

    #[test]
    fn a_change_of_nothing_leaves_the_file_alone() {
        let text = "zoom:    100 # as it is\n";
        let (folder, file) = file(text);
        file.update(|_| ()).unwrap();
        assert_eq!(
            fs::read_to_string(folder.path().join("settings.yaml")).unwrap(),
            text
        );
    }

    #[test]
    fn a_broken_file_is_reported_with_its_line_and_never_overwritten() {
        let broken = "zoom: 110\ntheme: purple\n";
        let (folder, file) = file(broken);
        let problem = file.problem().unwrap();
        assert_eq!(problem.line, Some(2), "{problem}");
        assert_eq!(file.settings(), Settings::default());
        assert_eq!(
            fs::read_to_string(folder.path().join("settings.yaml")).unwrap(),
            broken
        );

        file.update(|settings| settings.setup_done = true).unwrap();
        assert_eq!(file.problem(), None);
        let aside = folder.path().join("settings.yaml.broken-1");
        assert_eq!(fs::read_to_string(aside).unwrap(), broken);
    }

    #[test]
    fn what_is_not_settings_is_a_fault() {
        let bomb = {
            let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
            for level in 1..12 {
                let one = format!("*a{}", level - 1);
                text += &format!("a{level}: &a{level} [{}]\n", [one.as_str(); 9].join(", "));
            }
            text + "services: *a11\n"
        };
        let table = [
            "zoom: 79",
            "zoom: 201",
            "zoom: big",
            "- a list",
            "just words",
            "zoom: 100\nzoom: 110",
            "services: [{id: 'Not An Id'}]",
            "model: {service: x}",
            "\tzoom: 100",
            "a: 'open",
            &bomb,
            &"[".repeat(60_000),
            &"[".repeat(900),
            &"- ".repeat(30_000),
            &"? ".repeat(30_000),
            &" ".repeat(300_000),
        ];
        for text in table {
            let shown: String = text.chars().take(40).collect();
            let started = std::time::Instant::now();
            assert!(parse(text).is_err(), "{shown}");
            assert!(started.elapsed().as_millis() < 500, "{shown}");
        }
    }

    #[test]
    fn a_size_out_of_bounds_is_brought_within() {
        let (_folder, file) = file("");
        assert_eq!(
            file.update(|settings| settings.zoom = 1000).unwrap().zoom,
            200
        );
    }

    #[test]
    fn an_address_with_a_password_is_refused() {
        let (folder, file) = file("");
        let service = ServiceSettings {
            id: "x".parse().unwrap(),
            name: "X".into(),
            preset: None,
            base_url: "https://me:hunter2@example.org/v1".into(),
            protocol: "openai_chat".into(),
            context_window: None,
            models: Vec::new(),
            has_key: false,
        };
        let error = file
            .update(|settings| settings.services.push(service))
            .unwrap_err();
        assert!(matches!(error, SettingsError::SecretInAddress));
        let text = fs::read_to_string(folder.path().join("settings.yaml")).unwrap();
        assert!(!text.contains("hunter2") && file.settings().services.is_empty());
    }

    #[test]
    fn nothing_is_left_beside_the_file() {
        let (folder, file) = file("");
        file.update(|settings| settings.zoom = 120).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
