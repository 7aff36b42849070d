//! The settings as the window sees them.

use serde::{Deserialize, Serialize};
use talaria_domain::{Language, Mode, ModelRef, PermissionRule};
use ts_rs::TS;

use crate::ServiceView;

/// Light, dark, or what the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// As the system.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

/// All settings, in effect now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SettingsView {
    /// The language the user chose; none follows the system.
    pub language: Option<Language>,
    /// The language in effect.
    pub effective_language: Language,
    /// The theme.
    pub theme: Theme,
    /// The size of everything, in percent from 80 to 200.
    pub zoom: u16,
    /// The notes folder in effect.
    pub notes_folder: String,
    /// Whether that is the folder in the data root.
    pub notes_folder_is_default: bool,
    /// The model new sessions begin with.
    pub model: Option<ModelRef>,
    /// The models that answer, in order, while the one in use is out; empty unless set.
    pub fallbacks: Vec<ModelRef>,
    /// How much new sessions may do without asking.
    pub default_mode: Mode,
    /// The standing rules about what tools may do.
    pub rules: Vec<PermissionRule>,
    /// Hosts of the own computer or network that pages may be fetched from all the same.
    pub web_allowed_hosts: Vec<String>,
    /// After so many days a turn's trace is deleted.
    pub trace_days: u32,
    /// Whether traces keep requests whole.
    pub trace_bodies: bool,
    /// The configured services.
    pub services: Vec<ServiceView>,
    /// Whether the first-run guide was finished or skipped.
    pub setup_done: bool,
    /// Where everything is kept.
    pub data_root: String,
}

/// Read the settings.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadSettings {}

/// Change settings; what is left out stays.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct UpdateSettings {
    /// A language, or `system`.
    pub language: Option<LanguageChoice>,
    /// A theme.
    pub theme: Option<Theme>,
    /// A size in percent.
    pub zoom: Option<u16>,
    /// A folder, absolute; blank means the one in the data root.
    pub notes_folder: Option<String>,
    /// The model new sessions begin with.
    pub model: Option<ModelRef>,
    /// The models that answer while the one in use is out.
    pub fallbacks: Option<Vec<ModelRef>>,
    /// How much new sessions may do without asking.
    pub default_mode: Option<Mode>,
    /// The standing rules, all of them.
    pub rules: Option<Vec<PermissionRule>>,
    /// Hosts of the own computer or network that pages may be fetched from all the same.
    pub web_allowed_hosts: Option<Vec<String>>,
    /// After so many days a turn's trace is deleted, from 1 to 3,650; from the next start on.
    pub trace_days: Option<u32>,
    /// Whether traces keep requests whole.
    pub trace_bodies: Option<bool>,
    /// Whether the first-run guide is over.
    pub setup_done: Option<bool>,
}

/// A language, or the system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum LanguageChoice {
    /// As the system.
    #[serde(rename = "system")]
    System,
    /// English.
    #[serde(rename = "en")]
    English,
    /// Simplified Chinese.
    #[serde(rename = "zh-CN")]
    Chinese,
}

/// About this program.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadAbout {}

/// About this program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct About {
    /// Its version.
    pub version: String,
    /// The data root.
    pub data_root: String,
    /// The folder of the logs.
    pub log_folder: String,
    /// Set when the database was found damaged at start: where the damaged file was put.
    pub damaged_database: Option<String>,
    /// Set when the settings file can't be understood, so that the defaults hold: what is wrong.
    pub settings_problem: Option<String>,
}

/// Run the checks of `talaria doctor`.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RunDoctor {}

/// One check of the doctor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Diagnosis {
    /// What was checked.
    pub check: Check,
    /// Whether it is as it should be.
    pub passed: bool,
    /// What was seen.
    pub detail: String,
    /// What to do, when it is not.
    pub hint: String,
}

/// What the doctor looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// The service answers and takes the key.
    Connection,
    /// The tools are there.
    Tools,
    /// The model calls a tool.
    CallRoundTrip,
    /// A session can be written and read back.
    SessionWrite,
    /// Notes can be written.
    NotesFolder,
    /// Secrets can be kept.
    Keyring,
    /// The model's window is known.
    ContextLimit,
}
