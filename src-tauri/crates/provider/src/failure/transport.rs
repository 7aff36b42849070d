//! Failures below HTTP: no name, no connection, no trust, no time.

use std::error::Error;
use std::io;

use hyper_util::client::proxy::matcher::Matcher;
use talaria_domain::{ErrorCode, Retry, ServiceFailure};
use url::Url;

use crate::address::is_loopback;

/// What the TLS library says when a secure connection can't be made. It has no stable type here:
/// the error reaches us wrapped by three crates.
const TLS_WORDS: &[&str] = &[
    "certificate",
    "tls",
    "fatal alert",
    "corrupt message",
    "peer misbehaved",
    "peer is incompatible",
    "handshake",
    "unknownissuer",
];

/// Judges a request that got no answer, or whose answer broke off.
pub(crate) fn from_transport(error: &reqwest::Error) -> ServiceFailure {
    let chain = causes(error);
    let host = error
        .url()
        .and_then(|url| url.host_str())
        .unwrap_or("the service")
        .to_owned();
    let cause = chain.last().cloned().unwrap_or_default();
    let says = |words: &[&str]| {
        chain
            .iter()
            .map(|cause| cause.to_lowercase())
            .any(|cause| words.iter().any(|word| cause.contains(word)))
    };
    let (code, message, retry) = if error.is_timeout() {
        (
            ErrorCode::Timeout,
            format!("{host} did not answer in time."),
            Retry::Soon,
        )
    } else if error.is_builder() {
        (
            ErrorCode::InvalidInput,
            format!("The request can't be made: {cause}"),
            Retry::Never,
        )
    } else if error.is_connect() && says(TLS_WORDS) {
        (
            ErrorCode::Tls,
            format!("No secure connection to {host}: {cause}"),
            Retry::Never,
        )
    } else if let Some(proxy) = error
        .url()
        .filter(|_| error.is_connect())
        .and_then(proxy_for)
    {
        let message = format!("The proxy {proxy} did not connect to {host}: {cause}");
        (ErrorCode::Network, message, Retry::Soon)
    } else if error.is_connect() && says(&["dns error", "lookup address"]) {
        (
            ErrorCode::Network,
            format!("The name {host} can't be resolved: {cause}"),
            Retry::Soon,
        )
    } else if error.is_body() || error.is_decode() {
        (
            ErrorCode::StreamCut,
            format!("The connection to {host} broke off: {cause}"),
            Retry::Soon,
        )
    } else {
        (
            ErrorCode::Network,
            format!("{host} can't be reached: {cause}"),
            Retry::Soon,
        )
    };
    super::new(code, &message, retry)
}

/// Whether the other side closed the connection before it said anything.
pub(crate) fn was_closed(error: &reqwest::Error) -> bool {
    let is_closed = |cause: &(dyn Error + 'static)| match cause.downcast_ref::<io::Error>() {
        Some(error) => matches!(
            error.kind(),
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe
        ),
        // hyper's own kind is hidden behind the text.
        None => cause
            .to_string()
            .contains("closed before message completed"),
    };
    let mut source = error.source();
    while let Some(cause) = source {
        if is_closed(cause) {
            return error.is_request() && !error.is_connect();
        }
        source = cause.source();
    }
    false
}

/// The host of the proxy that the way to an address goes through. The error itself looks the same
/// whether the service or the proxy refused the connection.
fn proxy_for(url: &Url) -> Option<String> {
    if is_loopback(url) {
        return None;
    }
    let proxy = Matcher::from_system().intercept(&url.as_str().parse().ok()?)?;
    proxy
        .uri()
        .authority()
        .map(|authority| match authority.port() {
            Some(port) => format!("{}:{port}", authority.host()),
            None => authority.host().to_owned(),
        })
}

/// The texts of the error's sources, outermost first. The error's own text is left out: it holds
/// the whole address.
fn causes(error: &reqwest::Error) -> Vec<String> {
    let mut causes = Vec::new();
    let mut source = error.source();
    while let Some(cause) = source {
        causes.push(cause.to_string());
        source = cause.source();
    }
    causes
}
