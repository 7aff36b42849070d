//! Reads the object that a model meant from what it wrote instead of JSON.
//!
//! Every slip that is mended here leaves no doubt about what was meant: a comma too many or too
//! few, Python's or curly quotes, a comment, a fence or words around the object. What leaves
//! doubt is refused with its place, so that the model writes it again: text that breaks off inside
//! a value, two objects, an ellipsis. Nothing is ever emptied. Time is linear in the text.

mod quoted;
mod reader;
mod word;

use serde_json::{Map, Value};

use self::reader::{Inside, Reader};

/// Why a text can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// There is no object in it.
    #[error("hold no JSON object")]
    NoObject,
    /// It ends inside a value.
    #[error("break off before they are complete")]
    BrokenOff,
    /// More than one object.
    #[error("hold more than one object")]
    Several,
    /// It is nested without end.
    #[error("are nested too deeply")]
    TooDeep,
    /// Something else stands where a value or a key must.
    #[error("can't be read from {0:?} on")]
    Unreadable(String),
}

/// The object in a text.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, Fault> {
    let text = text.trim();
    if let Ok(Value::String(inner)) = serde_json::from_str(text) {
        return bare_object(inner.trim());
    }
    bare_object(text)
}

fn bare_object(text: &str) -> Result<Map<String, Value>, Fault> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => return Ok(object),
        // JSON, and yet no object.
        Ok(_) => return Err(Fault::NoObject),
        Err(_) => {}
    }
    let start = text.find('{').ok_or(Fault::NoObject)?;
    let mut reader = Reader::of(text.get(start..).unwrap_or_default());
    let value = reader.value(0, Inside::Object)?;
    if reader.rest().contains('{') {
        return Err(Fault::Several);
    }
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(Fault::NoObject),
    }
}

/// Any value written so, for a text that the schema says is an object or a list.
pub(super) fn value(text: &str) -> Result<Value, Fault> {
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(value);
    }
    let mut reader = Reader::of(text.trim());
    let value = reader.value(0, Inside::List)?;
    reader.skip_blank();
    if reader.rest().is_empty() {
        Ok(value)
    } else {
        Err(reader.unreadable())
    }
}

#[cfg(test)]
mod tests;
