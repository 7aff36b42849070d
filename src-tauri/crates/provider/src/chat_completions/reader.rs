//! Reads a streamed answer.

use serde_json::Value;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry, ServiceFailure, Usage};

use super::request::Echo;
use crate::answer::{self, Ending, Out};
use crate::delta::Growth;
use crate::failure;
use crate::shape::Learnt;
use crate::sse::Event;
use crate::think::{Part, Splitter};
use crate::tool_calls::{Assembly, Fragment, Ids};

/// Where the words of a plain piece stand.
const WORDS: &str = "/choices/0/delta/content";

/// What differs from piece to piece without meaning anything here.
const IDLE: [&str; 3] = ["/id", "/created", "/obfuscation"];

/// The reader of one answer.
#[derive(Debug)]
pub(crate) struct Reader {
    host: String,
    ids: Ids,
    content: Growth,
    splitter: Splitter,
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
    /// A reader for the service at `host`; `ids` are those in use.
    pub(crate) fn new(host: &str, ids: Ids) -> Self {
        Self {
            host: host.to_owned(),
            ids,
            content: Growth::default(),
            splitter: Splitter::default(),
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
        let delta = choice.get("delta").filter(|delta| !delta.is_null());
        let message = choice.get("message").filter(|message| !message.is_null());
        match (delta, message) {
            (Some(delta), _) => self.piece(delta, out),
            (None, Some(message)) => self.message(message, out),
            (None, None) => {}
        }
        let reason = ["finish_reason", "finishReason"]
            .iter()
            .filter_map(|member| choice.get(*member)?.as_str())
            .find(|reason| !reason.is_empty());
        if let Some(reason) = reason {
            self.finish = Some(finish_of(reason)?);
        }
        Ok(())
    }

    /// A message that came whole: all there is, or a repetition of what was streamed.
    fn message(&mut self, message: &Value, out: &mut Out) {
        if !self.has_text && self.calls.is_empty() {
            self.piece(message, out);
        }
    }

    fn piece(&mut self, delta: &Value, out: &mut Out) {
        let thought = ["reasoning_content", "reasoning"]
            .iter()
            .filter_map(|member| delta.get(*member)?.as_str())
            .find(|text| !text.is_empty());
        if let Some(thought) = thought {
            let new = self.reasoning.push(thought);
            give_reasoning(new, out);
        }
        let content = delta.get("content").map(text_of).unwrap_or_default();
        let refusal = delta
            .get("refusal")
            .and_then(Value::as_str)
            .unwrap_or_default();
        self.words(&content, out);
        self.words(refusal, out);
        for call in delta
            .get("tool_calls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.calls.push(self.fragment(call));
        }
        if let Some(call) = delta.get("function_call").filter(|call| call.is_object()) {
            self.calls.push(Fragment {
                index: Some(0),
                ..self.fragment(call)
            });
        }
    }

    fn words(&mut self, text: &str, out: &mut Out) {
        self.has_text |= !text.is_empty();
        let new = self.content.push(text);
        self.give_content(&new, out);
    }

    fn fragment(&self, call: &Value) -> Fragment {
        let mut fragment = Fragment::from_chat(call);
        fragment.echo = fragment.echo.map(|echo| Echo::seal(&echo, &self.host));
        fragment
    }

    fn give_content(&mut self, new: &str, out: &mut Out) {
        for part in self.splitter.push(new) {
            give(part, out);
        }
    }
}

impl crate::answer::Reader for Reader {
    fn event(&mut self, event: &Event<'_>, out: &mut Out) -> Result<(), ServiceFailure> {
        let data = event.data.trim();
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        if event.name != "error"
            && let Some(words) = self.shape.words(data)
        {
            self.words(&words, out);
            return Ok(());
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value) if event.name == "error" => Err(failure::from_stream(&value)),
            Ok(chunk) => {
                self.chunk(&chunk, out)?;
                if is_plain(&chunk) {
                    self.shape.learn(data, &chunk, WORDS, &IDLE);
                }
                Ok(())
            }
            Err(_) if event.name == "error" => {
                Err(failure::from_stream(&Value::String(data.to_owned())))
            }
            // Nothing, or a comment that a relay wrapped up as data.
            Err(_) if data.is_empty() || data.starts_with(':') => Ok(()),
            Err(_) => {
                let start: String = data.chars().take(200).collect();
                let message = format!("The stream holds something that is not JSON: {start}");
                Err(failure::new(ErrorCode::BadResponse, &message, Retry::Soon))
            }
        }
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
        self.flush(out);
        if self.finish.is_none() && !self.done {
            return Err(failure::stream_cut());
        }
        if !self.has_choice {
            return Err(no_answer());
        }
        answer::conclude(self.finish, self.calls.finish(&mut self.ids), out);
        Ok(())
    }

    fn flush(&mut self, out: &mut Out) {
        give_reasoning(self.reasoning.finish(), out);
        let held = self.content.finish();
        self.give_content(&held, out);
        if let Some(part) = self.splitter.finish() {
            give(part, out);
        }
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

fn is_error(chunk: &Value) -> bool {
    let error = match chunk.get("error") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Object(object)) => !object.is_empty(),
        Some(_) => true,
    };
    let minimax = chunk
        .pointer("/base_resp/status_code")
        .and_then(Value::as_i64);
    let bare = chunk.get("object").and_then(Value::as_str) == Some("error");
    error || bare || minimax.is_some_and(|code| code != 0)
}

/// Content is text, or a list of parts of which some are text.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    }
}

fn give(part: Part, out: &mut Out) {
    out.push_back(match part {
        Part::Text(text) => ModelEvent::Text(text),
        Part::Reasoning(text) => ModelEvent::Reasoning(text),
    });
}

fn give_reasoning(text: String, out: &mut Out) {
    if !text.is_empty() {
        out.push_back(ModelEvent::Reasoning(text));
    }
}

fn finish_of(reason: &str) -> Result<FinishReason, ServiceFailure> {
    let failed = |code, retry| {
        Err(failure::new(
            code,
            &format!("The service broke off: {reason}."),
            retry,
        ))
    };
    match reason.to_ascii_lowercase().as_str() {
        "tool_calls" | "function_call" | "tool_use" => Ok(FinishReason::ToolCalls),
        "length" | "max_tokens" | "repetition_truncation" => Ok(FinishReason::Length),
        "content_filter" | "sensitive" | "safety" => Ok(FinishReason::ContentFilter),
        "model_context_window_exceeded" => failed(ErrorCode::ContextOverflow, Retry::Never),
        "insufficient_system_resource" => failed(ErrorCode::Overloaded, Retry::Soon),
        "error" | "network_error" | "abort" => failed(ErrorCode::BadResponse, Retry::Soon),
        "stop" => Ok(FinishReason::Stop),
        other => {
            tracing::debug!(reason = other, "an unknown finish reason counts as stop");
            Ok(FinishReason::Stop)
        }
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
        output_tokens: count("/completion_tokens").unwrap_or(0),
    };
    (found != Usage::default()).then_some(found)
}

#[cfg(test)]
mod tests;
