//! Setting up a model service: what there is, saving one with its key, proving it.

use futures_util::StreamExt;
use talaria_domain::ServiceId;
use talaria_provider::{
    LocalService, ProofEvent, ProofState, ProofStep, base_url, discover, environment_keys, presets,
    usual_candidates,
};
use talaria_secret::Secret;
use talaria_store::ServiceSettings;
use url::Url;

use super::setting::service_view;
use crate::host::To;
use crate::services::{key_name, protocol_name};
use crate::{
    ApiError, Change, ChooseSecretStore, Core, DiscoverServices, KeyInput, ProveService,
    ReadSecretStore, ReadSetup, RemoveService, SaveService, SecretStoreView, ServiceView,
    SetupView,
};

/// What the first-run guide has to offer.
pub async fn read_setup(core: &Core, ReadSetup {}: ReadSetup) -> Result<SetupView, ApiError> {
    Ok(SetupView {
        presets: presets().to_vec(),
        environment_keys: environment_keys(|name| {
            core.variable(name).is_some_and(|value| !value.is_empty())
        }),
        secret_store: core.secrets().state().await,
        proxy: proxy(core),
    })
}

/// The proxy that requests go through, without the password it may hold.
fn proxy(core: &Core) -> Option<String> {
    let names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let value = names
        .iter()
        .find_map(|name| core.variable(name)?.into_string().ok())?;
    let url = Url::parse(&value).ok()?;
    Some(format!(
        "{}:{}",
        url.host_str()?,
        url.port_or_known_default()?
    ))
}

/// Looks for services on this computer.
pub async fn discover_services(
    core: &Core,
    DiscoverServices {}: DiscoverServices,
) -> Result<Vec<LocalService>, ApiError> {
    Ok(discover(&core.client(), usual_candidates()).await)
}

/// Saves a service, its key first: a service whose key could not be kept is not saved.
pub async fn save_service(core: &Core, service: SaveService) -> Result<ServiceView, ApiError> {
    let address = base_url(&service.base_url, service.protocol).map_err(ApiError::invalid)?;
    let id = match service.id {
        Some(id) => id,
        None => free_id(core, service.preset.as_deref().unwrap_or(&service.name))?,
    };
    let known = core.settings().service(&id).cloned();
    let has_key = keep_key(core, &id, service.key, known.as_ref()).await?;
    let saved = ServiceSettings {
        id: id.clone(),
        name: service.name.trim().to_owned(),
        preset: service.preset,
        base_url: address.to_string(),
        protocol: protocol_name(service.protocol).to_owned(),
        context_window: known.as_ref().and_then(|known| known.context_window),
        models: known.map(|known| known.models).unwrap_or_default(),
        has_key,
    };
    let view = service_view(&saved)?;
    core.change_settings(move |settings| {
        match settings
            .services
            .iter_mut()
            .find(|known| known.id == saved.id)
        {
            Some(known) => *known = saved,
            None => settings.services.push(saved),
        }
    })
    .await?;
    core.changed(Change::Settings);
    Ok(view)
}

/// Removes a service and its key.
pub async fn remove_service(
    core: &Core,
    RemoveService { id }: RemoveService,
) -> Result<(), ApiError> {
    if core
        .settings()
        .service(&id)
        .is_some_and(|service| service.has_key)
    {
        core.secrets().delete(&key_name(&id)?).await?;
    }
    core.change_settings(move |settings| {
        settings.services.retain(|service| service.id != id);
        settings.fallbacks.retain(|model| model.service != id);
        if settings
            .model
            .as_ref()
            .is_some_and(|model| model.service == id)
        {
            settings.model = None;
        }
    })
    .await?;
    core.changed(Change::Settings);
    Ok(())
}

/// Proves that a service and a model work, step by step.
pub(crate) async fn prove_service(
    core: &Core,
    ProveService { id, model }: ProveService,
    to: To<ProofEvent>,
) -> Result<(), ApiError> {
    let endpoint = core.endpoint(&id).await?;
    // The user's word goes before what the service says.
    let window = core
        .settings()
        .service(&id)
        .and_then(|service| service.context_window);
    let mut steps = std::pin::pin!(talaria_provider::prove(core.client(), endpoint, model));
    while let Some(event) = steps.next().await {
        to.send(&match (window, event) {
            (
                Some(window),
                ProofEvent {
                    step: ProofStep::Window,
                    state,
                },
            ) if !matches!(state, ProofState::Running | ProofState::Skipped) => {
                let detail = window.to_string();
                let state = ProofState::Passed { detail, millis: 0 };
                ProofEvent {
                    step: ProofStep::Window,
                    state,
                }
            }
            (_, event) => event,
        });
    }
    Ok(())
}

/// How the secret store stands; the keyring is tried again.
pub async fn read_secret_store(
    core: &Core,
    ReadSecretStore {}: ReadSecretStore,
) -> Result<SecretStoreView, ApiError> {
    Ok(SecretStoreView {
        store: core.secrets().probe().await,
    })
}

/// Chooses where keys are kept.
pub async fn choose_secret_store(
    core: &Core,
    ChooseSecretStore { choice }: ChooseSecretStore,
) -> Result<SecretStoreView, ApiError> {
    let store = core.secrets().choose(choice).await?;
    let backend = store.active.map(|backend| backend.name().to_owned());
    core.change_settings(move |settings| settings.secret_backend = backend)
        .await?;
    core.changed(Change::Settings);
    Ok(SecretStoreView { store })
}

/// Does with the key what the user said, and tells whether one is kept now.
async fn keep_key(
    core: &Core,
    id: &ServiceId,
    key: KeyInput,
    known: Option<&ServiceSettings>,
) -> Result<bool, ApiError> {
    let had_key = known.is_some_and(|known| known.has_key);
    let value = match key {
        KeyInput::Unchanged => return Ok(had_key),
        KeyInput::None => {
            if had_key {
                core.secrets().delete(&key_name(id)?).await?;
            }
            return Ok(false);
        }
        KeyInput::Typed { value } => value,
        KeyInput::Environment { variable } => key_variable(core, &variable)?,
    };
    // Keys are pasted: spaces and line ends around them are never part of them.
    let value = Secret::new(value.expose().trim().to_owned());
    if value.expose().is_empty() {
        return Err(ApiError::invalid("the key is empty"));
    }
    core.secrets().set(&key_name(id)?, value).await?;
    Ok(true)
}

/// Reads a variable that is known to hold a key; no other is ever read.
fn key_variable(core: &Core, variable: &str) -> Result<Secret<String>, ApiError> {
    let offered = environment_keys(|name| name == variable);
    let value = core
        .variable(variable)
        .and_then(|value| value.into_string().ok());
    match value {
        Some(value) if !offered.is_empty() => Ok(Secret::new(value)),
        _ => Err(ApiError::invalid(format_args!(
            "the variable {variable} holds no key"
        ))),
    }
}

/// An id made from a name, with a number if it is taken.
pub(crate) fn free_id(core: &Core, name: &str) -> Result<ServiceId, ApiError> {
    let settings = core.settings();
    let base = id_text(name);
    let mut id: ServiceId = base.parse().map_err(ApiError::invalid)?;
    for number in 2_u32.. {
        if settings.service(&id).is_none() {
            break;
        }
        id = format!("{base}-{number}")
            .parse()
            .map_err(ApiError::invalid)?;
    }
    Ok(id)
}

/// The letters and digits of a name, joined by hyphens; `service` if it has none.
fn id_text(name: &str) -> String {
    let words: Vec<String> = name
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let joined: String = words.join("-").chars().take(40).collect();
    let trimmed = joined.trim_matches('-');
    if trimmed.is_empty() {
        "service".to_owned()
    } else {
        trimmed.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::id_text;

    #[test]
    fn an_id_is_made_of_what_a_name_has_in_letters_and_digits() {
        for (name, id) in [
            ("openai", "openai"),
            ("My vLLM server!", "my-vllm-server"),
            ("http://127.0.0.1:8000/v1", "http-127-0-0-1-8000-v1"),
            ("我的服务", "service"),
        ] {
            assert_eq!(id_text(name), id, "{name}");
        }
    }
}
