//! The recorded answers under `tests/streams`, and what each must come to.
//!
//! A file opens with a head, each line of it behind `# `, in YAML; behind an empty line stands the
//! body as a service sends it. Its folder is named after the protocol. `.sse` is a stream, any
//! other ending a body that came whole.

use std::collections::BTreeMap;
use std::path::Path;

use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::Value;
use talaria_domain::{ModelEvent, ModelRequest, Retry, ServiceFailure, ToolCall, ToolSpec, Usage};
use talaria_provider::{Protocol, replay};
use tokio::runtime::{Builder, Runtime};

use crate::wire::request;

/// One recorded answer.
pub(crate) struct Recording {
    pub(crate) name: String,
    pub(crate) protocol: Protocol,
    pub(crate) expected: Expected,
    pub(crate) body: Vec<u8>,
    /// A stream, whose lines may end in another way and still mean the same.
    pub(crate) is_stream: bool,
}

/// What an answer must come to.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Expected {
    /// What is special about it.
    why: String,
    /// The tools on offer.
    tools: Vec<String>,
    text: String,
    reasoning: String,
    /// The calls, each a name with its arguments.
    calls: Vec<BTreeMap<String, Value>>,
    /// Whether something of it must go back to the service.
    echo: bool,
    /// Tokens sent, of those cached, and received.
    usage: Option<(u64, u64, u64)>,
    /// Why it finished, or the code of its failure.
    pub(crate) end: String,
    retry: Option<String>,
}

/// All recorded answers.
pub(crate) fn recordings() -> Vec<Recording> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams");
    let mut found = Vec::new();
    for folder in fs_err::read_dir(root).unwrap() {
        let folder = folder.unwrap();
        let protocol = folder.file_name().into_string().unwrap();
        for file in fs_err::read_dir(folder.path()).unwrap() {
            found.push(read(&protocol, &file.unwrap().path()));
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(found.len() > 90, "the recordings are there");
    found
}

fn read(protocol: &str, path: &Path) -> Recording {
    let name = format!("{protocol}/{}", path.file_name().unwrap().display());
    let bytes = fs_err::read(path).unwrap();
    let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let yaml: Vec<&str> = head
        .lines()
        .map(|line| line.strip_prefix("# ").expect(&name))
        .collect();
    Recording {
        protocol: serde_json::from_value(Value::from(protocol)).unwrap(),
        expected: serde_yaml::from_str(&yaml.join("\n"))
            .unwrap_or_else(|error| panic!("{name}: {error}")),
        body: bytes[end + 2..].to_vec(),
        is_stream: path.extension().is_some_and(|ending| ending == "sse"),
        name,
    }
}

impl Recording {
    /// The tools on offer while it was recorded.
    pub(crate) fn tools(&self) -> Vec<ToolSpec> {
        let tool = |name: &String| ToolSpec {
            name: name.clone(),
            description: "A tool.".to_owned(),
            parameters: serde_json::json!({"type": "object", "properties": {}}),
        };
        self.expected.tools.iter().map(tool).collect()
    }

    /// Reads a body as if it had come instead of the recorded one.
    pub(crate) fn answer<'a>(
        &self,
        reading: &Runtime,
        pieces: impl IntoIterator<Item = &'a [u8]>,
    ) -> Answer {
        let request = ModelRequest {
            tools: self.tools(),
            ..request()
        };
        let pieces = pieces.into_iter().map(|piece| piece.to_vec().into());
        let events = replay(self.protocol, &request, pieces.collect());
        Answer::of(reading.block_on(events.collect()), &self.body)
    }
}

/// What reads answers.
pub(crate) fn reading() -> Runtime {
    Builder::new_current_thread().enable_time().build().unwrap()
}

/// An answer, without the places where one event ends and the next of its kind begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) events: Vec<ModelEvent>,
    pub(crate) failure: Option<ServiceFailure>,
}

impl Answer {
    /// Puts an answer together; ids that its `body` does not hold were made up, and are named by
    /// their place.
    pub(crate) fn of(events: Vec<Result<ModelEvent, ServiceFailure>>, body: &[u8]) -> Self {
        let mut answer = Self::default();
        let body = String::from_utf8_lossy(body);
        for event in events {
            assert!(!answer.has_ended(), "nothing follows the end: {event:?}");
            match event {
                Ok(event) => answer.add(event, &body),
                Err(failure) => answer.failure = Some(failure),
            }
        }
        assert!(answer.has_ended(), "every answer ends");
        answer
    }

    fn add(&mut self, event: ModelEvent, body: &str) {
        match (self.events.last_mut(), event) {
            (Some(ModelEvent::Text(text)), ModelEvent::Text(more))
            | (Some(ModelEvent::Reasoning(text)), ModelEvent::Reasoning(more)) => {
                text.push_str(&more);
            }
            (_, ModelEvent::ToolCall(mut call)) => {
                if !body.contains(&format!("\"{}\"", call.id)) {
                    call.id = format!("made for event {}", self.events.len());
                }
                self.events.push(ModelEvent::ToolCall(call));
            }
            // The host that made it is the one it was read from.
            (_, ModelEvent::Echo(mut sealed)) => {
                sealed["host"].take();
                self.events.push(ModelEvent::Echo(sealed));
            }
            (_, event) => self.events.push(event),
        }
    }

    fn has_ended(&self) -> bool {
        self.failure.is_some() || self.is_finished()
    }

    /// Whether it came to a good end.
    pub(crate) fn is_finished(&self) -> bool {
        matches!(self.events.last(), Some(ModelEvent::Finished(_)))
    }

    /// The calls in it.
    pub(crate) fn calls(&self) -> Vec<&ToolCall> {
        let mut calls = Vec::new();
        for event in &self.events {
            if let ModelEvent::ToolCall(call) = event {
                calls.push(call);
            }
        }
        calls
    }

    /// All its text and reasoning.
    pub(crate) fn words(&self) -> String {
        let words = |event: &ModelEvent| match event {
            ModelEvent::Text(text) | ModelEvent::Reasoning(text) => Some(text.clone()),
            _ => None,
        };
        self.events.iter().filter_map(words).collect()
    }

    /// What it came to, in the form of a recording's head.
    pub(crate) fn outcome(&self, asked: &Expected) -> Expected {
        let mut outcome = Expected {
            why: asked.why.clone(),
            tools: asked.tools.clone(),
            ..Expected::default()
        };
        for event in &self.events {
            match event {
                ModelEvent::Text(text) => outcome.text.push_str(text),
                ModelEvent::Reasoning(text) => outcome.reasoning.push_str(text),
                ModelEvent::WasReasoning => {
                    outcome.reasoning = std::mem::take(&mut outcome.text);
                }
                ModelEvent::ToolCall(call) => {
                    let call = (call.name.clone(), call.arguments.clone());
                    outcome.calls.push(BTreeMap::from([call]));
                }
                ModelEvent::Echo(_) => outcome.echo = true,
                ModelEvent::Notice(_) => {}
                ModelEvent::Usage(usage) => outcome.usage = Some(counts(*usage)),
                ModelEvent::Finished(reason) => outcome.end = word(reason),
            }
        }
        if let Some(failure) = &self.failure {
            failure.code.as_str().clone_into(&mut outcome.end);
            outcome.retry = asked.retry.as_ref().map(|_| match failure.retry {
                Retry::Never => "never".to_owned(),
                Retry::Soon => "soon".to_owned(),
                Retry::After(wait) => format!("after {wait:?}"),
            });
        }
        outcome
    }
}

fn counts(usage: Usage) -> (u64, u64, u64) {
    (usage.input_tokens, usage.cached_tokens, usage.output_tokens)
}

fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap();
    value.as_str().unwrap().to_owned()
}
