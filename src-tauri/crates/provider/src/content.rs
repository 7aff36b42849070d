//! The content of one answer, told apart: its text, reasoning between tags, calls printed as text.
//!
//! The readers of the protocols push what a service calls content through here, in the order in
//! which it came. Reasoning is taken out first and never searched for calls.

use talaria_domain::{FinishReason, ModelEvent, ToolCall};

use crate::answer::Out;
use crate::printed_calls::{End, Finder, Offer, Printed};
use crate::think::{Part, Splitter};
use crate::tool_calls::Ids;

/// Tells the content of one answer apart.
#[derive(Debug)]
pub(crate) struct Content {
    splitter: Splitter,
    finder: Finder,
}

impl Content {
    /// For the answer to a request that made this offer.
    pub(crate) fn new(offer: Offer) -> Self {
        Self {
            splitter: Splitter::default(),
            finder: Finder::new(offer),
        }
    }

    /// Takes more of the content.
    pub(crate) fn push(&mut self, piece: &str, out: &mut Out) {
        if self.splitter.is_plain() {
            self.finder.push(piece, out);
            return;
        }
        for part in self.splitter.push(piece) {
            self.part(part, out);
        }
    }

    /// The service told the reasoning apart itself.
    pub(crate) fn reasoning_shows(&mut self) {
        self.finder.reasoning_shows();
    }

    fn finish(&mut self, end: End, out: &mut Out) -> Vec<Printed> {
        if let Some(part) = self.splitter.finish() {
            self.part(part, out);
        }
        self.finder.finish(end, out)
    }

    /// The answer is complete: gives what was held back. The calls are those of the service or,
    /// if it gave none, those that were printed.
    pub(crate) fn close(
        &mut self,
        finish: Option<FinishReason>,
        mut calls: Vec<ToolCall>,
        ids: &mut Ids,
        out: &mut Out,
    ) -> Vec<ToolCall> {
        let end = match finish {
            Some(FinishReason::Length | FinishReason::ContentFilter) => End::Cut,
            _ if calls.is_empty() => End::Complete,
            _ => End::Called,
        };
        calls.extend(self.finish(end, out).into_iter().map(|call| ToolCall {
            id: ids.take(call.id),
            name: call.name,
            arguments: call.arguments,
            echo: None,
            recovered: true,
        }));
        calls
    }

    /// The answer broke off: gives what was held back.
    pub(crate) fn flush(&mut self, out: &mut Out) {
        self.finish(End::Cut, out);
    }

    fn part(&mut self, part: Part, out: &mut Out) {
        match part {
            Part::Text(text) => self.finder.push(&text, out),
            Part::Reasoning(text) => {
                self.finder.reasoning_shows();
                out.push_back(ModelEvent::Reasoning(text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use talaria_domain::{FinishReason, ModelEvent, ModelName, ModelRequest, ToolChoice, ToolSpec};

    use super::Content;
    use crate::answer::Out;
    use crate::printed_calls::Offer;
    use crate::tool_calls::Ids;

    fn offer() -> Offer {
        let find = ToolSpec {
            name: "find".to_owned(),
            description: String::new(),
            parameters: json!({"type": "object", "properties": {"word": {"type": "string"}}}),
        };
        Offer::of(&ModelRequest {
            model: ModelName::new("m").unwrap(),
            messages: Vec::new(),
            tools: vec![find],
            tool_choice: ToolChoice::Auto,
            max_output_tokens: None,
        })
    }

    /// The reasoning, the text and the arguments of the calls.
    fn read<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, String, Vec<Value>) {
        let mut content = Content::new(offer());
        let mut out = Out::new();
        for piece in pieces {
            content.push(piece, &mut out);
        }
        let reason = Some(FinishReason::Stop);
        let calls = content.close(reason, Vec::new(), &mut Ids::default(), &mut out);
        assert!(
            calls
                .iter()
                .all(|call| call.recovered && !call.id.is_empty())
        );
        let (mut reasoning, mut text) = (String::new(), String::new());
        for event in out {
            match event {
                ModelEvent::Text(piece) => text.push_str(&piece),
                ModelEvent::Reasoning(piece) => reasoning.push_str(&piece),
                ModelEvent::WasReasoning => reasoning = std::mem::take(&mut text),
                other => panic!("{other:?} is no content"),
            }
        }
        let calls = calls.into_iter().map(|call| call.arguments);
        (reasoning, text, calls.collect())
    }

    #[test]
    fn reasoning_words_and_calls_of_one_answer_are_told_apart_wherever_it_is_cut() {
        let oak = vec![json!({"word": "oak"})];
        let cases = [
            (
                "<think>Hm.</think>\n\nSo.\n<tool_call>\n{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}\n</tool_call>",
                ("Hm.", "So."),
            ),
            (
                "Hm.\n</think>\n\n<function=find><parameter=word>oak</parameter></function>",
                ("Hm.\n", ""),
            ),
            (
                "<think>Hm.</think>\n{\"name\":\"find\",\"arguments\":{\"word\":\"oak\"}}",
                ("Hm.", ""),
            ),
            (
                "[THINK]Hm.[/THINK][TOOL_CALLS]find[ARGS]{\"word\":\"oak\"}",
                ("Hm.", ""),
            ),
            (
                "<|channel>thought\nHm.<channel|><|tool_call>call:find{word:<|\"|>oak<|\"|>}<tool_call|>",
                ("\nHm.", ""),
            ),
            (
                "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.find <|constrain|>json<|message|>{\"word\":\"oak\"}<|call|>",
                ("Hm.", ""),
            ),
        ];
        for (answer, (reasoning, text)) in cases {
            let expected = (reasoning.to_owned(), text.to_owned(), oak.clone());
            for (cut, _) in answer.char_indices() {
                let (left, right) = answer.split_at(cut);
                assert_eq!(read([left, right]), expected, "{answer} cut at {cut}");
            }
        }
    }

    #[test]
    fn a_call_between_the_tags_of_reasoning_is_left_alone() {
        let call = "<tool_call>{\"name\":\"find\",\"arguments\":{}}</tool_call>";
        let (reasoning, text, calls) = read([&*format!("<think>{call}</think>No.")]);
        assert_eq!((reasoning.as_str(), text.as_str()), (call, "No."));
        assert_eq!(calls, Vec::<Value>::new());
    }
}
