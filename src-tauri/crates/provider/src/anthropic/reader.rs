//! Reads a streamed answer.

mod block;

use serde_json::Value;
use talaria_domain::{ErrorCode, FinishReason, ModelEvent, Retry, ServiceFailure, Usage};

use self::block::{Blocks, word};
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
const WORDS: &str = "/delta/text";

/// The reader of one answer.
#[derive(Debug)]
pub(crate) struct Reader {
    maker: Maker,
    ids: Ids,
    blocks: Blocks,
    content: Content,
    shape: Learnt,
    usage: Usage,
    finish: Option<FinishReason>,
    has_begun: bool,
    stopped: bool,
}

impl Reader {
    /// A reader of what `maker` says; `ids` are those in use, `offer` is what the model was given.
    pub(crate) fn new(maker: Maker, ids: Ids, offer: Offer) -> Self {
        Self {
            maker,
            ids,
            blocks: Blocks::default(),
            content: Content::new(offer),
            shape: Learnt::default(),
            usage: Usage::default(),
            finish: None,
            has_begun: false,
            stopped: false,
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
        self.blocks.open(block, index);
        match word(block, "type") {
            Some("text") => self.say(word(block, "text").unwrap_or_default(), out),
            Some("thinking") => self.think(word(block, "thinking").unwrap_or_default(), out),
            Some("tool_use") => self.has_begun = true,
            _ => {}
        }
    }

    fn delta(&mut self, delta: &Value, index: Option<u64>, out: &mut Out) {
        let text = |member: &str| word(delta, member).unwrap_or_default();
        match text("type") {
            "text_delta" => {
                self.blocks.say(text("text").len(), index);
                self.say(text("text"), out);
            }
            "thinking_delta" => {
                self.blocks.think(text("thinking"), index);
                self.think(text("thinking"), out);
            }
            "signature_delta" => self.blocks.sign(text("signature"), index),
            "input_json_delta" => self.blocks.argue(text("partial_json"), index),
            _ => {}
        }
    }

    fn say(&mut self, words: &str, out: &mut Out) {
        if !words.is_empty() {
            self.has_begun = true;
            self.content.push(words, out);
        }
    }

    fn think(&mut self, thought: &str, out: &mut Out) {
        if !thought.is_empty() {
            self.has_begun = true;
            self.content.reasoning_shows();
            out.push_back(ModelEvent::Reasoning(thought.to_owned()));
        }
    }

    /// Later counts replace earlier ones; a count that is left out, or nothing, stays.
    fn count(&mut self, usage: Option<&Value>) {
        let number = |member: &str| usage?.get(member)?.as_u64();
        let fresh = number("input_tokens").unwrap_or(0);
        let cached = number("cache_read_input_tokens").unwrap_or(0);
        let written = number("cache_creation_input_tokens").unwrap_or(0);
        let input = fresh.saturating_add(cached).saturating_add(written);
        if input > 0 {
            self.usage.input_tokens = input;
            self.usage.cached_tokens = cached;
            self.usage.cache_written_tokens = written;
        }
        self.usage.cost = usage.and_then(price::reported).or(self.usage.cost);
        if let Some(output) = number("output_tokens") {
            self.usage.output_tokens = output;
        }
    }

    fn give_usage(&mut self, out: &mut Out) {
        let usage = std::mem::take(&mut self.usage);
        if usage != Usage::default() {
            out.push_back(ModelEvent::Usage(usage));
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
            self.blocks.say_on(words.len());
            self.say(&words, out);
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
        // A stop reason is as good as the last event: some relays leave that one out.
        if !self.stopped && self.finish.is_none() {
            self.content.flush(out);
            self.give_usage(out);
            return Err(failure::stream_cut());
        }
        let mut calls = Assembly::default();
        for fragment in self.blocks.calls() {
            calls.push(fragment);
        }
        let calls = calls.finish(&mut self.ids);
        let calls = self.content.close(self.finish, calls, &mut self.ids, out);
        self.give_usage(out);
        let outline = std::mem::take(&mut self.blocks).outline().into_value();
        out.extend(outline.map(|outline| ModelEvent::Echo(self.maker.seal(outline))));
        answer::conclude(self.finish, calls, out);
        Ok(())
    }

    fn flush(&mut self, out: &mut Out) {
        self.content.flush(out);
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
