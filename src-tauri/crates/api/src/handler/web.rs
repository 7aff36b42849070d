//! Searching the web: which service does, its key, and a first search to see that it works.

use talaria_domain::{ErrorCode, WebHit, WebQuery};
use talaria_provider::{SearchService, search_service, search_services};
use talaria_secret::Secret;
use talaria_store::WebSearchSettings;

use crate::wiring::search_key_name;
use crate::{
    ApiError, Change, Core, ReadWebSearch, SaveWebSearch, TryWebSearch, WebSearchService,
    WebSearchView,
};

/// Hits of a first search.
const FIRST_HITS: usize = 3;

/// How the web is searched, and with what it could be.
pub async fn read_web_search(
    core: &Core,
    ReadWebSearch {}: ReadWebSearch,
) -> Result<WebSearchView, ApiError> {
    Ok(view(core.settings().web_search))
}

/// Chooses how the web is searched; the key first: a service whose key could not be kept is not
/// chosen.
pub async fn save_web_search(
    core: &Core,
    SaveWebSearch {
        service,
        base_url,
        key,
    }: SaveWebSearch,
) -> Result<WebSearchView, ApiError> {
    let known = core.settings().web_search;
    let chosen = match service {
        Some(id) => Some(chosen(&id, &base_url)?),
        None => None,
    };
    let saved = match chosen {
        Some((service, mut wanted)) => {
            wanted.has_key = keep_key(core, service, &wanted, known.as_ref(), key).await?;
            Some(wanted)
        }
        None => {
            forget_key(core, known.as_ref()).await?;
            None
        }
    };
    core.change_settings({
        let saved = saved.clone();
        move |settings| settings.web_search = saved
    })
    .await?;
    core.changed(Change::Settings);
    Ok(view(saved))
}

/// Searches once with the service that is set up.
pub async fn try_web_search(
    core: &Core,
    TryWebSearch { query }: TryWebSearch,
) -> Result<Vec<WebHit>, ApiError> {
    let Some(search) = core.chosen_search() else {
        return Err(ApiError::invalid("choose a service to search with first"));
    };
    let query = WebQuery {
        words: query.trim().to_owned(),
        count: FIRST_HITS,
        freshness: None,
    };
    if query.words.is_empty() {
        return Err(ApiError::invalid("say what to search for"));
    }
    search.find(&query).await
}

fn chosen(
    id: &str,
    base_url: &str,
) -> Result<(&'static SearchService, WebSearchSettings), ApiError> {
    let Some(service) = search_service(id) else {
        let ids: Vec<&str> = search_services().iter().map(|it| it.id.as_str()).collect();
        let message = format!(
            "\"{id}\" is no search service; there are {}",
            ids.join(", ")
        );
        return Err(ApiError::new(ErrorCode::InvalidInput, message));
    };
    service.endpoint(base_url).map_err(ApiError::invalid)?;
    let own = base_url.trim();
    let settings = WebSearchSettings {
        service: service.id.clone(),
        base_url: (!own.is_empty()).then(|| own.to_owned()),
        has_key: false,
    };
    Ok((service, settings))
}

/// Keeps a new key, or the old one where it would go to whom it was given for. Tells whether there
/// is one now.
async fn keep_key(
    core: &Core,
    service: &SearchService,
    wanted: &WebSearchSettings,
    known: Option<&WebSearchSettings>,
    key: Option<Secret<String>>,
) -> Result<bool, ApiError> {
    if !service.needs_key() {
        forget_key(core, known).await?;
        return Ok(false);
    }
    let key = key.map(|key| Secret::new(key.expose().trim().to_owned()));
    if let Some(key) = key.filter(|key| !key.expose().is_empty()) {
        core.secrets().set(&search_key_name()?, key).await?;
        return Ok(true);
    }
    let stays = known.is_some_and(|known| {
        known.has_key && known.service == wanted.service && known.base_url == wanted.base_url
    });
    if stays {
        return Ok(true);
    }
    Err(ApiError::invalid(
        "this service needs a key; a key kept for another service or address is not sent to it",
    ))
}

async fn forget_key(core: &Core, known: Option<&WebSearchSettings>) -> Result<(), ApiError> {
    if known.is_some_and(|known| known.has_key) {
        core.secrets().delete(&search_key_name()?).await?;
    }
    Ok(())
}

fn view(settings: Option<WebSearchSettings>) -> WebSearchView {
    let services = search_services().iter().map(|service| WebSearchService {
        id: service.id.clone(),
        name: service.name.clone(),
        name_zh: service.name_zh.clone(),
        needs_key: service.needs_key(),
        needs_address: service.needs_address(),
        key_page: service.key_page.clone(),
    });
    let chosen = settings.filter(|it| search_service(&it.service).is_some());
    WebSearchView {
        services: services.collect(),
        base_url: chosen
            .as_ref()
            .and_then(|it| it.base_url.clone())
            .unwrap_or_default(),
        has_key: chosen.as_ref().is_some_and(|it| it.has_key),
        service: chosen.map(|it| it.service),
    }
}
