//! Reads a streamed answer.

use serde_json::Value;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry, ServiceFailure, Usage};

use crate::answer::{self, Ending, Out};
use crate::failure;
use crate::payload::{self, Payload};
use crate::shape::Learnt;
use crate::sse::Event;
use crate::tool_calls::{Assembly, Fragment, Ids};

/// Where the words of a plain piece stand.
const WORDS: &str = "/delta/text";

/// The reader of one answer.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    ids: Ids,
    calls: Assembly,
    shape: Learnt,
    usage: Usage,
    finish: Option<FinishReason>,
    has_begun: bool,
    stopped: bool,
}

impl Reader {
    /// A reader; `ids` are those in use.
    pub(crate) fn new(ids: Ids) -> Self {
        Self {
            ids,
            ..Self::default()
        }
    }

    fn message(&mut self, value: &Value, out: &mut Out) -> Result<(), ServiceFailure> {
        let index = value.get("index").and_then(Value::as_u64);
        match value
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default()
        {
            "error" => return Err(failure::from_stream(value)),
            "message_start" => self.count(value.pointer("/message/usage")),
            "content_block_start" => {
                if let Some(block) = value.get("content_block") {
                    self.block(block, index, out);
                }
            }
            "content_block_delta" => {
                if let Some(delta) = value.get("delta") {
                    self.delta(delta, index, out);
                }
            }
            "message_delta" => {
                self.count(value.get("usage"));
                self.finish_with(value.pointer("/delta/stop_reason"))?;
            }
            "message_stop" => self.stopped = true,
            // Pings, block ends, and whatever the protocol adds.
            _ => {}
        }
        Ok(())
    }

    /// A block's start holds its first words, or all of it where the answer came whole.
    fn block(&mut self, block: &Value, index: Option<u64>, out: &mut Out) {
        let text = |member: &str| {
            block
                .get(member)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        match text("type") {
            "text" => self.give(ModelEvent::Text, text("text"), out),
            "thinking" => self.give(ModelEvent::Reasoning, text("thinking"), out),
            "tool_use" => {
                self.has_begun = true;
                // An empty input is a placeholder for the pieces that follow.
                let input = block
                    .get("input")
                    .filter(|input| input.as_object().is_some_and(|object| !object.is_empty()));
                self.calls.push(Fragment {
                    index,
                    id: Some(text("id").to_owned()).filter(|id| !id.is_empty()),
                    name: Some(text("name").to_owned()).filter(|name| !name.is_empty()),
                    arguments: input.cloned(),
                    echo: None,
                });
            }
            _ => {}
        }
    }

    fn delta(&mut self, delta: &Value, index: Option<u64>, out: &mut Out) {
        let text = |member: &str| {
            delta
                .get(member)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        match text("type") {
            "text_delta" => self.give(ModelEvent::Text, text("text"), out),
            "thinking_delta" => self.give(ModelEvent::Reasoning, text("thinking"), out),
            "input_json_delta" => self.calls.push(Fragment {
                index,
                arguments: delta.get("partial_json").cloned(),
                ..Fragment::default()
            }),
            _ => {}
        }
    }

    fn give(&mut self, event: fn(String) -> ModelEvent, text: &str, out: &mut Out) {
        if !text.is_empty() {
            self.has_begun = true;
            out.push_back(event(text.to_owned()));
        }
    }

    /// Later counts replace earlier ones; a count that is left out stays.
    fn count(&mut self, usage: Option<&Value>) {
        let number = |member: &str| usage?.get(member)?.as_u64();
        if let Some(fresh) = number("input_tokens") {
            let cached = number("cache_read_input_tokens").unwrap_or(0);
            let written = number("cache_creation_input_tokens").unwrap_or(0);
            self.usage.input_tokens = fresh.saturating_add(cached).saturating_add(written);
            self.usage.cached_tokens = cached;
        }
        if let Some(output) = number("output_tokens") {
            self.usage.output_tokens = output;
        }
    }

    fn finish_with(&mut self, reason: Option<&Value>) -> Result<(), ServiceFailure> {
        let Some(reason) = reason
            .and_then(Value::as_str)
            .filter(|reason| !reason.is_empty())
        else {
            return Ok(());
        };
        self.finish = Some(match reason {
            "max_tokens" => FinishReason::Length,
            "refusal" => FinishReason::ContentFilter,
            "tool_use" => FinishReason::ToolCalls,
            "model_context_window_exceeded" => {
                let message = "The answer filled the model's context window.";
                return Err(failure::new(
                    ErrorCode::ContextOverflow,
                    message,
                    Retry::Never,
                ));
            }
            _ => FinishReason::Stop,
        });
        Ok(())
    }
}

impl crate::answer::Reader for Reader {
    fn event(&mut self, event: &Event<'_>, out: &mut Out) -> Result<(), ServiceFailure> {
        let data = event.data.trim();
        if event.name != "error"
            && let Some(words) = self.shape.words(data)
        {
            self.give(ModelEvent::Text, &words, out);
            return Ok(());
        }
        match payload::read(event)? {
            Payload::Json(value) => {
                self.message(&value, out)?;
                if value.pointer("/delta/type").and_then(Value::as_str) == Some("text_delta") {
                    self.shape.learn(data, &value, WORDS, &[]);
                }
                Ok(())
            }
            Payload::Done | Payload::Nothing => Ok(()),
        }
    }

    fn whole(&mut self, value: &Value, out: &mut Out) -> Result<(), ServiceFailure> {
        let Some(blocks) = value.get("content").and_then(Value::as_array) else {
            return Err(failure::from_stream(value));
        };
        for (index, block) in (0..).zip(blocks) {
            self.block(block, Some(index), out);
        }
        self.count(value.get("usage"));
        self.finish_with(value.get("stop_reason"))?;
        self.stopped = true;
        Ok(())
    }

    fn end(&mut self, out: &mut Out) -> Result<(), ServiceFailure> {
        if self.usage != Usage::default() {
            out.push_back(ModelEvent::Usage(self.usage));
        }
        // A stop reason is as good as the last event: some relays leave that one out.
        if !self.stopped && self.finish.is_none() {
            return Err(failure::stream_cut());
        }
        answer::conclude(self.finish, self.calls.finish(&mut self.ids), out);
        Ok(())
    }

    fn has_begun(&self) -> bool {
        self.has_begun
    }

    fn ending(&self) -> Ending {
        match (self.stopped, &self.finish) {
            (true, _) => Ending::Over,
            (false, Some(_)) => Ending::Complete,
            (false, None) => Ending::Open,
        }
    }
}

#[cfg(test)]
mod tests;
