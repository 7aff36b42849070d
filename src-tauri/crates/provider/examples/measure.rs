//! Prints how many events a second become text, in each protocol, from recorded answers in
//! pieces as a network gives them; beside it how many pieces of the same JSON `serde_json` alone
//! parses a second. The bodies are left in the temporary folder, for others to be measured with.

use std::io::Write;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt;
use serde_json::Value;
use talaria_domain::{ModelEvent, ModelName, ModelRequest, ToolChoice, ToolSpec};
use talaria_provider::{Protocol, replay};

/// How many pieces of text an answer has: few, so that on a busy machine some run is undisturbed.
const EVENTS: usize = 4_000;

/// What a connection gives at a time: a frame of Ethernet.
const PIECE: usize = 1_448;

const RUNS: usize = 100;

const WORDS: [&str; 8] = [
    "The",
    " answer",
    " is",
    " 42",
    ",",
    " 也就是",
    " \\\"so\\\"",
    ".\\n\\n",
];

/// A recorded answer: what opens it, one piece of text with `WORD` and `COUNT` in it, its end.
struct Recording {
    name: &'static str,
    protocol: Protocol,
    start: &'static str,
    delta: &'static str,
    end: &'static str,
}

/// The recording in the files of this name.
macro_rules! recording {
    ($protocol:ident, $name:literal) => {
        Recording {
            name: $name,
            protocol: Protocol::$protocol,
            start: include_str!(concat!("measure/", $name, ".start.sse")),
            delta: include_str!(concat!("measure/", $name, ".delta.sse")),
            end: include_str!(concat!("measure/", $name, ".end.sse")),
        }
    };
}

const RECORDINGS: [Recording; 3] = [
    recording!(OpenaiChat, "chat_completions"),
    recording!(OpenaiResponses, "responses"),
    recording!(AnthropicMessages, "messages"),
];

impl Recording {
    fn body(&self) -> String {
        let mut body = self.start.to_owned();
        for (count, word) in WORDS.iter().cycle().take(EVENTS).enumerate() {
            let delta = self.delta.replace("COUNT", &count.to_string());
            body.push_str(&delta.replace("WORD", word));
        }
        body + self.end
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let request = request().ok_or("the model has no name")?;
    for recording in &RECORDINGS {
        let body = Bytes::from(recording.body());
        let ours = best(|| runtime.block_on(read(recording.protocol, &request, &body)));
        let parsed = best(|| parse(&body));
        let file = std::env::temp_dir().join(format!("talaria-{}.sse", recording.name));
        fs_err::write(&file, &body)?;
        let line = serde_json::json!({
            "stream": recording.name, "body": file, "piece": PIECE, "events": EVENTS,
            "events_per_second": ours, "json_alone_per_second": parsed,
        });
        writeln!(std::io::stdout(), "{line}")?;
    }
    Ok(())
}

/// The most events a second of several runs.
fn best(mut run: impl FnMut() -> usize) -> u64 {
    let shortest = (0..RUNS).map(|_| {
        let begun = Instant::now();
        assert!(run() >= EVENTS, "every piece is text");
        begun.elapsed()
    });
    let seconds = shortest.min().unwrap_or(Duration::MAX).as_secs_f64();
    (EVENTS as f64 / seconds) as u64
}

fn request() -> Option<ModelRequest> {
    Some(ModelRequest {
        model: ModelName::new("small")?,
        messages: Vec::new(),
        tools: vec![ToolSpec {
            name: "read_note".to_owned(),
            description: "Reads a note.".to_owned(),
            parameters: serde_json::json!({"type": "object", "properties": {"title": {"type": "string"}}}),
        }],
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    })
}

async fn read(protocol: Protocol, request: &ModelRequest, body: &Bytes) -> usize {
    let pieces = (0..body.len())
        .step_by(PIECE)
        .map(|start| body.slice(start..body.len().min(start + PIECE)))
        .collect();
    let mut events = std::pin::pin!(replay(protocol, request, pieces));
    let mut count = 0;
    while let Some(event) = events.next().await {
        if matches!(event, Ok(ModelEvent::Text(_))) {
            count += 1;
        }
    }
    count
}

/// Only the parsing of the JSON, with the lines already known.
fn parse(body: &Bytes) -> usize {
    let lines = body.split(|byte| *byte == b'\n');
    lines
        .filter_map(|line| serde_json::from_slice::<Value>(line.strip_prefix(b"data: ")?).ok())
        .count()
}
