//! Searching the web through the service that the user chose.
//!
//! Each service is told in `services.yaml`: where it is, how it is asked, where its hits lie. The
//! code knows none of them by name. The key enters a request as a header marked secret, follows no
//! redirect to another origin, and is taken out of every failure's message.

mod reply;
mod request;
mod service;

use std::time::{Duration, SystemTime};

use talaria_domain::{ErrorCode, Retry, ServiceFailure, WebHit, WebQuery};
use talaria_secret::Secret;
use url::Url;

pub use service::{SearchService, search_service, search_services};

use crate::client::{accepted, start_of};
use crate::{Client, failure};

/// The longest that a whole search takes.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest wait after which a search that came too soon is put once more.
const SHORT_WAIT: Duration = Duration::from_secs(3);
/// What is waited for where a service only says "too soon"; plans allow one search a second.
const USUAL_WAIT: Duration = Duration::from_millis(1_100);
/// More of an answer is not read, in bytes.
const LARGEST: usize = 4 * 1024 * 1024;

/// A service as the user set it up.
#[derive(Clone, Debug)]
pub struct SearchEndpoint {
    service: &'static SearchService,
    address: Url,
    key: Option<Secret<String>>,
}

impl SearchEndpoint {
    /// The host that the words go to.
    #[must_use]
    pub fn host(&self) -> &str {
        self.address.host_str().unwrap_or_default()
    }

    /// The address that is asked.
    #[must_use]
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// The same, with the key that is kept for it.
    #[must_use]
    pub fn with_key(self, key: Option<Secret<String>>) -> Self {
        Self { key, ..self }
    }
}

impl Client {
    /// Searches the web. Dropping the future ends the search.
    ///
    /// # Errors
    /// `auth` without a key that the service takes, `bad_request` for a query that it does not
    /// take, `bad_response` for an answer that can't be read, else what the service said.
    pub async fn search_web(
        &self,
        endpoint: &SearchEndpoint,
        query: &WebQuery,
    ) -> Result<Vec<WebHit>, ServiceFailure> {
        let found = self.within(PATIENCE, self.search(endpoint, query)).await;
        found.map_err(|failure| failure::conceal(failure, endpoint.key.as_ref()))
    }

    async fn search(
        &self,
        endpoint: &SearchEndpoint,
        query: &WebQuery,
    ) -> Result<Vec<WebHit>, ServiceFailure> {
        check(endpoint, query)?;
        match self.search_once(endpoint, query).await {
            Err(failure) => match short_wait(&failure) {
                Some(wait) => {
                    tokio::time::sleep(wait).await;
                    self.search_once(endpoint, query).await
                }
                None => Err(failure),
            },
            found => found,
        }
    }

    async fn search_once(
        &self,
        endpoint: &SearchEndpoint,
        query: &WebQuery,
    ) -> Result<Vec<WebHit>, ServiceFailure> {
        let now = SystemTime::now();
        let request = request::built(self.http(&endpoint.address), endpoint, query, now)?;
        let response = accepted(request)
            .await
            .map_err(|failure| without_json(failure, endpoint.service))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = start_of(response, LARGEST).await?;
        // Some services tell a failure behind a status of success.
        reply::hits(&endpoint.service.reply, &body, query.count).map_err(|unread| match unread {
            reply::Unread::Complaint => failure::from_answer(status, &headers, &body, now),
            reply::Unread::Form => failure::bad_response(
                "The search service did not answer with JSON in the form that is known of it.",
            ),
        })
    }
}

/// What would be refused anyway is not sent.
fn check(endpoint: &SearchEndpoint, query: &WebQuery) -> Result<(), ServiceFailure> {
    let longest = endpoint.service.longest_query;
    let length = query.words.chars().count();
    if length > longest {
        let message = format!("The query has {length} characters; at most {longest} are taken.");
        return Err(failure::new(ErrorCode::BadRequest, &message, Retry::Never));
    }
    if endpoint.service.needs_key() && endpoint.key.is_none() {
        let message = "No key is kept for the search service.";
        return Err(failure::new(ErrorCode::Auth, message, Retry::Never));
    }
    Ok(())
}

/// A service without keys that refuses to answer was not told to give JSON.
fn without_json(failure: ServiceFailure, service: &SearchService) -> ServiceFailure {
    if service.needs_key() || failure.status != Some(403) {
        return failure;
    }
    failure::bad_response(
        "The search service gives no JSON: add json to search.formats in its settings.yml.",
    )
}

/// How long to wait before a search that came too soon is put once more.
fn short_wait(failure: &ServiceFailure) -> Option<Duration> {
    match failure.retry {
        _ if failure.code != ErrorCode::RateLimited => None,
        Retry::After(wait) => (wait <= SHORT_WAIT).then_some(wait),
        Retry::Soon => Some(USUAL_WAIT),
        Retry::Never => None,
    }
}
