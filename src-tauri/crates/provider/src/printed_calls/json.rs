//! Calls printed as JSON: one object a call, in the shapes that models know from their training.
//!
//! It reads key by key, so that an object that can't be a call is given up at its first wrong key
//! or name instead of at its end.

use serde_json::{Map, Value};

use super::Printed;
use super::cursor::{Cursor, Stop};
use super::literal;
use super::offer::{Offer, Offered};
use crate::arguments;

/// The members that say which tool; `function` may hold a whole call too.
const NAMES: [&str; 4] = ["name", "tool_name", "tool", "function"];
const ARGUMENTS: [&str; 3] = ["arguments", "parameters", "args"];
const IDS: [&str; 3] = ["id", "call_id", "tool_call_id"];

/// Reads one call, an object.
pub(super) fn call(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Printed, Stop> {
    let start = cursor.at();
    cursor.expect("{")?;
    cursor.space();
    let object = if cursor.peek()? == Some('\'') {
        literal::members(cursor)?
    } else {
        members(cursor, offer)?;
        one_object(cursor.since(start)).ok_or(cursor.no())?
    };
    printed(&object, offer, cursor.is_bare()).ok_or(cursor.no())
}

/// Reads an object of arguments.
pub(super) fn arguments(cursor: &mut Cursor<'_>) -> Result<Map<String, Value>, Stop> {
    let start = cursor.at();
    if cursor.peek()? != Some('{') {
        return Err(cursor.no());
    }
    brackets(cursor)?;
    one_object(cursor.since(start)).ok_or(cursor.no())
}

/// Makes a call of arguments that fit.
pub(super) fn fitted(
    tool: &Offered,
    arguments: Map<String, Value>,
    id: Option<&str>,
) -> Option<Printed> {
    Some(Printed {
        id: id.filter(|id| !id.is_empty()).map(str::to_owned),
        name: tool.name.clone(),
        arguments: tool.fit(arguments)?,
    })
}

/// Reads over the members of a call, behind its opening bracket.
fn members(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<(), Stop> {
    loop {
        cursor.space();
        if cursor.take("}")? {
            return Ok(());
        }
        let key = string(cursor)?;
        let is_name = NAMES.contains(&key);
        if !is_name && !ARGUMENTS.contains(&key) && !IDS.contains(&key) && key != "type" {
            return Err(cursor.no());
        }
        cursor.space();
        cursor.expect(":")?;
        cursor.space();
        match cursor.peek()? {
            Some('"') if is_name => {
                cursor.expect("\"")?;
                cursor.tool(offer)?;
                cursor.expect("\"")?;
            }
            _ => value(cursor)?,
        }
        cursor.space();
        if cursor.peek()? != Some('}') {
            cursor.expect(",")?;
        }
    }
}

fn value(cursor: &mut Cursor<'_>) -> Result<(), Stop> {
    match cursor.peek()? {
        Some('"') => string(cursor).map(|_| ()),
        Some('{' | '[') => brackets(cursor),
        Some(first) if first.is_ascii_alphanumeric() || first == '-' => {
            let ends = |next: char| next.is_whitespace() || matches!(next, ',' | '}' | ']');
            cursor.word(|next| !ends(next)).map(|_| ())
        }
        _ => Err(cursor.no()),
    }
}

/// Reads a string and gives what stands between its quotes.
fn string<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Stop> {
    cursor.expect("\"")?;
    let start = cursor.at();
    let mut escaped = false;
    cursor.word(|character| {
        let goes_on = character != '"' || escaped;
        escaped = character == '\\' && !escaped;
        goes_on
    })?;
    let inside = cursor.since(start);
    cursor.expect("\"")?;
    Ok(inside)
}

/// Reads a bracket with all it holds.
fn brackets(cursor: &mut Cursor<'_>) -> Result<(), Stop> {
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    cursor.word(|character| {
        match character {
            '"' if !escaped => inside = !inside,
            '{' | '[' if !inside => depth += 1,
            '}' | ']' if !inside => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = inside && character == '\\' && !escaped;
        depth > 0
    })?;
    // The last bracket is the one that ended the word.
    cursor.next()?.map(|_| ()).ok_or(cursor.no())
}

fn one_object(text: &str) -> Option<Map<String, Value>> {
    match arguments::read(text).pop()? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// The call that an object describes. Behind a mark it may leave out arguments that are none.
fn printed(object: &Map<String, Value>, offer: &Offer, is_bare: bool) -> Option<Printed> {
    let inner = object.get("function").and_then(Value::as_object);
    let described = inner.unwrap_or(object);
    let name = NAMES
        .iter()
        .find_map(|member| described.get(*member)?.as_str())?;
    let tool = offer.named(name)?;
    let arguments = ARGUMENTS.iter().find_map(|member| described.get(*member));
    let arguments = match arguments {
        None if is_bare => return None,
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(Value::String(text)) => match arguments::read(text).as_slice() {
            [Value::Object(arguments)] => arguments.clone(),
            _ => return None,
        },
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_)) => return None,
    };
    let id = IDS.iter().find_map(|member| object.get(*member)?.as_str());
    fitted(tool, arguments, id)
}
