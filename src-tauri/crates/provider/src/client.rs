//! The one way to a model service over HTTP.
//!
//! Keys enter a request here and nowhere else, as headers marked secret; they never follow a
//! redirect to another origin, and are taken out of every failure's message.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, HeaderValue, LOCATION};
use reqwest::redirect::{self, Attempt};
use reqwest::{RequestBuilder, Response};
use serde_json::Value;
use talaria_domain::{ErrorCode, ModelEvent, ModelRequest, Retry, ServiceFailure};
use talaria_secret::Secret;
use url::Url;

use crate::address::is_loopback;
use crate::answer::{self, Reader};
use crate::chat_completions::Dialect;
use crate::tool_calls::Ids;
use crate::{Endpoint, ListedModel, Protocol, anthropic, chat_completions, failure, model_list};

/// How much of a failed answer is read.
const FAILURE_BYTES: usize = 64 * 1024;

/// How much of a list of models is read; the largest known one is about 1 MiB.
const LIST_BYTES: usize = 16 * 1024 * 1024;

/// How many redirects are followed.
const REDIRECTS: usize = 5;

/// How long to wait for what. There is no limit on the whole of a stream that stays alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until the connection stands, and for asking whether anything is there.
    pub connect: Duration,
    /// Until the answer begins; a local model may have to load, and reads a long history slowly.
    pub first_byte: Duration,
    /// Between two pieces of a stream, and for the whole list of models.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(90),
        }
    }
}

/// A handle to the HTTP client; cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    /// Goes through the system's proxy, where one is set.
    outside: reqwest::Client,
    /// Goes straight to this computer: no proxy can reach it from where it stands.
    local: reqwest::Client,
    limits: Limits,
    /// What refusals have taught about a service's model, by address and model.
    dialects: Arc<Mutex<HashMap<(Url, String), Dialect>>>,
}

impl Client {
    /// Makes the client. It fails only if the system's certificates or proxy can't be read.
    pub fn new(limits: Limits) -> Result<Self, ServiceFailure> {
        let builder = || {
            reqwest::Client::builder()
                .user_agent(concat!("Talaria/", env!("CARGO_PKG_VERSION")))
                .connect_timeout(limits.connect)
                .tcp_keepalive(Duration::from_secs(30))
                .redirect(redirect::Policy::custom(within_origin))
                .referer(false)
        };
        let build = |builder: reqwest::ClientBuilder| {
            builder
                .build()
                .map_err(|error| failure::from_transport(&error))
        };
        Ok(Self {
            outside: build(builder())?,
            local: build(builder().no_proxy())?,
            limits,
            dialects: Arc::default(),
        })
    }

    /// Asks a model. Events come in order and end with `Finished` or with one failure; dropping
    /// the stream closes the connection.
    pub fn stream(
        &self,
        endpoint: &Endpoint,
        request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        let (client, endpoint) = (self.clone(), endpoint.clone());
        let key = endpoint.key.clone();
        stream::once(async move {
            let (response, reader) = client.ask(&endpoint, request).await?;
            Ok(answer::read(response, reader, client.limits))
        })
        .try_flatten()
        .map_err(move |failure| failure::conceal(failure, key.as_ref()))
        .boxed()
    }

    /// What the service says it can run.
    pub async fn list_models(
        &self,
        endpoint: &Endpoint,
    ) -> Result<Vec<ListedModel>, ServiceFailure> {
        self.within(self.limits.idle, self.ask_for_models(endpoint))
            .await
            .map_err(|failure| failure::conceal(failure, endpoint.key.as_ref()))
    }

    /// Whether anything answers there: every HTTP answer counts. The key is not sent.
    pub async fn reach(&self, endpoint: &Endpoint) -> Result<(), ServiceFailure> {
        let request = self.http(&endpoint.base_url).get(endpoint.base_url.clone());
        self.within(self.limits.connect, send(request))
            .await
            .map(|_| ())
    }

    /// The HTTP client for an address, for requests that are not a model's.
    pub(crate) fn http(&self, url: &Url) -> &reqwest::Client {
        if is_loopback(url) {
            &self.local
        } else {
            &self.outside
        }
    }

    async fn ask(
        &self,
        endpoint: &Endpoint,
        request: ModelRequest,
    ) -> Result<(Response, Box<dyn Reader>), ServiceFailure> {
        let ids = Ids::of(&request.messages);
        let host = endpoint.base_url.host_str().unwrap_or_default();
        match endpoint.protocol {
            Protocol::OpenaiChat => {
                let response = self.ask_chat(endpoint, request, host).await?;
                Ok((response, Box::new(chat_completions::Reader::new(host, ids))))
            }
            Protocol::AnthropicMessages => {
                let url = below(&endpoint.base_url, &anthropic::PATH);
                let response = self.post(endpoint, url, &anthropic::body(request)).await?;
                Ok((response, Box::new(anthropic::Reader::new(ids))))
            }
        }
    }

    /// Asks, and asks again without what the service refused, as long as that teaches something.
    async fn ask_chat(
        &self,
        endpoint: &Endpoint,
        request: ModelRequest,
        host: &str,
    ) -> Result<Response, ServiceFailure> {
        let place = (endpoint.base_url.clone(), request.model.as_str().to_owned());
        let mut dialect = self.dialect(&place);
        loop {
            let url = below(&endpoint.base_url, &chat_completions::PATH);
            let body = chat_completions::body(request.clone(), host, dialect);
            let failure = match self.post(endpoint, url, &body).await {
                Ok(response) => return Ok(response),
                Err(failure) => failure,
            };
            let Some(next) = dialect.after(&failure) else {
                return Err(failure);
            };
            tracing::info!(host, ?next, "the service refused a parameter");
            dialect = next;
            self.dialects
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(place.clone(), dialect);
        }
    }

    fn dialect(&self, place: &(Url, String)) -> Dialect {
        let known = self.dialects.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(place).copied().unwrap_or_default()
    }

    async fn post(
        &self,
        endpoint: &Endpoint,
        url: Url,
        body: &Value,
    ) -> Result<Response, ServiceFailure> {
        let request = self.http(&url).post(url).json(body);
        // A compressed stream may be held back until there is enough to compress.
        let request = with_key(request, endpoint)?.header(ACCEPT_ENCODING, "identity");
        self.within(self.limits.first_byte, accepted(request)).await
    }

    async fn ask_for_models(
        &self,
        endpoint: &Endpoint,
    ) -> Result<Vec<ListedModel>, ServiceFailure> {
        let mut url = below(&endpoint.base_url, &["models"]);
        if endpoint.protocol == Protocol::AnthropicMessages {
            url.query_pairs_mut().append_pair("limit", "1000");
        }
        let request = with_key(self.http(&url).get(url), endpoint)?;
        let response = accepted(request).await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = start_of(response, LIST_BYTES).await?;
        serde_json::from_slice(&body)
            .ok()
            .and_then(|list| model_list::read(&list))
            .ok_or_else(|| ServiceFailure {
                code: ErrorCode::BadResponse,
                ..failure::from_answer(status, &headers, &body, SystemTime::now())
            })
    }

    async fn within<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, ServiceFailure>>,
    ) -> Result<T, ServiceFailure> {
        tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
            let message = format!("No answer came for {} seconds.", limit.as_secs_f32());
            Err(failure::new(ErrorCode::Timeout, &message, Retry::Soon))
        })
    }
}

/// Follows a redirect that stays where the key belongs; any other is given back as it is.
fn within_origin(attempt: Attempt<'_>) -> redirect::Action {
    let from = attempt.previous().last().map(Url::origin);
    if attempt.previous().len() > REDIRECTS || from != Some(attempt.url().origin()) {
        attempt.stop()
    } else {
        attempt.follow()
    }
}

/// The address of something below the service's address; a query stays.
fn below(base: &Url, path: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    url
}

fn with_key(
    request: RequestBuilder,
    endpoint: &Endpoint,
) -> Result<RequestBuilder, ServiceFailure> {
    let request = match endpoint.protocol {
        Protocol::OpenaiChat => request,
        Protocol::AnthropicMessages => request.header("anthropic-version", anthropic::VERSION),
    };
    let Some(key) = endpoint.key.as_ref().map(|key| key.expose().trim()) else {
        return Ok(request);
    };
    if key.is_empty() {
        return Ok(request);
    }
    Ok(match endpoint.protocol {
        Protocol::OpenaiChat => {
            let bearer = Secret::new(format!("Bearer {key}"));
            request.header(AUTHORIZATION, secret_header(bearer.expose())?)
        }
        Protocol::AnthropicMessages => request.header("x-api-key", secret_header(key)?),
    })
}

fn secret_header(text: &str) -> Result<HeaderValue, ServiceFailure> {
    let mut value = HeaderValue::from_str(text).map_err(|_| {
        let message = "The key holds characters that no key has. Copy it again.";
        failure::new(ErrorCode::Auth, message, Retry::Never)
    })?;
    value.set_sensitive(true);
    Ok(value)
}

async fn send(request: RequestBuilder) -> Result<Response, ServiceFailure> {
    request
        .send()
        .await
        .map_err(|error| failure::from_transport(&error))
}

/// Sends a request and judges every answer that is not a success.
async fn accepted(request: RequestBuilder) -> Result<Response, ServiceFailure> {
    let response = send(request).await?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    if let Some(place) = response
        .headers()
        .get(LOCATION)
        .filter(|_| status.is_redirection())
    {
        let place = place.to_str().unwrap_or_default();
        return Err(ServiceFailure {
            status: Some(status.as_u16()),
            ..failure::bad_response(&format!("The service has moved: use {place} instead."))
        });
    }
    let headers = response.headers().clone();
    // What came before a body broke off may still tell what was wrong.
    let body = start_of(response, FAILURE_BYTES).await.unwrap_or_default();
    Err(failure::from_answer(
        status,
        &headers,
        &body,
        SystemTime::now(),
    ))
}

/// The body up to `limit` bytes.
async fn start_of(mut response: Response, limit: usize) -> Result<Vec<u8>, ServiceFailure> {
    let mut body = Vec::new();
    while body.len() < limit {
        match response.chunk().await {
            Ok(Some(piece)) => body.extend_from_slice(&piece),
            Ok(None) => break,
            Err(error) if body.is_empty() => return Err(failure::from_transport(&error)),
            Err(_) => break,
        }
    }
    body.truncate(limit);
    Ok(body)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::below;

    #[test]
    fn a_path_is_put_below_any_address() {
        for (base, full) in [
            (
                "https://a.example/v1",
                "https://a.example/v1/chat/completions",
            ),
            (
                "https://a.example/v1/",
                "https://a.example/v1/chat/completions",
            ),
            ("https://a.example", "https://a.example/chat/completions"),
            (
                "http://[::1]:8080/api/v4",
                "http://[::1]:8080/api/v4/chat/completions",
            ),
            (
                "https://a.example/v1?v=2",
                "https://a.example/v1/chat/completions?v=2",
            ),
        ] {
            let base = Url::parse(base).unwrap();
            assert_eq!(below(&base, &["chat", "completions"]).as_str(), full);
        }
    }
}
