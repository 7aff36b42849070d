//! Models: what a service lists, what is known of each, what the user says of it.

use talaria_domain::{ModelFacts, ModelRef, ServiceId};
use talaria_provider::{ListedModel, table_date, table_facts};
use talaria_store::{ModelSettings, ServiceSettings};

use crate::{
    ApiError, Change, Core, ListModels, ModelView, ReadModel, SetContextWindow, SetModelFacts,
};

/// No window is smaller: the system prompt and an answer would have no room.
const SMALLEST_WINDOW: u64 = 1_024;

/// Asks a service for its models. What it does not tell of them, the bundled table does.
pub async fn list_models(
    core: &Core,
    ListModels { id }: ListModels,
) -> Result<Vec<ListedModel>, ApiError> {
    let endpoint = core.endpoint(&id).await?;
    let mut models = core.client().list_models(&endpoint).await?;
    core.keep_list(&endpoint, &models).await;
    for model in &mut models {
        let known = table_facts(&endpoint.base_url, model.name.as_str());
        model.facts = model.facts.or(known);
    }
    Ok(models)
}

/// What is known of a model.
pub async fn read_model(
    core: &Core,
    ReadModel { model }: ReadModel,
) -> Result<ModelView, ApiError> {
    view(core, model).await
}

/// Keeps what the user says of a model.
pub async fn set_model_facts(
    core: &Core,
    SetModelFacts { model, facts }: SetModelFacts,
) -> Result<ModelView, ApiError> {
    if facts.context_window.is_some_and(is_too_small) {
        return Err(too_small());
    }
    let name = model.model.clone();
    change_service(core, model.service.clone(), move |service| {
        service.models.retain(|known| known.name != name);
        if facts != ModelFacts::default() {
            service.models.push(ModelSettings { name, facts });
        }
    })
    .await?;
    view(core, model).await
}

/// Keeps what the user says of the window of all of a service's models.
pub async fn set_context_window(
    core: &Core,
    SetContextWindow { id, tokens }: SetContextWindow,
) -> Result<(), ApiError> {
    if tokens.is_some_and(is_too_small) {
        return Err(too_small());
    }
    change_service(core, id, move |service| service.context_window = tokens).await
}

async fn change_service(
    core: &Core,
    id: ServiceId,
    change: impl FnOnce(&mut ServiceSettings) + Send + 'static,
) -> Result<(), ApiError> {
    core.service(&id)?;
    core.change_settings(move |settings| {
        let service = settings.services.iter_mut().find(|known| known.id == id);
        if let Some(service) = service {
            change(service);
        }
    })
    .await?;
    core.changed(Change::Settings);
    Ok(())
}

async fn view(core: &Core, model: ModelRef) -> Result<ModelView, ApiError> {
    let endpoint = core.endpoint(&model.service).await?;
    let known = core.known_of(&model, &endpoint).await;
    Ok(ModelView {
        window: core.window_within(&known, &endpoint),
        set: core.facts_set_of(&model),
        known,
        model,
        table_date: table_date().to_owned(),
    })
}

fn is_too_small(tokens: u64) -> bool {
    tokens < SMALLEST_WINDOW
}

fn too_small() -> ApiError {
    ApiError::invalid(format_args!(
        "a window has at least {SMALLEST_WINDOW} tokens"
    ))
}
