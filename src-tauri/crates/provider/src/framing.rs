//! How the body of an answer is framed: as events, as lines of JSON, or as one whole.
//!
//! The first bytes decide, since content types lie. The same bytes give the same events, however
//! they are cut into pieces. Used by `answer`.

use std::ops::ControlFlow;

use serde::de::IgnoredAny;
use serde_json::Value;
use talaria_domain::ServiceFailure;

use crate::failure;
use crate::sse::{Event, Parser, TooLong};

/// A body that comes in one piece, or one of its lines, may be this long.
const LONGEST: usize = 64 * 1024 * 1024;

/// How much of a body is kept until it has shown that it is a stream of events.
const LONGEST_START: usize = 8 * 1024;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What is done with each event. A break asks for no more.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&Event<'_>) -> Result<ControlFlow<()>, ServiceFailure>;

/// The framing, as far as it is known.
#[derive(Debug)]
pub(crate) enum Framing {
    /// Only white space came so far.
    Unknown(Vec<u8>),
    /// Server-sent events. The start of the body is kept until the first event: without any, it
    /// may be an error in plain words.
    Events {
        parser: Parser,
        start: Option<Vec<u8>>,
    },
    /// A JSON value on each line.
    Lines(Vec<u8>),
    /// One JSON value, or a web page: kept until the end.
    Whole { body: Vec<u8>, opening: Opening },
}

/// What the first line of a whole body says about its framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// It has not ended yet.
    Open,
    /// It is a value of a kind that streams consist of: any more lines are such values too.
    Line,
    /// It says nothing.
    Whole,
}

impl Default for Framing {
    fn default() -> Self {
        Self::Unknown(Vec::new())
    }
}

impl Framing {
    /// Takes the next piece and gives the events it completes.
    pub(crate) fn take(
        &mut self,
        bytes: &[u8],
        each: Each<'_>,
    ) -> Result<ControlFlow<()>, ServiceFailure> {
        match self {
            Self::Unknown(before) => {
                before.extend_from_slice(bytes);
                let Some(first) = first_sign(before) else {
                    return Ok(ControlFlow::Continue(()));
                };
                let before = std::mem::take(before);
                *self = if matches!(first, b'{' | b'[' | b'<') {
                    Self::Whole {
                        body: Vec::new(),
                        opening: Opening::Open,
                    }
                } else {
                    Self::Events {
                        parser: Parser::default(),
                        start: Some(Vec::new()),
                    }
                };
                self.take(&before, each)
            }
            Self::Events { parser, start } => {
                let mut rest = bytes;
                while let Some(event) = parser.next(&mut rest).map_err(too_long)? {
                    *start = None;
                    if each(&event)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                if let Some(start) = start.as_mut().filter(|kept| kept.len() < LONGEST_START) {
                    start.extend_from_slice(bytes.get(..LONGEST_START).unwrap_or(bytes));
                }
                Ok(ControlFlow::Continue(()))
            }
            Self::Lines(line) => lines(line, bytes, each),
            Self::Whole { body, opening } => {
                extend(body, bytes)?;
                if *opening == Opening::Open {
                    *opening = opening_of(body);
                }
                if *opening == Opening::Line && has_second_line(body) {
                    let body = std::mem::take(body);
                    *self = Self::Lines(Vec::new());
                    return self.take(&body, each);
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// The body is over: gives the last event, if it is whole, and what is no stream.
    pub(crate) fn close(self, each: Each<'_>) -> Result<Option<Vec<u8>>, ServiceFailure> {
        match self {
            Self::Unknown(_) => Ok(None),
            Self::Events { mut parser, start } => {
                let last = parser.finish().map_err(too_long)?;
                // An event without its blank line counts if it is whole; else it was cut.
                match last.filter(|event| is_whole(event.data)) {
                    Some(event) => each(&event).map(|_| None),
                    None => Ok(start.filter(|start| is_prose(start))),
                }
            }
            Self::Lines(line) => {
                let data = String::from_utf8_lossy(&line);
                if data.trim().is_empty() || !is_whole(&data) {
                    return Ok(None);
                }
                each(&line_event(&data)).map(|_| None)
            }
            Self::Whole { body, .. } => Ok(Some(body)),
        }
    }
}

fn lines(
    line: &mut Vec<u8>,
    mut bytes: &[u8],
    each: Each<'_>,
) -> Result<ControlFlow<()>, ServiceFailure> {
    while let Some(end) = memchr::memchr(b'\n', bytes) {
        let (part, rest) = bytes.split_at(end);
        extend(line, part)?;
        bytes = rest.get(1..).unwrap_or_default();
        let whole = std::mem::take(line);
        let data = String::from_utf8_lossy(&whole);
        if !data.trim().is_empty() && each(&line_event(&data))?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    extend(line, bytes)?;
    Ok(ControlFlow::Continue(()))
}

fn line_event(data: &str) -> Event<'_> {
    Event { name: "", data }
}

fn extend(body: &mut Vec<u8>, bytes: &[u8]) -> Result<(), ServiceFailure> {
    if body.len().saturating_add(bytes.len()) > LONGEST {
        return Err(too_long(TooLong));
    }
    body.extend_from_slice(bytes);
    Ok(())
}

fn opening_of(body: &[u8]) -> Opening {
    let Some(end) = memchr::memchr(b'\n', body) else {
        return Opening::Open;
    };
    let line = without_bom(body.get(..end).unwrap_or_default());
    if line.trim_ascii().is_empty() {
        return Opening::Whole;
    }
    let streamed = ["choices", "message", "response", "error", "type"];
    match serde_json::from_slice::<Value>(line) {
        Ok(Value::Object(members)) if streamed.iter().any(|name| members.contains_key(*name)) => {
            Opening::Line
        }
        _ => Opening::Whole,
    }
}

fn has_second_line(body: &[u8]) -> bool {
    memchr::memchr(b'\n', body)
        .and_then(|end| body.get(end..))
        .is_some_and(|rest| !rest.trim_ascii().is_empty())
}

/// The first byte that says something.
fn first_sign(bytes: &[u8]) -> Option<u8> {
    without_bom(bytes).trim_ascii_start().first().copied()
}

fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// Whether a body without events holds more than comments and the fields of events.
fn is_prose(body: &[u8]) -> bool {
    let fields: [&[u8]; 5] = [b":", b"data", b"event", b"id", b"retry"];
    without_bom(body)
        .split(|byte| matches!(byte, b'\r' | b'\n'))
        .map(<[u8]>::trim_ascii)
        .any(|line| !line.is_empty() && !fields.iter().any(|field| line.starts_with(field)))
}

fn is_whole(data: &str) -> bool {
    let whole = |data: &str| {
        let data = data.trim();
        let json = serde_json::from_str::<IgnoredAny>;
        data.is_empty() || data == "[DONE]" || json(data).is_ok()
    };
    whole(data) || data.lines().all(whole)
}

fn too_long(error: TooLong) -> ServiceFailure {
    failure::bad_response(&error.to_string())
}

#[cfg(test)]
mod tests;
