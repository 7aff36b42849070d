//! Remote images, fetched one at a time after the user chose to see one.
//!
//! An answer can name any address, so an image may only come from the public network: a name that
//! resolves to this computer or the local network is refused, at every redirect, and the connection
//! goes to the very address that was checked.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use talaria_domain::{ErrorCode, Retry, ServiceFailure};
use url::{Host, Url};

use crate::Client;

/// The largest image that is fetched, in bytes.
const LARGEST: usize = 10 * 1024 * 1024;
const REDIRECTS: usize = 5;
const PATIENCE: Duration = Duration::from_secs(20);
/// What the page can show without running anything.
const MEDIA_TYPES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
];

/// An image as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteImage {
    /// One of the types a page shows without running anything.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Bytes,
}

impl Client {
    /// Fetches an image from the public network.
    ///
    /// # Errors
    /// `denied` for an address that is not public, `bad_response` for what is no image or too large,
    /// else what the connection said.
    pub async fn image(&self, url: Url) -> Result<RemoteImage, ServiceFailure> {
        let fetched = tokio::time::timeout(PATIENCE, fetch(url)).await;
        fetched.unwrap_or_else(|_| {
            Err(failure(
                ErrorCode::Timeout,
                "the image did not come in time",
            ))
        })
    }
}

async fn fetch(mut url: Url) -> Result<RemoteImage, ServiceFailure> {
    for _ in 0..=REDIRECTS {
        let response = ask(&url).await?;
        if !response.status().is_redirection() {
            return read(response).await;
        }
        let target = response
            .headers()
            .get("location")
            .and_then(|value| value.to_str().ok());
        url = target
            .and_then(|target| url.join(target).ok())
            .ok_or_else(|| failure(ErrorCode::BadResponse, "the redirect leads nowhere"))?;
    }
    Err(failure(ErrorCode::BadResponse, "too many redirects"))
}

async fn ask(url: &Url) -> Result<reqwest::Response, ServiceFailure> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(failure(
            ErrorCode::Denied,
            "only http and https images are fetched",
        ));
    }
    let addresses = public_addresses(url).await?;
    let host = url.host_str().unwrap_or_default();
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .resolve_to_addrs(host, &addresses)
        .build()
        .map_err(|error| network(&error))?;
    client
        .get(url.clone())
        .send()
        .await
        .map_err(|error| network(&error))
}

/// The addresses of a host, if every one is public.
async fn public_addresses(url: &Url) -> Result<Vec<SocketAddr>, ServiceFailure> {
    let port = url.port_or_known_default().unwrap_or(443);
    let addresses: Vec<SocketAddr> = match url.host() {
        Some(Host::Ipv4(address)) => vec![(address, port).into()],
        Some(Host::Ipv6(address)) => vec![(address, port).into()],
        Some(Host::Domain(name)) => tokio::net::lookup_host((name, port))
            .await
            .map_err(|error| failure(ErrorCode::Network, &error.to_string()))?
            .collect(),
        None => Vec::new(),
    };
    if addresses.is_empty() || !addresses.iter().all(|address| is_public(address.ip())) {
        return Err(failure(
            ErrorCode::Denied,
            "images are not fetched from this computer's network",
        ));
    }
    Ok(addresses)
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_public_v4(mapped),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let shared = first == 100 && (64..128).contains(&second);
    let benchmark = first == 198 && (18..20).contains(&second);
    !(first == 0
        || first >= 240
        || shared
        || benchmark
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let translated = first == 0x64 && second == 0xff9b;
    let tunnelled = first == 0x2002;
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || translated
        || tunnelled)
}

async fn read(response: reqwest::Response) -> Result<RemoteImage, ServiceFailure> {
    if !response.status().is_success() {
        let message = format!("the image's server answered {}", response.status());
        return Err(failure(ErrorCode::BadResponse, &message));
    }
    let declared = response
        .headers()
        .get("content-type")
        .and_then(|value| value.to_str().ok());
    let media_type = declared
        .map(|value| {
            value
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        })
        .and_then(|value| MEDIA_TYPES.into_iter().find(|known| *known == value))
        .ok_or_else(|| {
            failure(
                ErrorCode::BadResponse,
                "this is not an image that can be shown",
            )
        })?;
    let mut stream = response.bytes_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = stream.next().await {
        bytes.extend_from_slice(&piece.map_err(|error| network(&error))?);
        if bytes.len() > LARGEST {
            return Err(failure(
                ErrorCode::BadResponse,
                "the image is larger than 10 MB",
            ));
        }
    }
    Ok(RemoteImage {
        media_type,
        bytes: bytes.into(),
    })
}

fn network(error: &reqwest::Error) -> ServiceFailure {
    failure(ErrorCode::Network, &error.to_string())
}

fn failure(code: ErrorCode, message: &str) -> ServiceFailure {
    ServiceFailure {
        code,
        message: message.to_owned(),
        retry: Retry::Never,
        limit: None,
        status: None,
    }
}

#[cfg(test)]
mod tests {
    use talaria_domain::ErrorCode;

    use super::is_public;
    use crate::{Client, Limits};

    #[test]
    fn only_public_addresses_are_public() {
        for address in ["1.1.1.1", "8.8.8.8", "2606:4700::1111"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.168.1.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "fe80::1",
            "fd00::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[tokio::test]
    async fn an_image_on_this_computer_is_refused_before_anything_is_sent() {
        let client = Client::new(Limits::default()).unwrap();
        for url in [
            "http://127.0.0.1:9/x.png",
            "http://[::1]/x.png",
            "http://localhost/x.png",
            "file:///etc/passwd",
        ] {
            let refused = client.image(url.parse().unwrap()).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::Denied, "{url}");
        }
    }
}
