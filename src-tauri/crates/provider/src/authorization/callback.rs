//! The listener on this computer that the browser comes back to.
//!
//! It answers one right request and closes. Everything else (another path, a missing code, a
//! wrong state, a silent connection) gets an error page and changes nothing.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use url::Url;

use super::page;

/// How long a connection may take to say what it wants.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The longest head of a request that is read.
const HEAD_BYTES: usize = 16 * 1024;
/// Connections that may be open at once; a browser opens a few to spare.
const CONNECTIONS: usize = 8;

/// A listener on a random port of the loopback interface, with an unguessable path.
#[derive(Debug)]
pub(super) struct Listener {
    listener: TcpListener,
    address: SocketAddr,
    path: String,
}

impl Listener {
    /// Begins to listen; `state` becomes the last part of the path.
    pub(super) async fn bind(state: &str) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        Ok(Self {
            listener,
            address,
            path: format!("/callback/{state}"),
        })
    }

    /// The address the browser must come back to.
    pub(super) fn url(&self) -> Result<Url, url::ParseError> {
        Url::parse(&format!("http://{}{}", self.address, self.path))
    }

    /// Waits for the one right visit. `state` is a parameter that must be there with its value.
    pub(super) async fn wait(self, state: Option<(&str, &str)>) -> io::Result<Visit> {
        let mut readers = JoinSet::new();
        loop {
            tokio::select! {
                accepted = self.listener.accept(), if readers.len() < CONNECTIONS => {
                    let (stream, _) = accepted?;
                    readers.spawn(read_target(stream));
                }
                Some(read) = readers.join_next() => {
                    // A reader that failed belongs to a connection nobody needs.
                    let Ok(Some((target, stream))) = read else { continue };
                    match self.outcome(&target, state) {
                        Some(outcome) => return Ok(Visit { outcome, stream }),
                        None => send(stream, "404 Not Found", page::NOT_FOUND).await,
                    }
                }
            }
        }
    }

    /// The code or the refusal in a request's target; none if it is not the right request.
    fn outcome(&self, target: &str, state: Option<(&str, &str)>) -> Option<Outcome> {
        let base = Url::parse(&format!("http://{}", self.address)).ok()?;
        let url = base.join(target).ok()?;
        if url.origin() != base.origin() || url.path() != self.path {
            return None;
        }
        let parameter = |name: &str| {
            let mut values = url.query_pairs().filter(|(key, _)| key == name);
            let first = values.next().map(|(_, value)| value.into_owned());
            if values.next().is_some() { None } else { first }
        };
        if let Some((name, expected)) = state
            && parameter(name).as_deref() != Some(expected)
        {
            return None;
        }
        if let Some(error) = parameter("error") {
            let said = parameter("error_description").unwrap_or(error);
            return Some(Outcome::Refused(said.chars().take(200).collect()));
        }
        parameter("code")
            .filter(|code| !code.is_empty())
            .map(Outcome::Code)
    }
}

/// What the browser brought back.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Code(String),
    Refused(String),
}

/// The right visit; the browser still waits for its page.
#[derive(Debug)]
pub(super) struct Visit {
    outcome: Outcome,
    stream: TcpStream,
}

impl Visit {
    /// The code, or why the service refused.
    pub(super) fn code(&self) -> Result<&str, &str> {
        match &self.outcome {
            Outcome::Code(code) => Ok(code),
            Outcome::Refused(said) => Err(said),
        }
    }

    /// Shows the last page.
    pub(super) async fn answer(self, worked: bool) {
        let words = if worked { page::DONE } else { page::FAILED };
        send(self.stream, "200 OK", words).await;
    }
}

/// Reads a request's head and gives its target; none for anything but a whole GET.
async fn read_target(mut stream: TcpStream) -> Option<(String, TcpStream)> {
    let read = async {
        let mut head = Vec::new();
        let mut piece = [0_u8; 1024];
        while !head.windows(4).any(|end| end == b"\r\n\r\n") {
            let count = stream.read(&mut piece).await.ok()?;
            head.extend_from_slice(piece.get(..count)?);
            if count == 0 || head.len() > HEAD_BYTES {
                return None;
            }
        }
        let line = head.split(|&byte| byte == b'\r').next()?;
        let mut words = std::str::from_utf8(line).ok()?.split(' ');
        (words.next() == Some("GET"))
            .then(|| words.next().map(str::to_owned))
            .flatten()
    };
    let target = tokio::time::timeout(HEAD_TIME, read).await.ok()??;
    Some((target, stream))
}

/// Sends a page. A browser that is gone already does not matter.
async fn send(mut stream: TcpStream, status: &str, words: [&str; 2]) {
    let answer = page::response(status, words);
    let sent = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    };
    let _ = tokio::time::timeout(HEAD_TIME, sent).await;
}

#[cfg(test)]
mod tests {
    use super::{Listener, Outcome};

    #[tokio::test]
    async fn only_the_right_path_with_one_code_counts() {
        let listener = Listener::bind("s3cret").await.expect("a port");
        for (target, expected) in [
            (
                "/callback/s3cret?code=abc",
                Some(Outcome::Code("abc".to_owned())),
            ),
            (
                "/callback/s3cret?code=a%2Bb",
                Some(Outcome::Code("a+b".to_owned())),
            ),
            (
                "/callback/s3cret?error=access_denied",
                Some(Outcome::Refused("access_denied".into())),
            ),
            (
                "/callback/s3cret?error=denied&error_description=You+said+no",
                Some(Outcome::Refused("You said no".into())),
            ),
            ("/callback/s3cret", None),
            ("/callback/s3cret?code=", None),
            ("/callback/s3cret?code=a&code=b", None),
            ("/callback/S3CRET?code=abc", None),
            ("/callback/?code=abc", None),
            ("/?code=abc", None),
            ("/favicon.ico", None),
            ("//evil.example/callback/s3cret?code=abc", None),
            ("https://evil.example/callback/s3cret?code=abc", None),
        ] {
            assert_eq!(listener.outcome(target, None), expected, "{target}");
        }
    }

    #[tokio::test]
    async fn a_state_parameter_must_come_back_exactly() {
        let listener = Listener::bind("s3cret").await.expect("a port");
        let state = Some(("state", "s3cret"));
        for (target, right) in [
            ("/callback/s3cret?code=abc&state=s3cret", true),
            ("/callback/s3cret?code=abc&state=s3cre", false),
            ("/callback/s3cret?code=abc&state=other&state=s3cret", false),
            ("/callback/s3cret?code=abc", false),
            ("/callback/s3cret?error=denied", false),
        ] {
            assert_eq!(listener.outcome(target, state).is_some(), right, "{target}");
        }
    }
}
