//! Streams by subject; what builds a stream and reads it stands here.

mod call;
mod end;
mod reasoning;
mod shape;

use serde_json::{Value, json};
use talaria_domain::{
    ErrorCode, FinishReason, ModelEvent, ModelName, ModelRequest, ServiceFailure, ToolChoice,
    ToolSpec, Usage,
};

use super::Reader;
use crate::answer::{Ending, Out, Reader as _};
use crate::printed_calls::Offer;
use crate::sse::Parser;
use crate::tool_calls::Ids;

/// What a stream came to.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    text: String,
    reasoning: String,
    calls: Vec<(String, Value)>,
    usage: Option<Usage>,
    end: Option<Result<FinishReason, ErrorCode>>,
}

fn outcome(events: Out, end: Result<(), ServiceFailure>) -> Outcome {
    let mut outcome = Outcome::default();
    for event in events {
        assert_eq!(outcome.end, None, "nothing follows the terminal event");
        match event {
            ModelEvent::Text(text) => outcome.text.push_str(&text),
            ModelEvent::Reasoning(text) => outcome.reasoning.push_str(&text),
            ModelEvent::WasReasoning => outcome.reasoning = std::mem::take(&mut outcome.text),
            ModelEvent::ToolCall(call) => outcome.calls.push((call.name, call.arguments)),
            ModelEvent::Echo(_) | ModelEvent::Notice(_) => {}
            ModelEvent::Usage(usage) => outcome.usage = Some(usage),
            ModelEvent::Finished(reason) => outcome.end = Some(Ok(reason)),
        }
    }
    if let Err(failure) = end {
        assert_eq!(outcome.end, None, "a stream ends once");
        outcome.end = Some(Err(failure.code));
    }
    outcome
}

fn read_bytes(stream: &str) -> Outcome {
    read_with(stream, Reader::new("h", Ids::default(), Offer::default()))
}

fn read_with(stream: &str, mut reader: Reader) -> Outcome {
    let mut out = Out::new();
    let mut parser = Parser::default();
    let mut rest = stream.as_bytes();
    let mut end = Ok(());
    while let Some(event) = parser.next(&mut rest).expect("the stream is small") {
        end = reader.event(&event, &mut out);
        if end.is_err() || reader.ending() == Ending::Over {
            break;
        }
    }
    let end = end.and_then(|()| reader.end(&mut out));
    outcome(out, end)
}

fn stream_of(chunks: &[Value]) -> String {
    chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\n\n"))
        .collect()
}

fn read(chunks: &[Value]) -> Outcome {
    read_bytes(&stream_of(chunks))
}

/// Reads the answer to a request that offered a tool named `now`.
fn read_offered(chunks: &[Value]) -> Outcome {
    let now = ToolSpec {
        name: "now".to_owned(),
        description: String::new(),
        parameters: json!({"type": "object", "properties": {"zone": {"type": "string"}}}),
    };
    let offer = Offer::of(&ModelRequest {
        model: ModelName::new("m").unwrap(),
        messages: Vec::new(),
        tools: vec![now],
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    });
    let reader = Reader::new("h", Ids::default(), offer);
    read_with(&stream_of(chunks), reader)
}

fn delta(delta: &Value) -> Value {
    json!({"id": "x", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn text(text: &str) -> Value {
    delta(&json!({"content": text}))
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn stopped(text: &str) -> Outcome {
    Outcome {
        text: text.to_owned(),
        end: Some(Ok(FinishReason::Stop)),
        ..Outcome::default()
    }
}

fn failed(text: &str, code: ErrorCode) -> Outcome {
    Outcome {
        text: text.to_owned(),
        end: Some(Err(code)),
        ..Outcome::default()
    }
}
