//! Writes the messages of a request.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::attachment::Part;
use crate::dialect::{Dialect, Quirk};
use crate::echo::Maker;
use crate::history::{self, Answered, History, Turn};
use crate::tool_name;

/// What stands for words beside a call, and for reasoning that did not happen, where a service
/// takes neither nothing nor null.
const WORDLESS: &str = ".";

/// Gemini takes this for the signature of a call that another model made.
const UNSIGNED: &str = "skip_thought_signature_validator";

/// The messages of a history, for the service at `host`.
pub(super) fn write(history: History, host: &str, dialect: &Dialect) -> Value {
    let mut writer = Writer {
        host,
        dialect,
        messages: Vec::new(),
    };
    if let Some(system) = history.system {
        writer.push(json!({ "role": "system", "content": system }));
    }
    for turn in history.turns {
        match turn {
            Turn::User(parts) => {
                writer.push(json!({ "role": "user", "content": user_content(parts) }));
            }
            Turn::Model {
                text,
                reasoning,
                calls,
                ..
            } => writer.model(&text, reasoning.as_deref(), &calls),
        }
    }
    Value::Array(writer.messages)
}

/// One text stays a text: many services take no list.
fn user_content(parts: Vec<Part>) -> Value {
    match parts.as_slice() {
        [Part::Text(text)] => json!(text),
        _ => parts.into_iter().map(user_part).collect(),
    }
}

fn user_part(part: Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image { media_type, data } => {
            let url = Part::data_url(&media_type, &data);
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
        Part::Document { name, data } => json!({
            "type": "file",
            "file": { "filename": name, "file_data": Part::pdf_url(&data) },
        }),
    }
}

struct Writer<'a> {
    host: &'a str,
    dialect: &'a Dialect,
    messages: Vec<Value>,
}

impl Writer<'_> {
    fn push(&mut self, message: Value) {
        self.messages.push(message);
    }

    /// The model's message with its calls, and their results behind it.
    fn model(&mut self, text: &str, reasoning: Option<&str>, calls: &[Answered]) {
        let mut message = Map::new();
        message.insert("role".to_owned(), json!("assistant"));
        message.insert("content".to_owned(), self.content(text));
        if let Some(reasoning) = self.reasoning(reasoning, calls) {
            message.insert("reasoning_content".to_owned(), json!(reasoning));
        }
        if !calls.is_empty() {
            let calls = calls.iter().map(|answered| self.call(answered)).collect();
            message.insert("tool_calls".to_owned(), calls);
        }
        self.push(Value::Object(message));
        for answered in calls {
            self.push(json!({
                "role": "tool",
                "tool_call_id": self.id(&answered.call.id),
                "content": answered.result,
            }));
        }
    }

    /// Some templates fail on a null, some services on a missing member; empty text suits most.
    fn content(&self, text: &str) -> Value {
        if !text.is_empty() {
            json!(text)
        } else if self.dialect.has(Quirk::SpokenContent) {
            json!(WORDLESS)
        } else if self.dialect.has(Quirk::NullContent) {
            Value::Null
        } else {
            json!("")
        }
    }

    /// The reasoning that goes back. Most services refuse the member, or charge for it.
    fn reasoning<'a>(&self, reasoning: Option<&'a str>, calls: &[Answered]) -> Option<&'a str> {
        if self.dialect.has(Quirk::NoReasoning) {
            None
        } else if self.dialect.has(Quirk::ReasoningAlways) {
            Some(reasoning.unwrap_or(WORDLESS))
        } else {
            let wanted = self.dialect.has(Quirk::ReasoningWithCalls) && !calls.is_empty();
            reasoning.filter(|_| wanted)
        }
    }

    fn call(&self, answered: &Answered) -> Value {
        let call = &answered.call;
        let mut wire = json!({
            "id": self.id(&call.id),
            "type": "function",
            "function": {
                "name": tool_name::wire(&call.name),
                "arguments": history::arguments(call).to_string(),
            },
        });
        if let (Some(extra), Some(wire)) = (self.extra(answered), wire.as_object_mut()) {
            wire.insert("extra_content".to_owned(), extra);
        }
        wire
    }

    fn extra(&self, answered: &Answered) -> Option<Value> {
        if self.dialect.has(Quirk::NoEcho) {
            return None;
        }
        let unsigned = || json!({ "google": { "thought_signature": UNSIGNED } });
        Maker::service(self.host)
            .open(answered.call.echo.as_ref())
            .cloned()
            .or_else(|| self.dialect.has(Quirk::SignedCalls).then(unsigned))
    }

    /// An id as the service takes it. One that another service made may have to be replaced, by
    /// the same one in each request.
    fn id(&self, id: &str) -> String {
        let fits = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if fits || !self.dialect.has(Quirk::ShortIds) {
            return id.to_owned();
        }
        const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
        let letter = |byte: &u8| ALPHABET.get(usize::from(byte % 32)).copied();
        let digest = Sha256::digest(id.as_bytes());
        digest
            .iter()
            .take(9)
            .filter_map(letter)
            .map(char::from)
            .collect()
    }
}
