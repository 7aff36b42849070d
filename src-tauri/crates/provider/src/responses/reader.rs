//! Reads a streamed answer.
//!
//! An answer is a row of items: messages, thoughts, calls. Each is told up to four times: in
//! pieces, whole at its end, and again with the answer's last event. Servers leave out any of
//! these, so whatever comes first is given at once and a repetition adds only what was missing.

mod call;
mod item;
mod text;

use serde_json::Value;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry, ServiceFailure, Usage};

use self::item::{Items, index_of, word};
use self::text::Sort;
use crate::answer::{self, Ending, Out};
use crate::content::Content;
use crate::echo::Maker;
use crate::failure;
use crate::payload::{self, Payload};
use crate::price;
use crate::printed_calls::Offer;
use crate::shape::Learnt;
use crate::sse::Event;
use crate::tool_calls::{Assembly, Ids};

/// Where the words of a plain piece stand.
const WORDS: &str = "/delta";

/// What differs from piece to piece without meaning anything here.
const IDLE: [&str; 2] = ["/sequence_number", "/obfuscation"];

/// The reader of one answer.
#[derive(Debug)]
pub(crate) struct Reader {
    maker: Maker,
    ids: Ids,
    items: Items,
    shape: Learnt,
    content: Content,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
}

impl Reader {
    /// A reader of what `maker` says; `ids` are those in use, `offer` is what the model was given.
    pub(crate) fn new(maker: Maker, ids: Ids, offer: Offer) -> Self {
        Self {
            maker,
            ids,
            items: Items::default(),
            shape: Learnt::default(),
            content: Content::new(offer),
            usage: None,
            finish: None,
        }
    }

    /// Takes one event. Some servers name it outside its data only.
    fn take(&mut self, name: &str, value: &Value, out: &mut Out) -> Result<(), ServiceFailure> {
        let kind = value.get("type").and_then(Value::as_str).unwrap_or(name);
        let response = value.get("response").unwrap_or(&Value::Null);
        match kind {
            "error" => return Err(failure::from_stream(value)),
            other if !other.starts_with("response.") && is_error(value) => {
                return Err(failure::from_stream(value));
            }
            "response.failed" => return Err(broken_off(response)),
            "response.completed" | "response.done" => self.close(response, false)?,
            "response.incomplete" => self.close(response, true)?,
            "response.output_item.added" => {
                self.items.open(item_of(value), index_of(value));
            }
            "response.output_item.done" => {
                self.items.close(item_of(value), index_of(value));
            }
            "response.function_call_arguments.delta" => {
                if let (Some(call), Some(piece)) = (self.items.call(value), value.get("delta")) {
                    call.push(piece);
                }
            }
            "response.function_call_arguments.done" => {
                if let Some(call) = self.items.call(value) {
                    call.close(value);
                }
            }
            _ => self.take_text(kind, value),
        }
        self.give_found(out);
        Ok(())
    }

    /// Takes a piece of a text, or a text as a whole.
    fn take_text(&mut self, kind: &str, value: &Value) {
        let Some((sort, is_piece)) = text_event(kind) else {
            return;
        };
        let at = ["content_index", "summary_index"]
            .iter()
            .find_map(|member| value.get(*member)?.as_u64())
            .unwrap_or(0);
        let text = ["delta", "text", "refusal"]
            .iter()
            .find_map(|member| value.get(*member)?.as_str())
            .unwrap_or_default();
        if is_piece {
            self.items.push_text(value, sort, at, text);
        } else {
            self.items.close_text(value, sort, at, text);
        }
    }

    /// The answer's last event holds all of it once more, or nothing.
    fn close(&mut self, response: &Value, is_incomplete: bool) -> Result<(), ServiceFailure> {
        let status = word(response, "status").unwrap_or_default();
        match status {
            "failed" => return Err(broken_off(response)),
            "cancelled" | "in_progress" | "queued" => {
                let message = "The service ended the answer before it was complete.";
                return Err(failure::new(ErrorCode::StreamCut, message, Retry::Soon));
            }
            _ => {}
        }
        let output = response.get("output").and_then(Value::as_array);
        self.items.close_all(output.map_or(&[], Vec::as_slice));
        self.usage = response.get("usage").and_then(usage_of);
        self.finish = Some(if is_incomplete || status == "incomplete" {
            cut_short(response)
        } else {
            FinishReason::Stop
        });
        Ok(())
    }

    fn give_found(&mut self, out: &mut Out) {
        for (sort, text) in self.items.take_found() {
            match sort {
                Sort::Words => self.content.push(&text, out),
                Sort::Thought | Sort::Summary => {
                    self.content.reasoning_shows();
                    out.push_back(ModelEvent::Reasoning(text));
                }
            }
        }
    }
}

impl crate::answer::Reader for Reader {
    fn event(&mut self, event: &Event<'_>, out: &mut Out) -> Result<(), ServiceFailure> {
        if event.name != "error"
            && let Some(words) = self.shape.words(event.data.trim())
        {
            self.items.push_words(&words);
            self.give_found(out);
            return Ok(());
        }
        match payload::read(event)? {
            Payload::Json(value) => {
                self.take(event.name, &value, out)?;
                if is_words(&value) {
                    let data = event.data.trim();
                    self.shape.learn(data, &value, WORDS, &IDLE);
                }
                Ok(())
            }
            // Not the protocol's end: relays send it behind a stream that was cut, too.
            Payload::Done | Payload::Nothing => Ok(()),
        }
    }

    fn whole(&mut self, value: &Value, out: &mut Out) -> Result<(), ServiceFailure> {
        let is_answer = value.get("output").is_some_and(Value::is_array);
        if is_error(value) || !is_answer {
            return Err(failure::from_stream(value));
        }
        self.close(value, false)?;
        self.give_found(out);
        Ok(())
    }

    fn end(&mut self, out: &mut Out) -> Result<(), ServiceFailure> {
        let Some(finish) = self.finish else {
            self.flush(out);
            return Err(failure::stream_cut());
        };
        let mut calls = Assembly::default();
        for fragment in self.items.calls() {
            calls.push(fragment);
        }
        let calls = calls.finish(&mut self.ids);
        let calls = self.content.close(Some(finish), calls, &mut self.ids, out);
        out.extend(self.usage.map(ModelEvent::Usage));
        let outline = self.items.outline().into_value();
        out.extend(outline.map(|outline| ModelEvent::Echo(self.maker.seal(outline))));
        answer::conclude(Some(finish), calls, out);
        Ok(())
    }

    fn flush(&mut self, out: &mut Out) {
        self.items.finish();
        self.give_found(out);
        self.content.flush(out);
    }

    fn has_begun(&self) -> bool {
        self.items.are_told()
    }

    fn ending(&self) -> Ending {
        match self.finish {
            Some(_) => Ending::Over,
            None => Ending::Open,
        }
    }
}

/// Whether an event says nothing but more of the answer's words.
fn is_words(value: &Value) -> bool {
    word(value, "type") == Some("response.output_text.delta")
        && value.get("delta").is_some_and(Value::is_string)
}

/// Which text an event of this name holds, and whether it is a piece of it.
fn text_event(kind: &str) -> Option<(Sort, bool)> {
    let name = kind.strip_prefix("response.")?;
    let (name, is_piece) = match name.strip_suffix(".delta") {
        Some(name) => (name, true),
        None => (name.strip_suffix(".done")?, false),
    };
    let sort = match name {
        "output_text" | "refusal" => Sort::Words,
        "reasoning_text" | "reasoning" => Sort::Thought,
        "reasoning_summary_text" | "reasoning_summary" => Sort::Summary,
        _ => return None,
    };
    Some((sort, is_piece))
}

fn item_of(event: &Value) -> &Value {
    event.get("item").unwrap_or(&Value::Null)
}

/// Whether it is an error in the form of the service's other answers.
fn is_error(value: &Value) -> bool {
    value.get("error").is_some_and(|error| !error.is_null())
        || word(value, "object") == Some("error")
}

fn broken_off(response: &Value) -> ServiceFailure {
    failure::from_stream(response.get("error").unwrap_or(&Value::Null))
}

/// Why an answer is incomplete. An unknown reason counts as the limit: what came was cut.
fn cut_short(response: &Value) -> FinishReason {
    let reason = response.pointer("/incomplete_details/reason");
    match reason.and_then(Value::as_str) {
        Some("content_filter") => FinishReason::ContentFilter,
        _ => FinishReason::Length,
    }
}

fn usage_of(usage: &Value) -> Option<Usage> {
    let count = |pointers: [&str; 2]| {
        let found = |pointer| usage.pointer(pointer).and_then(Value::as_u64);
        pointers.into_iter().find_map(found).unwrap_or(0)
    };
    let found = Usage {
        input_tokens: count(["/input_tokens", "/prompt_tokens"]),
        cached_tokens: count([
            "/input_tokens_details/cached_tokens",
            "/prompt_tokens_details/cached_tokens",
        ]),
        cache_written_tokens: count([
            "/input_tokens_details/cache_write_tokens",
            "/prompt_tokens_details/cache_write_tokens",
        ]),
        output_tokens: count(["/output_tokens", "/completion_tokens"]),
        cost: price::reported(usage),
    };
    (found != Usage::default()).then_some(found)
}

#[cfg(test)]
mod tests;
