//! A service of a few lines on loopback, which sends exactly the bytes it is told to.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt;
use talaria_domain::{Message, ModelEvent, ModelName, ModelRequest, ServiceFailure, ToolChoice};
use talaria_provider::{Client, Endpoint, Files, Limits, Protocol};
use talaria_secret::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

/// One thing the service does with a connection.
#[derive(Clone)]
pub(crate) enum Act {
    /// Send these bytes.
    Send(Vec<u8>),
    /// Read a further request.
    Request,
    /// Wait.
    Pause(Duration),
    /// Close the connection the hard way.
    Reset,
    /// Stay connected until the other side closes, and note that it did.
    Hold,
}

/// The running service.
pub(crate) struct Service {
    pub(crate) address: Url,
    /// The head and body of each request.
    pub(crate) requests: Arc<Mutex<Vec<String>>>,
    /// How many connections the other side closed while the service held them.
    pub(crate) closed: Arc<Mutex<usize>>,
}

impl Service {
    /// Plays the scripts, one a connection, the last one for all further ones.
    pub(crate) async fn start(scripts: Vec<Vec<Act>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let closed = Arc::new(Mutex::new(0));
        let (seen, ended) = (Arc::clone(&requests), Arc::clone(&closed));
        tokio::spawn(async move {
            let mut turn = 0;
            while let Ok((socket, _)) = listener.accept().await {
                let script = scripts[turn.min(scripts.len() - 1)].clone();
                turn += 1;
                tokio::spawn(play(socket, script, Arc::clone(&seen), Arc::clone(&ended)));
            }
        });
        Self {
            address: Url::parse(&address).unwrap(),
            requests,
            closed,
        }
    }

    pub(crate) fn endpoint(&self, protocol: Protocol) -> Endpoint {
        let key = Some(Secret::new("sk-test-123456".to_owned()));
        Endpoint {
            base_url: self.address.clone(),
            protocol,
            key,
        }
    }

    pub(crate) fn request(&self, at: usize) -> String {
        self.requests.lock().unwrap()[at].clone()
    }
}

async fn play(
    mut socket: TcpStream,
    script: Vec<Act>,
    requests: Arc<Mutex<Vec<String>>>,
    closed: Arc<Mutex<usize>>,
) {
    let request = read_request(&mut socket).await;
    requests.lock().unwrap().push(request);
    for act in script {
        match act {
            Act::Send(bytes) => {
                if socket.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Act::Request => {
                let request = read_request(&mut socket).await;
                requests.lock().unwrap().push(request);
            }
            Act::Pause(time) => tokio::time::sleep(time).await,
            Act::Reset => {
                socket.set_zero_linger().unwrap();
                return;
            }
            Act::Hold => {
                let mut byte = [0];
                while matches!(socket.read(&mut byte).await, Ok(read) if read > 0) {}
                *closed.lock().unwrap() += 1;
            }
        }
    }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase()
                        .strip_prefix("content-length: ")?
                        .parse()
                        .ok()
                })
                .unwrap_or(0);
            if body.len() >= length {
                return text;
            }
        }
        match socket.read(&mut piece).await {
            Ok(read) if read > 0 => bytes.extend_from_slice(&piece[..read]),
            _ => return text,
        }
    }
}

/// The head of an answer whose body ends with the connection.
pub(crate) fn head(status: &str, content_type: &str) -> Act {
    Act::Send(
        format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n")
            .into_bytes(),
    )
}

/// The head of an event stream.
pub(crate) fn stream_head() -> Act {
    head("200 OK", "text/event-stream")
}

/// One event of a chat completions stream.
pub(crate) fn text(text: &str) -> Act {
    let chunk = serde_json::json!({"choices": [{"delta": {"content": text}}]});
    Act::Send(format!("data: {chunk}\n\n").into_bytes())
}

/// The end of a chat completions stream.
pub(crate) fn done() -> Act {
    Act::Send(
        b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
            .to_vec(),
    )
}

/// Limits that let a test end soon.
pub(crate) fn short() -> Limits {
    Limits {
        connect: Duration::from_secs(2),
        first_byte: Duration::from_millis(1500),
        idle: Duration::from_millis(600),
    }
}

/// A request of one line.
pub(crate) fn request() -> ModelRequest {
    ModelRequest {
        model: ModelName::new("small").unwrap(),
        messages: vec![Message::User {
            text: "hi".to_owned(),
            attachments: Vec::new(),
        }],
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    }
}

/// The whole answer: its text, its last event if any came, and its failure.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) text: String,
    pub(crate) last: Option<ModelEvent>,
    pub(crate) failure: Option<ServiceFailure>,
}

/// Asks, and takes everything that comes.
pub(crate) async fn ask(limits: Limits, endpoint: &Endpoint, request: ModelRequest) -> Whole {
    let client = Client::new(limits).unwrap();
    let mut stream = client.stream(endpoint, request, &Files::default());
    let mut whole = Whole {
        text: String::new(),
        last: None,
        failure: None,
    };
    while let Some(item) = stream.next().await {
        assert!(whole.failure.is_none(), "nothing follows a failure");
        match item {
            Ok(event) => {
                if let ModelEvent::Text(text) = &event {
                    whole.text.push_str(text);
                }
                whole.last = Some(event);
            }
            Err(failure) => whole.failure = Some(failure),
        }
    }
    whole
}
