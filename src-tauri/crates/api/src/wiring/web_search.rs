//! The search service that the user chose, as the tools' search of the web.

use async_trait::async_trait;
use talaria_domain::{ErrorCode, WebHit, WebQuery};
use talaria_provider::{Client, SearchEndpoint, search_service};
use talaria_secret::{SecretName, SecretStore};
use talaria_tool::WebSearch;

use crate::{ApiError, Core};

/// A search service, and where its key lies. The key is read when a search is made, not before.
pub(crate) struct ChosenSearch {
    client: Client,
    endpoint: SearchEndpoint,
    /// None for a service without a key, which never touches the store.
    key: Option<SecretName>,
    secrets: SecretStore,
}

/// What the key of a search service is kept under.
pub(crate) fn search_key_name() -> Result<SecretName, ApiError> {
    SecretName::new("web-search").map_err(|error| ApiError::internal(&error))
}

impl Core {
    /// The search service in the settings; none where there is none that can be used.
    pub(crate) fn chosen_search(&self) -> Option<ChosenSearch> {
        let settings = self.settings().web_search?;
        let service = search_service(&settings.service);
        let endpoint = service?.endpoint(settings.base_url.as_deref().unwrap_or_default());
        let endpoint = endpoint
            .inspect_err(|error| tracing::warn!(%error, "the web can't be searched"))
            .ok()?;
        let key = settings.has_key.then(search_key_name);
        Some(ChosenSearch {
            client: self.client(),
            endpoint,
            key: key.transpose().ok()?,
            secrets: self.secrets().clone(),
        })
    }
}

impl ChosenSearch {
    /// Searches with the key that is kept.
    ///
    /// # Errors
    /// What the service or the secret store said.
    pub(crate) async fn find(&self, query: &WebQuery) -> Result<Vec<WebHit>, ApiError> {
        let key = match &self.key {
            Some(name) => self.secrets.get(name).await?,
            None => None,
        };
        let endpoint = self.endpoint.clone().with_key(key);
        Ok(self.client.search_web(&endpoint, query).await?)
    }
}

#[async_trait]
impl WebSearch for ChosenSearch {
    fn host(&self) -> &str {
        self.endpoint.host()
    }

    async fn search(&self, query: &WebQuery) -> Result<Vec<WebHit>, String> {
        self.find(query).await.map_err(|error| told(&error))
    }
}

/// A failure in the model's words: what it can't mend itself, the user can.
fn told(error: &ApiError) -> String {
    let message = error.message.trim_end_matches(['.', '。']);
    match error.code {
        ErrorCode::BadRequest | ErrorCode::RateLimited | ErrorCode::Network => {
            format!("{message}.")
        }
        _ => format!("{message}. The user can mend this in the settings, under Web."),
    }
}
