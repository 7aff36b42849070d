//! Server-sent events, parsed piece by piece as they come off the network.
//!
//! Follows the WHATWG rules with two differences, both for streams cut short by a careless
//! server: an event that only has a name is given too, and the end of the stream ends the last
//! event. Whether such a last event is whole is for its reader to judge. Used by `answer`.

use std::borrow::Cow;

use memchr::memchr2;

/// A line, or the data of one event, may be this long; a larger one is a fault of the service.
const LONGEST: usize = 64 * 1024 * 1024;

/// The byte-order mark a stream may begin with.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event<'a> {
    /// What `event:` said; empty if nothing.
    pub(crate) name: &'a str,
    /// The `data:` lines, joined by line feeds.
    pub(crate) data: &'a str,
}

/// The service sends a line or an event beyond every measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("one event of the stream is larger than 64 MiB")]
pub(crate) struct TooLong;

/// The parser. The same bytes give the same events, however they are cut into pieces.
///
/// An event that lies whole in one piece is lent from there; any other is put together here.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    line: Vec<u8>,
    /// The last byte was a carriage return, so a line feed now belongs to it.
    after_return: bool,
    /// The first line is behind, and with it the only place for a byte-order mark.
    begun: bool,
    name: Option<String>,
    data: Option<String>,
    /// The event that is lent out.
    given: (String, String),
}

impl Parser {
    /// The next event that `bytes` complete; takes from them what it has used, which is all of
    /// them once there is no event left.
    pub(crate) fn next<'p, 'b: 'p>(
        &'p mut self,
        bytes: &mut &'b [u8],
    ) -> Result<Option<Event<'p>>, TooLong> {
        if self.is_between_events()
            && let Some((event, rest)) = usual(bytes)
        {
            *bytes = rest;
            self.begun = true;
            self.after_return = false;
            return Ok(Some(event));
        }
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                *bytes = bytes.get(1..).unwrap_or_default();
                continue;
            }
            let end = memchr2(b'\r', b'\n', bytes);
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            if self.line.len().saturating_add(part.len()) > LONGEST {
                return Err(TooLong);
            }
            self.line.extend_from_slice(part);
            *bytes = rest;
            if let Some((ending, rest)) = rest.split_first() {
                *bytes = rest;
                self.after_return = *ending == b'\r';
                if self.end_line()? {
                    return Ok(Some(self.lend()));
                }
            }
        }
        Ok(None)
    }

    /// The stream is over: gives the event that was under way, if there was one.
    pub(crate) fn finish(&mut self) -> Result<Option<Event<'_>>, TooLong> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        Ok(self.dispatch().then(|| self.lend()))
    }

    fn is_between_events(&self) -> bool {
        self.line.is_empty() && self.name.is_none() && self.data.is_none()
    }

    /// Takes the line that has ended; says whether it ended an event.
    fn end_line(&mut self) -> Result<bool, TooLong> {
        let mut bytes = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.begun, true) && bytes.starts_with(BOM) {
            bytes.drain(..BOM.len());
        }
        if bytes.is_empty() {
            return Ok(self.dispatch());
        }
        // What is text, as nearly everything is, is known to be so much sooner than it is mended.
        let line = std::str::from_utf8(&bytes)
            .map_or_else(|_| String::from_utf8_lossy(&bytes), Cow::Borrowed);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = Some(value.to_owned()),
            "data" => self.add_data(value)?,
            // A comment has an empty field name; ids and retry times mean nothing to a model.
            _ => {}
        }
        Ok(false)
    }

    fn add_data(&mut self, value: &str) -> Result<(), TooLong> {
        match &mut self.data {
            None => self.data = Some(value.to_owned()),
            Some(data) if data.len().saturating_add(value.len()) > LONGEST => return Err(TooLong),
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
        }
        Ok(())
    }

    fn dispatch(&mut self) -> bool {
        let (name, data) = (self.name.take(), self.data.take());
        let is_event = name.is_some() || data.is_some();
        self.given = (name.unwrap_or_default(), data.unwrap_or_default());
        is_event
    }

    fn lend(&self) -> Event<'_> {
        let (name, data) = &self.given;
        Event { name, data }
    }
}

/// An event as nearly all of them come: at most a name, then one line of data, all in one piece.
fn usual(bytes: &[u8]) -> Option<(Event<'_>, &[u8])> {
    let (name, bytes) = match bytes.strip_prefix(b"event:") {
        Some(rest) => usual_line(rest)?,
        None => ("", bytes),
    };
    let (data, bytes) = usual_line(bytes.strip_prefix(b"data:")?)?;
    Some((Event { name, data }, line_end(bytes)?))
}

/// The value of a line whose end is there, and what follows it.
fn usual_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (line, rest) = bytes.split_at(memchr2(b'\r', b'\n', bytes)?);
    if line.len() > LONGEST {
        return None;
    }
    let line = std::str::from_utf8(line).ok()?;
    Some((line.strip_prefix(' ').unwrap_or(line), line_end(rest)?))
}

/// What follows a line end. A lone carriage return may yet be half of one.
fn line_end(bytes: &[u8]) -> Option<&[u8]> {
    bytes
        .strip_prefix(b"\n")
        .or_else(|| bytes.strip_prefix(b"\r\n"))
}

#[cfg(test)]
mod tests;
