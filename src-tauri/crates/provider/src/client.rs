//! The one way to a model service over HTTP.
//!
//! Keys enter a request here and nowhere else, as headers marked secret; they never follow a
//! redirect to another origin, and are taken out of every failure's message.

mod listing;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, HeaderValue, LOCATION};
use reqwest::redirect::{self, Attempt};
use reqwest::{RequestBuilder, Response};
use talaria_domain::{ErrorCode, ModelEvent, ModelRequest, Retry, ServiceFailure};
use talaria_secret::Secret;
use url::Url;

use crate::address::is_loopback;
use crate::answer;
use crate::arguments::Nested;
use crate::attachment::Files;
use crate::dialect::{Dialect, Memory, Place, Quirk, Recollection};
use crate::question::{self, Question};
use crate::tool_name::Names;
use crate::{Endpoint, Protocol, anthropic, failure};

/// How much of a failed answer is read. Some repeat the whole request behind what was wrong.
const FAILURE_BYTES: usize = 4 * 1024 * 1024;

/// How long the next piece of a failed answer is waited for.
const FAILURE_SILENCE: Duration = Duration::from_secs(5);

/// How many redirects are followed.
const REDIRECTS: usize = 5;

/// How often a refused request is put in another way.
const REPEATS: usize = 8;

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
    /// What refusals have taught about each model.
    learnt: Recollection,
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
            learnt: Recollection::default(),
        })
    }

    /// The same client, which keeps in `memory` what the refusals of services teach it; without
    /// one, that is forgotten when the program ends.
    #[must_use]
    pub fn with_memory(mut self, memory: Arc<dyn Memory>) -> Self {
        self.learnt = Recollection::over(memory);
        self
    }

    /// Asks a model. `files` holds the bytes of the attachments in the request. Events come in
    /// order and end with `Finished` or with one failure; dropping the stream closes the
    /// connection.
    pub fn stream(&self, endpoint: &Endpoint, request: ModelRequest, files: &Files) -> Events {
        let (client, endpoint, files) = (self.clone(), endpoint.clone(), files.clone());
        let key = endpoint.key.clone();
        stream::once(async move { client.ask(&endpoint, request, &files).await })
            .try_flatten()
            .map_err(move |failure| failure::conceal(failure, key.as_ref()))
            .boxed()
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

    /// Asks, and asks again without what the service refused, as long as that teaches something.
    /// What was learnt is kept once it has helped.
    async fn ask(
        &self,
        endpoint: &Endpoint,
        mut request: ModelRequest,
        files: &Files,
    ) -> Result<Events, ServiceFailure> {
        let nested = Nested::of(&request.tools);
        let names = Names::settle(&mut request.tools);
        let place = Place::new(endpoint, request.model.as_str());
        let host = endpoint.base_url.host_str().unwrap_or_default();
        let mut learnt = self.learnt.dialect(&place, SystemTime::now());
        let known = Dialect::of_host(host);
        let mut repeats = 0;
        loop {
            let dialect = known.clone().and(learnt.clone().unwrap_or_default());
            let question = Question::new(endpoint, &request, files, &dialect)?;
            let failure = match self.put(endpoint, &question, &request).await {
                Ok(events) => {
                    if let Some(learnt) = learnt.filter(|_| repeats > 0) {
                        self.learnt.keep(&place, &learnt, SystemTime::now());
                    }
                    let notices = question.notices.into_iter().map(ModelEvent::Notice);
                    let events = events.map_ok(move |event| nested.unwrap_in(names.restore(event)));
                    return Ok(stream::iter(notices.map(Ok)).chain(events).boxed());
                }
                Err(failure) => failure,
            };
            let next = dialect.after(&failure, &question.body);
            let Some(next) = next.filter(|_| repeats < REPEATS) else {
                return Err(failure);
            };
            tracing::info!(host, ?next, "the service refused a part of the request");
            learnt = Some(next);
            repeats += 1;
        }
    }

    /// Puts a question, and waits for the first event: a refusal may come behind a status of
    /// success.
    async fn put(
        &self,
        endpoint: &Endpoint,
        question: &Question,
        request: &ModelRequest,
    ) -> Result<Events, ServiceFailure> {
        let url = below(&endpoint.base_url, question.path);
        let mut post = self.http(&url).post(url).json(&question.body);
        if let Some(beta) = question.beta {
            post = post.header("anthropic-beta", beta);
        }
        // A compressed stream may be held back until there is enough to compress.
        let post = with_key(post, endpoint)?.header(ACCEPT_ENCODING, "identity");
        let response = self.within(self.limits.first_byte, accepted(post)).await?;
        let body = response.bytes_stream().boxed();
        let host = endpoint.base_url.host_str().unwrap_or_default();
        let reader = question::reader(endpoint.protocol, host, request);
        let mut events = answer::read(body, reader, self.limits).boxed();
        match events.next().await {
            Some(Err(failure)) => Err(failure),
            first => Ok(stream::iter(first).chain(events).boxed()),
        }
    }

    pub(crate) async fn within<T>(
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

/// The events of an answer.
type Events = BoxStream<'static, Result<ModelEvent, ServiceFailure>>;

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
    let is_anthropic = endpoint.protocol == Protocol::AnthropicMessages;
    let request = if is_anthropic {
        request.header("anthropic-version", anthropic::VERSION)
    } else {
        request
    };
    let key = endpoint.key.as_ref().map(|key| key.expose().trim());
    let Some(key) = key.filter(|key| !key.is_empty()) else {
        return Ok(request);
    };
    let host = endpoint.base_url.host_str().unwrap_or_default();
    Ok(
        if is_anthropic && !Dialect::of_host(host).has(Quirk::BearerKey) {
            request.header("x-api-key", secret_header(key)?)
        } else {
            let bearer = Secret::new(format!("Bearer {key}"));
            request.header(AUTHORIZATION, secret_header(bearer.expose())?)
        },
    )
}

pub(crate) fn secret_header(text: &str) -> Result<HeaderValue, ServiceFailure> {
    let mut value = HeaderValue::from_str(text).map_err(|_| {
        let message = "The key holds characters that no key has. Copy it again.";
        failure::new(ErrorCode::Auth, message, Retry::Never)
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// Sends a request. A connection kept from an earlier one may be closed by the other side at that
/// very moment, as llama.cpp's server does, which says nothing about the service: the request goes
/// out once more.
async fn send(request: RequestBuilder) -> Result<Response, ServiceFailure> {
    let again = request.try_clone();
    let sent = match (request.send().await, again) {
        (Err(error), Some(again)) if failure::was_closed(&error) => again.send().await,
        (sent, _) => sent,
    };
    sent.map_err(|error| failure::from_transport(&error))
}

/// Sends a request and judges every answer that is not a success.
pub(crate) async fn accepted(request: RequestBuilder) -> Result<Response, ServiceFailure> {
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
    let body = complaint(response).await;
    Err(failure::from_answer(
        status,
        &headers,
        &body,
        SystemTime::now(),
    ))
}

/// The body of a failed answer. What came before it broke off or fell silent may still tell what
/// was wrong.
async fn complaint(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while body.len() < FAILURE_BYTES
        && let Ok(Ok(Some(piece))) = tokio::time::timeout(FAILURE_SILENCE, response.chunk()).await
    {
        body.extend_from_slice(&piece);
    }
    body
}

/// The body up to `limit` bytes.
pub(crate) async fn start_of(
    mut response: Response,
    limit: usize,
) -> Result<Vec<u8>, ServiceFailure> {
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
    use talaria_secret::Secret;
    use url::Url;

    use super::{below, with_key};
    use crate::Endpoint;
    use crate::Protocol::{self, AnthropicMessages, OpenaiChat, OpenaiResponses};

    /// The headers that carry a key to a host.
    fn key_headers(protocol: Protocol, host: &str) -> Vec<String> {
        let endpoint = Endpoint {
            base_url: Url::parse(&format!("https://{host}/v1")).unwrap(),
            protocol,
            key: Some(Secret::new(" sk-1 ".to_owned())),
        };
        let request = reqwest::Client::new().get(endpoint.base_url.clone());
        let request = with_key(request, &endpoint).unwrap().build().unwrap();
        let headers = ["authorization", "x-api-key"];
        let value = |name: &&str| request.headers().get(*name);
        let shown = |name: &str| format!("{name}: {}", value(&name).unwrap().to_str().unwrap());
        headers
            .into_iter()
            .filter(|name| value(name).is_some())
            .map(shown)
            .collect()
    }

    #[test]
    fn the_key_goes_where_the_service_looks_for_it() {
        let (bearer, own) = ("authorization: Bearer sk-1", "x-api-key: sk-1");
        for (protocol, host, header) in [
            (OpenaiChat, "llm.example", bearer),
            (OpenaiResponses, "llm.example", bearer),
            (AnthropicMessages, "api.anthropic.com", own),
            (AnthropicMessages, "llm.example", own),
            (AnthropicMessages, "api.minimaxi.com", bearer),
            (AnthropicMessages, "openrouter.ai", bearer),
        ] {
            assert_eq!(key_headers(protocol, host), [header], "{protocol:?} {host}");
        }
    }

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
