//! The settings: what there is to set, and what holds when the user said nothing.
//!
//! Secrets are never among them; those are kept by `talaria-secret`.

mod edit;
mod file;
mod trace;

pub use file::{SettingsError, SettingsFile, SettingsProblem};
pub use trace::TraceSettings;

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use talaria_domain::{Language, Mode, ModelFacts, ModelName, ModelRef, PermissionRule, ServiceId};

/// The sizes that can be set, in percent.
const ZOOM: std::ops::RangeInclusive<u16> = 80..=200;
const DEFAULT_ZOOM: u16 = 100;

/// All settings. What is at its default is not written to the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language; none follows the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The theme.
    #[serde(skip_serializing_if = "is_default")]
    pub theme: Theme,
    /// The size of everything, in percent from 80 to 200.
    #[serde(skip_serializing_if = "is_default_zoom", deserialize_with = "zoom")]
    pub zoom: u16,
    /// The notes folder; none means the one in the data root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes_folder: Option<PathBuf>,
    /// The model new sessions begin with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRef>,
    /// The models that answer, in order, while the one in use is overloaded or can't be reached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<ModelRef>,
    /// How much new sessions may do without asking.
    #[serde(skip_serializing_if = "is_default")]
    pub default_mode: Mode,
    /// The user's standing rules about what tools may do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<PermissionRule>,
    /// The configured services.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<ServiceSettings>,
    /// Where keys are kept, in the words of `talaria-secret`; none until the user chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_backend: Option<String>,
    /// The names of the secrets that commands can be given; the values are in the secret store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_secrets: Vec<String>,
    /// The service that searches the web; none until the user chose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_search: Option<WebSearchSettings>,
    /// Hosts of the own computer or network that pages may be fetched from all the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub web_allowed_hosts: Vec<String>,
    /// Whether the first-run guide was finished or skipped.
    #[serde(skip_serializing_if = "is_default")]
    pub setup_done: bool,
    /// What is kept of the turns' traces.
    #[serde(skip_serializing_if = "is_default")]
    pub trace: TraceSettings,
    /// Where the window was when it was closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowPlace>,
}

/// Light, dark, or what the system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// One configured model service. Its key is in the secret store, under its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceSettings {
    /// Its id.
    pub id: ServiceId,
    /// Its name for people.
    pub name: String,
    /// The preset it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The address requests go to.
    pub base_url: String,
    /// The protocol it speaks, in the words of `talaria-provider`.
    pub protocol: String,
    /// Its window in tokens, where the user knows better than the service says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
    /// Its models of which the user knows something better.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelSettings>,
    /// Whether the secret store keeps a key for it; a service without one never touches the store.
    #[serde(default, skip_serializing_if = "is_default")]
    pub has_key: bool,
}

/// What the user says of one model of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// The service's name for it.
    pub name: ModelName,
    /// What the user says of it; what he says nothing of is left out.
    #[serde(flatten, serialize_with = "only_known")]
    pub facts: ModelFacts,
}

/// The service that searches the web. Its key is in the secret store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSearchSettings {
    /// Which, in the words of `talaria-provider`.
    pub service: String,
    /// Its address, where that is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Whether the secret store keeps a key for it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub has_key: bool,
}

/// The window's place on the screen, in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowPlace {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Whether it fills the screen; the rest is then its size when it no longer does.
    #[serde(default)]
    pub maximized: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            theme: Theme::System,
            zoom: DEFAULT_ZOOM,
            notes_folder: None,
            model: None,
            fallbacks: Vec::new(),
            default_mode: Mode::Ask,
            rules: Vec::new(),
            services: Vec::new(),
            secret_backend: None,
            tool_secrets: Vec::new(),
            web_search: None,
            web_allowed_hosts: Vec::new(),
            setup_done: false,
            trace: TraceSettings::default(),
            window: None,
        }
    }
}

impl Settings {
    /// The service with an id.
    #[must_use]
    pub fn service(&self, id: &ServiceId) -> Option<&ServiceSettings> {
        self.services.iter().find(|service| service.id == *id)
    }

    /// Brings what a program sets within its bounds.
    fn bounded(mut self) -> Self {
        self.zoom = self.zoom.clamp(*ZOOM.start(), *ZOOM.end());
        self
    }

    /// Whether an address names a user or a password, which belong into the secret store.
    fn holds_secret(&self) -> bool {
        let services = self.services.iter().map(|service| &service.base_url);
        let search = self.web_search.iter();
        let search = search.filter_map(|service| service.base_url.as_ref());
        services.chain(search).any(|address| {
            let address = address.split_once("://").map_or("", |(_, rest)| rest);
            let host = address.split(['/', '?', '#']).next();
            host.is_some_and(|host| host.contains('@'))
        })
    }
}

/// The facts without those that nobody set.
fn only_known<S: Serializer>(facts: &ModelFacts, serializer: S) -> Result<S::Ok, S::Error> {
    let facts = serde_json::to_value(facts).map_err(serde::ser::Error::custom)?;
    let known = facts.as_object().into_iter().flatten();
    serializer.collect_map(known.filter(|(_, value)| !value.is_null()))
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_default_zoom(zoom: &u16) -> bool {
    *zoom == DEFAULT_ZOOM
}

/// A size written by hand is checked, not bent: the user is told the line.
fn zoom<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    let zoom = u16::deserialize(deserializer)?;
    if ZOOM.contains(&zoom) {
        Ok(zoom)
    } else {
        Err(serde::de::Error::custom(format!(
            "zoom must be from 80 to 200, not {zoom}"
        )))
    }
}
