//! What a scripted service says to one request.

use std::time::Duration;

use serde_json::{Value, json};

/// One thing a streamed answer does.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A piece of text arrives.
    Text(String),
    /// A piece of reasoning arrives.
    Reasoning(String),
    /// A tool is called. Its arguments arrive in two pieces.
    Call {
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Value,
    },
    /// Nothing arrives for a while.
    Wait(Duration),
    /// The connection breaks: no finish reason, no end mark.
    Cut,
}

/// The answer to one request: a stream of steps, or an error body.
#[derive(Clone, Debug, PartialEq)]
pub enum Round {
    /// A streamed answer.
    Answer(Vec<Step>),
    /// An error with a status and a JSON body.
    Error {
        /// The HTTP status.
        status: u16,
        /// The body.
        body: Value,
    },
}

impl Round {
    /// An answer of plain text, in the pieces given.
    pub fn text<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Answer(
            pieces
                .into_iter()
                .map(|piece| Step::Text(piece.to_owned()))
                .collect(),
        )
    }

    /// An answer that calls one tool.
    #[must_use]
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::Answer(vec![Step::Call {
            name: name.to_owned(),
            arguments,
        }])
    }

    /// An error in the form most services use.
    #[must_use]
    pub fn error(status: u16, code: &str, message: &str) -> Self {
        Self::Error {
            status,
            body: json!({"error": {"code": code, "message": message}}),
        }
    }
}

/// The data of the events that one step sends.
pub(crate) fn events(step: &Step, call_index: usize) -> Vec<Value> {
    match step {
        Step::Text(text) => vec![delta(&json!({"content": text}))],
        Step::Reasoning(text) => vec![delta(&json!({"reasoning_content": text}))],
        Step::Call { name, arguments } => {
            let arguments = arguments.to_string();
            let middle = arguments.char_indices().nth(arguments.chars().count() / 2);
            let (head, tail) = arguments.split_at(middle.map_or(0, |(at, _)| at));
            let id = format!("call_{}", call_index + 1);
            let piece = |function: Value| {
                delta(&json!({"tool_calls": [
                    {"index": call_index, "id": id, "type": "function", "function": function}
                ]}))
            };
            vec![
                piece(json!({"name": name, "arguments": head})),
                delta(&json!({"tool_calls": [
                    {"index": call_index, "function": {"arguments": tail}}
                ]})),
            ]
        }
        Step::Wait(_) | Step::Cut => Vec::new(),
    }
}

/// The last events of an answer that ends as it should.
pub(crate) fn closing_events(calls: usize) -> [Value; 2] {
    let reason = if calls > 0 { "tool_calls" } else { "stop" };
    let mut finish = delta(&json!({}));
    if let Some(choice) = finish.pointer_mut("/choices/0/finish_reason") {
        *choice = json!(reason);
    }
    let usage = json!({"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30});
    [finish, chunk(&json!([]), &usage)]
}

fn delta(delta: &Value) -> Value {
    let choices = json!([{"index": 0, "delta": delta, "finish_reason": null}]);
    chunk(&choices, &Value::Null)
}

fn chunk(choices: &Value, usage: &Value) -> Value {
    json!({
        "id": "scripted",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "scripted",
        "choices": choices,
        "usage": usage,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Round, Step, closing_events, events};

    #[test]
    fn arguments_arrive_in_two_pieces_that_join_to_json() {
        let call = Step::Call {
            name: "save_note".into(),
            arguments: json!({"title": "会议"}),
        };
        let pieces = events(&call, 0);
        let joined: String = pieces
            .iter()
            .filter_map(|event| {
                event
                    .pointer("/choices/0/delta/tool_calls/0/function/arguments")?
                    .as_str()
            })
            .collect();
        assert_eq!(pieces.len(), 2);
        assert_eq!(joined, json!({"title": "会议"}).to_string());
    }

    #[test]
    fn the_finish_reason_tells_whether_tools_were_called() {
        for (calls, reason) in [(0, "stop"), (2, "tool_calls")] {
            let [finish, _] = closing_events(calls);
            assert_eq!(
                finish.pointer("/choices/0/finish_reason"),
                Some(&json!(reason))
            );
        }
    }

    #[test]
    fn an_error_has_the_usual_body() {
        let Round::Error { status, body } = Round::error(429, "rate_limit", "slow down") else {
            panic!("not an error");
        };
        assert_eq!(status, 429);
        assert_eq!(body.pointer("/error/message"), Some(&json!("slow down")));
    }
}
