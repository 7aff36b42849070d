//! Server-sent events, parsed piece by piece as they come off the network.
//!
//! Follows the WHATWG rules with two differences, both for streams cut short by a careless
//! server: an event that only has a name is given too, and the end of the stream ends the last
//! event. Whether such a last event is whole is for its reader to judge. Used by `answer`.

/// A line, or the data of one event, may be this long; a larger one is a fault of the service.
const LONGEST: usize = 64 * 1024 * 1024;

/// The byte-order mark a stream may begin with.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// What `event:` said; empty if nothing.
    pub(crate) name: String,
    /// The `data:` lines, joined by line feeds.
    pub(crate) data: String,
}

/// The service sends a line or an event beyond every measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("one event of the stream is larger than 64 MiB")]
pub(crate) struct TooLong;

/// The parser. The same bytes give the same events, however they are cut into pieces.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    line: Vec<u8>,
    /// The last byte was a carriage return, so a line feed now belongs to it.
    after_return: bool,
    /// The first line is behind, and with it the only place for a byte-order mark.
    begun: bool,
    name: Option<String>,
    data: Option<String>,
}

impl Parser {
    /// Takes the next bytes and gives the events they complete.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                bytes = bytes.get(1..).unwrap_or_default();
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            if self.line.len().saturating_add(part.len()) > LONGEST {
                return Err(TooLong);
            }
            self.line.extend_from_slice(part);
            if let Some((ending, rest)) = rest.split_first() {
                self.after_return = *ending == b'\r';
                events.extend(self.end_line()?);
                bytes = rest;
            } else {
                bytes = rest;
            }
        }
        Ok(events)
    }

    /// The stream is over: gives the event that was under way, if there was one.
    pub(crate) fn finish(mut self) -> Result<Option<Event>, TooLong> {
        if !self.line.is_empty() {
            self.end_line()?;
        }
        Ok(self.dispatch())
    }

    fn end_line(&mut self) -> Result<Option<Event>, TooLong> {
        let mut bytes = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.begun, true) && bytes.starts_with(BOM) {
            bytes.drain(..BOM.len());
        }
        if bytes.is_empty() {
            return Ok(self.dispatch());
        }
        let line = String::from_utf8_lossy(&bytes);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = Some(value.to_owned()),
            "data" => self.add_data(value)?,
            // A comment has an empty field name; ids and retry times mean nothing to a model.
            _ => {}
        }
        Ok(None)
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

    fn dispatch(&mut self) -> Option<Event> {
        let (name, data) = (self.name.take(), self.data.take());
        (name.is_some() || data.is_some()).then(|| Event {
            name: name.unwrap_or_default(),
            data: data.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests;
