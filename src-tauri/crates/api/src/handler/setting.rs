//! The settings, and what the program is.

use std::path::PathBuf;

use talaria_domain::Language;

use crate::services::protocol_named;
use crate::{
    About, ApiError, Change, Core, LanguageChoice, ReadAbout, ReadSettings, ServiceView,
    SettingsView, Theme, UpdateSettings,
};

/// No trace is kept for more days.
const LONGEST_KEPT: u32 = 3_650;

/// The settings in effect.
pub async fn read_settings(
    core: &Core,
    ReadSettings {}: ReadSettings,
) -> Result<SettingsView, ApiError> {
    view(core)
}

/// Changes settings; what is left out stays.
pub async fn update_settings(
    core: &Core,
    update: UpdateSettings,
) -> Result<SettingsView, ApiError> {
    let notes_moved = update.notes_folder.is_some();
    let folder = update
        .notes_folder
        .as_deref()
        .map(notes_folder)
        .transpose()?;
    if let Some(folder) = folder.clone() {
        let core = core.clone();
        let folder = folder.unwrap_or_else(|| core.home().notes());
        // A folder that can't be used is refused before it is written down.
        core.clone()
            .off_the_runtime(move || core.notes().move_to(&folder))
            .await??;
    }
    core.change_settings(move |settings| {
        if let Some(language) = update.language {
            settings.language = match language {
                LanguageChoice::System => None,
                LanguageChoice::English => Some(Language::English),
                LanguageChoice::Chinese => Some(Language::Chinese),
            };
        }
        if let Some(theme) = update.theme {
            settings.theme = theme.into();
        }
        if let Some(zoom) = update.zoom {
            settings.zoom = zoom;
        }
        if let Some(folder) = folder {
            settings.notes_folder = folder;
        }
        if let Some(model) = update.model {
            settings.model = Some(model);
        }
        if let Some(fallbacks) = update.fallbacks {
            settings.fallbacks = fallbacks;
        }
        if let Some(mode) = update.default_mode {
            settings.default_mode = mode;
        }
        if let Some(hosts) = update.web_allowed_hosts {
            settings.web_allowed_hosts = hosts;
        }
        if let Some(rules) = update.rules {
            settings.rules = rules;
        }
        if let Some(days) = update.trace_days {
            settings.trace.keep_days = days.clamp(1, LONGEST_KEPT);
        }
        if let Some(bodies) = update.trace_bodies {
            settings.trace.bodies = bodies;
        }
        if let Some(done) = update.setup_done {
            settings.setup_done = done;
        }
    })
    .await?;
    core.changed(Change::Settings);
    if notes_moved {
        core.changed(Change::Notes);
    }
    view(core)
}

/// What this program is and where it keeps things.
pub async fn read_about(core: &Core, ReadAbout {}: ReadAbout) -> Result<About, ApiError> {
    Ok(About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_root: core.home().root().display().to_string(),
        log_folder: core.home().logs().display().to_string(),
        damaged_database: core
            .damaged_database()
            .map(|path| path.display().to_string()),
        settings_problem: core.settings_problem(),
    })
}

/// A folder as the user chose it; blank means the one in the data root.
fn notes_folder(text: &str) -> Result<Option<PathBuf>, ApiError> {
    let folder = PathBuf::from(text.trim());
    if folder.as_os_str().is_empty() {
        return Ok(None);
    }
    if folder.is_absolute() {
        return Ok(Some(folder));
    }
    Err(ApiError::invalid(
        "the notes folder must be named by its whole path",
    ))
}

fn view(core: &Core) -> Result<SettingsView, ApiError> {
    let settings = core.settings();
    let services: Result<Vec<ServiceView>, ApiError> =
        settings.services.iter().map(service_view).collect();
    Ok(SettingsView {
        language: settings.language,
        effective_language: core.language(),
        theme: settings.theme.into(),
        zoom: settings.zoom,
        notes_folder: core.notes_folder().display().to_string(),
        notes_folder_is_default: settings.notes_folder.is_none(),
        model: settings.model,
        fallbacks: settings.fallbacks,
        default_mode: settings.default_mode,
        rules: settings.rules,
        web_allowed_hosts: settings.web_allowed_hosts,
        trace_days: settings.trace.keep_days,
        trace_bodies: settings.trace.bodies,
        services: services?,
        setup_done: settings.setup_done,
        data_root: core.home().root().display().to_string(),
    })
}

/// A configured service as the window sees it.
pub(crate) fn service_view(
    service: &talaria_store::ServiceSettings,
) -> Result<ServiceView, ApiError> {
    Ok(ServiceView {
        id: service.id.clone(),
        name: service.name.clone(),
        preset: service.preset.clone(),
        base_url: service.base_url.clone(),
        protocol: protocol_named(&service.protocol)?,
        has_key: service.has_key,
    })
}

impl From<Theme> for talaria_store::Theme {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::System => Self::System,
            Theme::Light => Self::Light,
            Theme::Dark => Self::Dark,
        }
    }
}

impl From<talaria_store::Theme> for Theme {
    fn from(theme: talaria_store::Theme) -> Self {
        match theme {
            talaria_store::Theme::System => Self::System,
            talaria_store::Theme::Light => Self::Light,
            talaria_store::Theme::Dark => Self::Dark,
        }
    }
}
