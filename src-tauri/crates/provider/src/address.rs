//! The one rule that brings an address a user pastes into the base URL requests are built from.
//!
//! The settings, the presets, discovery and the command line all go through [`base_url`]; the wire
//! protocols only ever append `/chat/completions`, `/responses`, `/messages` or `/models` to what it
//! gives.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use crate::Protocol;
use crate::catalog;

/// Why an address can't be used. None repeats the address, which may hold a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Nothing was given.
    #[error("the address is empty")]
    Empty,
    /// It is not a web address.
    #[error("the address can't be read: it should look like https://api.example.com/v1")]
    Unreadable,
    /// It is an address of another kind.
    #[error("\"{0}\" addresses are not supported: use https or http")]
    Scheme(String),
    /// It carries a user name or a password.
    #[error("the address holds a user name or password: give the key in its own field")]
    Credentials,
    /// A key would be readable on its way.
    #[error("a key is not sent over http: use https, or an address in your own network")]
    Open,
}

/// Endpoints people paste instead of the base address, as the last parts of a path.
const ENDPOINTS: &[&[&str]] = &[
    &["chat", "completions"],
    &["api", "chat"],
    &["api", "generate"],
    &["api", "tags"],
    &["completions"],
    &["responses"],
    &["embeddings"],
    &["messages", "count_tokens"],
    &["messages"],
    &["models"],
];

/// The base URL meant by `text`: no trailing slash, query or fragment, version part included.
///
/// # Errors
/// If the text is no `http` or `https` address, or carries a user name or password.
pub fn base_url(text: &str, protocol: Protocol) -> Result<Url, AddressError> {
    let mut url = web_address(text)?;
    let mut parts = path_parts(&url);
    cut_endpoint(&mut parts);
    complete(&url, &mut parts, protocol);
    url.set_path(&parts.join("/"));
    Ok(url)
}

/// The address meant by `text`, as it is but for its query and fragment, which go.
///
/// # Errors
/// As of [`base_url`].
pub(crate) fn web_address(text: &str) -> Result<Url, AddressError> {
    let mut url = parse(&plain(text))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::Credentials);
    }
    url.set_query(None);
    url.set_fragment(None);
    reachable_host(&mut url);
    Ok(url)
}

/// Whether the address is on this computer.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(Host::Ipv4(ip)) => ip.is_loopback() || ip.is_unspecified(),
        Some(Host::Ipv6(ip)) => {
            ip.is_loopback()
                || ip.is_unspecified()
                || ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback())
        }
        None => false,
    }
}

/// The text without what pasting and Chinese input methods add: full-width forms become plain
/// ones, white space, quotes and invisible characters go.
fn plain(text: &str) -> String {
    text.chars()
        .filter_map(|letter| match letter {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0),
            '。' | '｡' => Some('.'),
            '、' => Some('/'),
            '"' | '\'' | '`' | '<' | '>' | '“' | '”' | '‘' | '’' | '《' | '》' | '「' | '」' => {
                None
            }
            '\u{200b}'..='\u{200f}' | '\u{feff}' => None,
            _ if letter.is_whitespace() || letter.is_control() => None,
            _ => Some(letter),
        })
        .collect()
}

/// Reads the address; one without a scheme gets `http` if its host is near, else `https`.
fn parse(text: &str) -> Result<Url, AddressError> {
    if text.is_empty() {
        return Err(AddressError::Empty);
    }
    let (scheme, rest) = split_scheme(text)?;
    let rest = rest.trim_start_matches(['/', ':']);
    let read = |scheme: &str| {
        Url::parse(&format!("{scheme}://{rest}")).map_err(|_| AddressError::Unreadable)
    };
    let url = match scheme {
        Some(scheme) => read(scheme)?,
        None => {
            let near = read("http")?;
            if is_near(&near) { near } else { read("https")? }
        }
    };
    if url.host_str().is_none_or(str::is_empty) {
        Err(AddressError::Unreadable)
    } else {
        Ok(url)
    }
}

/// Splits a scheme off, also a misspelt one such as `https:/` or `http//`.
fn split_scheme(text: &str) -> Result<(Option<&'static str>, &str), AddressError> {
    for scheme in ["https", "http"] {
        let Some(head) = text.get(..scheme.len()) else {
            continue;
        };
        let rest = text.get(scheme.len()..).unwrap_or_default();
        let marked = rest.starts_with(":/") || rest.starts_with("//");
        if head.eq_ignore_ascii_case(scheme) && marked {
            return Ok((Some(scheme), rest));
        }
    }
    match text.split_once("://") {
        Some((scheme, _)) if !scheme.is_empty() && !scheme.contains(['/', '?', '#']) => {
            Err(AddressError::Scheme(scheme.chars().take(20).collect()))
        }
        _ => Ok((None, text)),
    }
}

/// Whether the host is this computer or in the same network, where certificates are rare.
#[must_use]
pub fn is_near(url: &Url) -> bool {
    is_loopback(url)
        || match url.host() {
            Some(Host::Domain(name)) => is_local_name(name),
            Some(Host::Ipv4(ip)) => ip.is_private() || ip.is_link_local(),
            Some(Host::Ipv6(ip)) => ip.is_unique_local() || ip.is_unicast_link_local(),
            None => false,
        }
}

fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost")
}

fn is_local_name(name: &str) -> bool {
    !name.contains('.')
        || [".local", ".lan", ".internal", ".home.arpa"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// A server that says it listens on every address is asked on this computer's own.
fn reachable_host(url: &mut Url) {
    let own = match url.host() {
        Some(Host::Ipv4(ip)) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        Some(Host::Ipv6(ip)) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        _ => return,
    };
    // It fails only for addresses that can't have a host, and this one has one.
    let _ = url.set_ip_host(own);
}

fn path_parts(url: &Url) -> Vec<String> {
    url.path()
        .split('/')
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Cuts a pasted endpoint back to its base, and a doubled version part to one.
fn cut_endpoint(parts: &mut Vec<String>) {
    loop {
        let keep = if let [.., before, last] = parts.as_slice()
            && is_version(last)
            && before.eq_ignore_ascii_case(last)
        {
            parts.len() - 1
        } else {
            let Some(end) = ENDPOINTS.iter().find(|end| ends_with(parts, end)) else {
                return;
            };
            parts.len() - end.len()
        };
        parts.truncate(keep);
    }
}

fn ends_with(parts: &[String], end: &[&str]) -> bool {
    parts.len() >= end.len()
        && parts
            .iter()
            .rev()
            .zip(end.iter().rev())
            .all(|(part, end)| part.eq_ignore_ascii_case(end))
}

/// Adds the version part where it is missing.
///
/// A known service's own path wins over the rule. OpenAI's protocols are versioned at the bare host
/// only: any other path is the user's gateway and stays. Anthropic's protocol always has a version.
fn complete(url: &Url, parts: &mut Vec<String>, protocol: Protocol) {
    if let Some(path) = preset_path(url, parts, protocol) {
        *parts = path;
        return;
    }
    let unversioned = match protocol {
        Protocol::OpenaiChat | Protocol::OpenaiResponses => parts.is_empty(),
        Protocol::AnthropicMessages => !parts.iter().any(|part| is_version(part)),
    };
    if unversioned {
        parts.push("v1".to_owned());
    }
}

/// The path of the preset on this host, if `parts` is its beginning.
fn preset_path(url: &Url, parts: &[String], protocol: Protocol) -> Option<Vec<String>> {
    catalog::presets()
        .iter()
        .filter(|preset| preset.protocol.shares_addresses_with(protocol))
        .find_map(|preset| {
            let known = Url::parse(&preset.base_url).ok()?;
            let path = path_parts(&known);
            (known.host() == url.host() && path.starts_with(parts)).then_some(path)
        })
}

/// `v1`, `v4`, `v1beta`, …
fn is_version(part: &str) -> bool {
    let mut letters = part.chars();
    letters
        .next()
        .is_some_and(|first| first.eq_ignore_ascii_case(&'v'))
        && letters.next().is_some_and(|second| second.is_ascii_digit())
        && letters.all(|letter| letter.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests;
