//! Reads a streamed answer.

use serde_json::Value;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry, ServiceFailure, Usage};

use super::finish;
use super::ollama;
use crate::answer::{self, Ending, Out};
use crate::content::Content;
use crate::delta::Growth;
use crate::echo::Maker;
use crate::failure;
use crate::payload::{self, Payload};
use crate::price;
use crate::printed_calls::Offer;
use crate::shape::Learnt;
use crate::sse::Event;
use crate::tool_calls::{Assembly, Fragment, Ids};

/// Where the words of a plain piece stand.
const WORDS: &str = "/choices/0/delta/content";

/// What differs from piece to piece without meaning anything here.
const IDLE: [&str; 3] = ["/id", "/created", "/obfuscation"];

/// The reader of one answer.
#[derive(Debug)]
pub(crate) struct Reader {
    maker: Maker,
    ids: Ids,
    text: Growth,
    content: Content,
    reasoning: Growth,
    calls: Assembly,
    shape: Learnt,
    finish: Option<FinishReason>,
    /// A piece of text came, so a whole message at the end only repeats it.
    has_text: bool,
    /// The first choice came, so this is an answer.
    has_choice: bool,
    done: bool,
}

impl Reader {
    /// A reader for the service at `host`; `ids` are those in use, `offer` is what the model was given.
    pub(crate) fn new(host: &str, ids: Ids, offer: Offer) -> Self {
        Self {
            maker: Maker::service(host),
            ids,
            text: Growth::default(),
            content: Content::new(offer),
            reasoning: Growth::default(),
            calls: Assembly::default(),
            shape: Learnt::default(),
            finish: None,
            has_text: false,
            has_choice: false,
            done: false,
        }
    }

    fn chunk(&mut self, chunk: &Value, out: &mut Out) -> Result<(), ServiceFailure> {
        if is_error(chunk) {
            return Err(failure::from_stream(chunk));
        }
        let translated = ollama::as_chunk(chunk);
        let chunk = translated.as_ref().unwrap_or(chunk);
        let choice = chunk.get("choices").and_then(|choices| choices.get(0));
        if let Some(choice) = choice {
            self.choice(choice, out)?;
        }
        let usage = [
            chunk.get("usage"),
            choice.and_then(|choice| choice.get("usage")),
            chunk.pointer("/x_groq/usage"),
        ];
        out.extend(
            usage
                .into_iter()
                .flatten()
                .find_map(usage_of)
                .map(ModelEvent::Usage),
        );
        Ok(())
    }

    fn choice(&mut self, choice: &Value, out: &mut Out) -> Result<(), ServiceFailure> {
        self.has_choice = true;
        let delta = choice.get("delta").filter(|delta| says_anything(delta));
        let message = choice.get("message").filter(|message| !message.is_null());
        match (delta, message) {
            (Some(delta), _) => self.piece(delta, out),
            (None, Some(message)) => self.message(message, out),
            (None, None) => {
                let text = choice.get("text").and_then(Value::as_str);
                self.words(text.unwrap_or_default(), out);
            }
        }
        let reason = ["finish_reason", "finishReason"]
            .iter()
            .filter_map(|member| choice.get(*member)?.as_str())
            .find(|reason| !reason.is_empty());
        if let Some(reason) = reason {
            self.finish = Some(finish::read(reason)?);
        }
        Ok(())
    }

    /// A message that came whole: all there is, or a repetition of what was streamed.
    fn message(&mut self, message: &Value, out: &mut Out) {
        if self.reasoning.is_fresh() {
            self.thoughts(message, out);
        }
        if !self.has_text {
            self.answer_words(message, out);
        }
        if self.calls.is_empty() {
            self.take_calls(message);
        }
    }

    fn piece(&mut self, delta: &Value, out: &mut Out) {
        self.thoughts(delta, out);
        self.answer_words(delta, out);
        self.take_calls(delta);
    }

    fn thoughts(&mut self, delta: &Value, out: &mut Out) {
        let said = ["reasoning_content", "reasoning"]
            .iter()
            .filter_map(|member| delta.get(*member)?.as_str())
            .find(|text| !text.is_empty());
        let part = delta.get("content").map(thoughts_of).unwrap_or_default();
        let thought = said.unwrap_or(&part);
        if !thought.is_empty() {
            self.content.reasoning_shows();
        }
        let new = self.reasoning.push(thought);
        give_reasoning(new.into_owned(), out);
    }

    fn answer_words(&mut self, delta: &Value, out: &mut Out) {
        let content = delta.get("content").map(text_of).unwrap_or_default();
        let refusal = delta
            .get("refusal")
            .and_then(Value::as_str)
            .unwrap_or_default();
        self.words(&content, out);
        self.words(refusal, out);
    }

    fn take_calls(&mut self, delta: &Value) {
        let listed: Vec<Fragment> = match delta.get("tool_calls") {
            Some(Value::Array(calls)) => calls.iter().map(|call| self.fragment(call)).collect(),
            Some(call @ Value::Object(_)) => vec![self.fragment(call)],
            _ => Vec::new(),
        };
        // The older form of a call; some services send both.
        let single = delta
            .get("function_call")
            .filter(|call| call.is_object() && listed.is_empty());
        if let Some(call) = single {
            self.calls.push(Fragment {
                index: Some(0),
                ..self.fragment(call)
            });
        }
        self.calls.push_list(listed);
    }

    fn words(&mut self, text: &str, out: &mut Out) {
        self.has_text |= !text.is_empty();
        let new = self.text.push(text);
        self.content.push(&new, out);
    }

    fn fragment(&self, call: &Value) -> Fragment {
        let mut fragment = Fragment::from_chat(call);
        fragment.echo = fragment.echo.map(|echo| self.maker.seal(echo));
        fragment
    }

    fn give_held(&mut self, out: &mut Out) {
        give_reasoning(self.reasoning.finish(), out);
        let held = self.text.finish();
        self.content.push(&held, out);
    }
}

impl crate::answer::Reader for Reader {
    fn event(&mut self, event: &Event<'_>, out: &mut Out) -> Result<(), ServiceFailure> {
        let data = event.data.trim();
        if event.name != "error"
            && let Some(words) = self.shape.words(data)
        {
            self.words(&words, out);
            return Ok(());
        }
        match payload::read(event)? {
            Payload::Json(chunk) => {
                self.chunk(&chunk, out)?;
                if is_plain(&chunk) {
                    self.shape.learn(data, &chunk, WORDS, &IDLE);
                }
            }
            Payload::Done => self.done = true,
            Payload::Nothing => {}
        }
        Ok(())
    }

    fn whole(&mut self, value: &Value, out: &mut Out) -> Result<(), ServiceFailure> {
        self.chunk(value, out)?;
        if !self.has_choice {
            return Err(no_answer());
        }
        self.done = true;
        Ok(())
    }

    fn end(&mut self, out: &mut Out) -> Result<(), ServiceFailure> {
        if self.finish.is_none() && !self.done {
            self.flush(out);
            return Err(failure::stream_cut());
        }
        if !self.has_choice {
            self.flush(out);
            return Err(no_answer());
        }
        self.give_held(out);
        let calls = self.calls.finish(&mut self.ids);
        let calls = self.content.close(self.finish, calls, &mut self.ids, out);
        answer::conclude(self.finish, calls, out);
        Ok(())
    }

    fn flush(&mut self, out: &mut Out) {
        self.give_held(out);
        self.content.flush(out);
    }

    fn has_begun(&self) -> bool {
        self.has_text || !self.calls.is_empty() || !self.reasoning.is_fresh()
    }

    fn ending(&self) -> Ending {
        match (self.done, &self.finish) {
            (true, _) => Ending::Over,
            (false, Some(_)) => Ending::Complete,
            (false, None) => Ending::Open,
        }
    }
}

fn no_answer() -> ServiceFailure {
    failure::new(
        ErrorCode::BadResponse,
        "The service sent no answer.",
        Retry::Soon,
    )
}

/// Whether a piece says nothing but its words.
fn is_plain(chunk: &Value) -> bool {
    const AROUND: [&str; 9] = [
        "id",
        "object",
        "created",
        "model",
        "provider",
        "service_tier",
        "system_fingerprint",
        "obfuscation",
        "choices",
    ];
    let choice = chunk.pointer("/choices/0").unwrap_or(&Value::Null);
    let delta = choice.get("delta").unwrap_or(&Value::Null);
    delta.get("content").is_some_and(Value::is_string)
        && says_only(chunk, &AROUND)
        && says_only(choice, &["index", "delta"])
        && says_only(delta, &["role", "content"])
}

/// Whether all members but these are empty.
fn says_only(value: &Value, members: &[&str]) -> bool {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    let mut all = value.as_object().into_iter().flatten();
    all.all(|(name, value)| members.contains(&name.as_str()) || is_empty(value))
}

/// Whether a chunk is an error: by its name, or because words stand where choices should.
fn is_error(chunk: &Value) -> bool {
    let named = match chunk.get("error") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Object(object)) => !object.is_empty(),
        Some(_) => true,
    };
    let minimax = chunk
        .pointer("/base_resp/status_code")
        .and_then(Value::as_i64);
    let has_choices = chunk
        .get("choices")
        .is_some_and(|choices| !choices.is_null());
    let words = ["message", "msg", "error_msg", "detail"];
    let bare = chunk.get("object").and_then(Value::as_str) == Some("error")
        || (!has_choices
            && words
                .iter()
                .any(|name| chunk.get(*name).is_some_and(Value::is_string)));
    named || bare || minimax.is_some_and(|code| code != 0)
}

/// Whether a delta is more than an empty shell around a message that comes whole.
fn says_anything(delta: &Value) -> bool {
    !says_only(delta, &["role"])
}

/// Content is text, or a part or a list of parts of which some are text.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text_of).collect(),
        Value::Object(part) => part
            .get("text")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// The reasoning among the parts of a content.
fn thoughts_of(content: &Value) -> String {
    content
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|part| part.get("thinking"))
        .map(text_of)
        .collect()
}

fn give_reasoning(text: String, out: &mut Out) {
    if !text.is_empty() {
        out.push_back(ModelEvent::Reasoning(text));
    }
}

fn usage_of(usage: &Value) -> Option<Usage> {
    let count = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
    let cached = [
        "/prompt_tokens_details/cached_tokens",
        "/prompt_cache_hit_tokens",
        "/cached_tokens",
    ];
    let found = Usage {
        input_tokens: count("/prompt_tokens").unwrap_or(0),
        cached_tokens: cached.into_iter().find_map(count).unwrap_or(0),
        cache_written_tokens: count("/prompt_tokens_details/cache_write_tokens").unwrap_or(0),
        output_tokens: count("/completion_tokens").unwrap_or(0),
        cost: price::reported(usage),
    };
    (found != Usage::default()).then_some(found)
}

#[cfg(test)]
mod tests;
