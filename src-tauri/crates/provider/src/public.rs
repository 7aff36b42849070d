//! The public web: files by their address, from nowhere but the public network.
//!
//! An answer or a page can name any address, so a name that resolves to this computer or the local
//! network is refused, at every redirect, and the connection goes to the very address that was
//! checked. Pictures in answers and the model's pages are fetched through here.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use talaria_domain::{ErrorCode, Retry, ServiceFailure};
use url::{Host, Url};

use crate::Client;

const REDIRECTS: usize = 5;
const PATIENCE: Duration = Duration::from_secs(20);
/// The largest page that is fetched, in bytes, unpacked.
const LARGEST_PAGE: usize = 5 * 1024 * 1024;
/// What we are to servers that ask.
const AGENT: &str = concat!("Talaria/", env!("CARGO_PKG_VERSION"));

/// What an address gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicFile {
    /// Where it came from, after redirects.
    pub url: Url,
    /// What the server calls it; empty if it says nothing.
    pub content_type: String,
    /// The bytes, unpacked.
    pub bytes: Bytes,
}

impl Client {
    /// Fetches a page from the public network. `allowed` names hosts that may be private all the
    /// same, because the user said so.
    ///
    /// # Errors
    /// `denied` for an address that is not public, `bad_response` for what is too large or was not
    /// given, else what the connection said.
    pub async fn page(&self, url: Url, allowed: &[String]) -> Result<PublicFile, ServiceFailure> {
        get(url, LARGEST_PAGE, allowed).await
    }
}

/// Fetches a file of at most so many bytes.
pub(crate) async fn get(
    url: Url,
    largest: usize,
    allowed: &[String],
) -> Result<PublicFile, ServiceFailure> {
    let fetched = tokio::time::timeout(PATIENCE, follow(url, largest, allowed)).await;
    fetched.unwrap_or_else(|_| Err(failure(ErrorCode::Timeout, "it did not come in time")))
}

async fn follow(
    mut url: Url,
    largest: usize,
    allowed: &[String],
) -> Result<PublicFile, ServiceFailure> {
    for _ in 0..=REDIRECTS {
        let response = ask(&url, allowed).await?;
        if !response.status().is_redirection() {
            return read(url, response, largest).await;
        }
        let target = response
            .headers()
            .get("location")
            .and_then(|value| value.to_str().ok());
        let next = target
            .and_then(|target| url.join(target).ok())
            .ok_or_else(|| failure(ErrorCode::BadResponse, "the redirect leads nowhere"))?;
        if url.scheme() == "https" && next.scheme() != "https" {
            let open = "the redirect leads from https to an open connection";
            return Err(failure(ErrorCode::Denied, open));
        }
        url = next;
    }
    Err(failure(ErrorCode::BadResponse, "too many redirects"))
}

async fn ask(url: &Url, allowed: &[String]) -> Result<reqwest::Response, ServiceFailure> {
    if !matches!(url.scheme(), "http" | "https") {
        let other = "only http and https are fetched";
        return Err(failure(ErrorCode::Denied, other));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let named = "the address holds a name or a password";
        return Err(failure(ErrorCode::Denied, named));
    }
    let addresses = addresses(url, allowed).await?;
    let host = url.host_str().unwrap_or_default();
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .resolve_to_addrs(host, &addresses)
        .user_agent(AGENT)
        .build()
        .map_err(|error| network(&error))?;
    client
        .get(url.clone())
        .send()
        .await
        .map_err(|error| network(&error))
}

/// The addresses of a host, if every one is public, or the host is allowed.
async fn addresses(url: &Url, allowed: &[String]) -> Result<Vec<SocketAddr>, ServiceFailure> {
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
    let host = url.host_str().unwrap_or_default();
    let is_allowed = allowed
        .iter()
        .any(|allowed| allowed.eq_ignore_ascii_case(host));
    let is_public = addresses.iter().all(|address| is_public(address.ip()));
    if addresses.is_empty() || !(is_public || is_allowed) {
        return Err(failure(
            ErrorCode::Denied,
            "nothing is fetched from this computer or its network",
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
    let special = matches!(address.octets(), [192, 0, 0, _] | [192, 88, 99, _]);
    !(first == 0
        || first >= 240
        || shared
        || benchmark
        || special
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, third, fourth, fifth, sixth, ..] = address.segments();
    let embedded = [first, second, third, fourth, fifth, sixth] == [0; 6];
    let translated = first == 0x64 && second == 0xff9b;
    let tunnelled = first == 0x2002 || (first == 0x2001 && second == 0);
    let documented = first == 0x2001 && second == 0xdb8;
    let site_local = first & 0xffc0 == 0xfec0;
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || embedded
        || translated
        || tunnelled
        || documented
        || site_local)
}

async fn read(
    url: Url,
    response: reqwest::Response,
    largest: usize,
) -> Result<PublicFile, ServiceFailure> {
    if !response.status().is_success() {
        let message = format!("the server answered {}", response.status());
        return Err(failure(ErrorCode::BadResponse, &message));
    }
    let declared = response.headers().get("content-type");
    let content_type = declared
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let mut stream = response.bytes_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = stream.next().await {
        bytes.extend_from_slice(&piece.map_err(|error| network(&error))?);
        if bytes.len() > largest {
            let message = format!("it is larger than {} MB", largest / 1024 / 1024);
            return Err(failure(ErrorCode::BadResponse, &message));
        }
    }
    Ok(PublicFile {
        url,
        content_type,
        bytes: bytes.into(),
    })
}

fn network(error: &reqwest::Error) -> ServiceFailure {
    failure(ErrorCode::Network, &error.to_string())
}

pub(crate) fn failure(code: ErrorCode, message: &str) -> ServiceFailure {
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
    use wiremock::matchers::path;
    use wiremock::{Mock, MockServer, ResponseTemplate};

    use super::{get, is_public};

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
            "2001:0:1::1",
            "2001:db8::1",
            "fec0::1",
            "::8.8.8.8",
            "192.0.0.8",
            "192.88.99.1",
            "fe80::1",
            "fd00::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[tokio::test]
    async fn nothing_on_this_computer_is_asked() {
        for url in [
            "http://127.0.0.1:9/",
            "http://127.1:9/",
            "http://2130706433:9/",
            "http://0x7f.0.0.1:9/",
            "http://0177.0.0.1:9/",
            "http://[::1]:9/",
            "http://[::ffff:127.0.0.1]:9/",
            "http://localhost:9/",
            "http://169.254.169.254/latest/meta-data/",
            "http://10.0.0.1/",
            "http://user:pw@8.8.8.8/",
            "file:///etc/passwd",
            "ftp://example.org/",
        ] {
            let refused = get(url.parse().unwrap(), 1_000, &[]).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::Denied, "{url}: {refused}");
        }
    }

    #[tokio::test]
    async fn an_allowed_host_is_asked_and_its_redirects_are_checked_again() {
        let server = MockServer::start().await;
        let leads = |to: &str| ResponseTemplate::new(302).insert_header("location", to);
        let mounts = [
            (
                "/page",
                ResponseTemplate::new(200).set_body_raw("words", "text/plain"),
            ),
            ("/near", leads("/page")),
            ("/away", leads("http://[::1]:9/")),
            ("/named", leads("http://user:pw@127.0.0.1:9/")),
            ("/round", leads("/round")),
            (
                "/large",
                ResponseTemplate::new(200).set_body_bytes(vec![b'x'; 2_000]),
            ),
        ];
        for (at, response) in mounts {
            Mock::given(path(at))
                .respond_with(response)
                .mount(&server)
                .await;
        }
        let allowed = ["127.0.0.1".to_owned()];
        let fetch = async |at: &str| {
            get(
                format!("{}{at}", server.uri()).parse().unwrap(),
                1_000,
                &allowed,
            )
            .await
        };
        assert_eq!(fetch("/near").await.unwrap().bytes, "words");
        for at in ["/away", "/named"] {
            assert_eq!(fetch(at).await.unwrap_err().code, ErrorCode::Denied, "{at}");
        }
        for at in ["/round", "/large", "/missing"] {
            assert_eq!(
                fetch(at).await.unwrap_err().code,
                ErrorCode::BadResponse,
                "{at}"
            );
        }
    }
}
