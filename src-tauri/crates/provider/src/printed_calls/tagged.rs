//! Calls printed with tags, where each argument stands in tags of its own.
//!
//! The values are text: the tool's schema says what they mean.

use serde_json::{Map, Value};

use super::Printed;
use super::cursor::{Cursor, Stop};
use super::offer::{Offer, Offered};
use super::{form, json};

/// What a tag's name may begin with: nothing, or DeepSeek's mark.
const PREFIXES: [&str; 3] = ["", "｜DSML｜", "|DSML|"];

/// Reads a call that begins with a tag.
pub(super) fn call(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Printed, Stop> {
    if cursor.take("<function=")? {
        return function(cursor, offer);
    }
    for prefix in PREFIXES {
        if cursor.take(&format!("<{prefix}invoke name="))? {
            return invoke(cursor, offer, prefix);
        }
    }
    if cursor.take("<｜tool▁call▁begin｜>")? {
        return deepseek(cursor, offer);
    }
    if cursor.take("<|tool_call_begin|>")? {
        return kimi(cursor, offer);
    }
    // A second mark around the call.
    cursor.expect("<tool_call>")?;
    cursor.space();
    let found = match cursor.peek()? {
        Some('{') => json::call(cursor, offer)?,
        _ => {
            cursor.expect("<function=")?;
            function(cursor, offer)?
        }
    };
    cursor.space();
    cursor.expect("</tool_call>")?;
    Ok(found)
}

/// Qwen3-Coder's `<function=name><parameter=key>value</parameter></function>`, and Llama's
/// `<function=name>{…}</function>`.
fn function(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Printed, Stop> {
    let tool = quoted_tool(cursor, offer)?;
    cursor.expect(">")?;
    cursor.space();
    let arguments = if cursor.peek()? == Some('{') {
        json::arguments(cursor)?
    } else {
        let mut arguments = Map::new();
        while cursor.take("<parameter=")? {
            let key = unquoted(cursor.head(">")?).to_owned();
            let text = cursor.until("</parameter>")?;
            let value = tool.value(&key, without_line_ends(text));
            arguments.insert(key, value);
            cursor.space();
        }
        arguments
    };
    cursor.space();
    cursor.expect("</function>")?;
    json::fitted(tool, arguments, None).ok_or(cursor.no())
}

/// `<invoke name="name"><parameter name="key">value</parameter></invoke>`.
fn invoke(cursor: &mut Cursor<'_>, offer: &Offer, prefix: &str) -> Result<Printed, Stop> {
    let tool = quoted_tool(cursor, offer)?;
    cursor.expect(">")?;
    let (open, close) = (
        format!("<{prefix}parameter name="),
        format!("</{prefix}parameter>"),
    );
    let mut arguments = Map::new();
    cursor.space();
    while cursor.take(&open)? {
        let head = cursor.head(">")?;
        let (key, attributes) = head.split_once(' ').unwrap_or((head, ""));
        let key = unquoted(key).to_owned();
        let text = cursor.until(&close)?;
        // DeepSeek says itself whether the value is a text.
        let value = match unquoted(attributes.trim().trim_start_matches("string=")) {
            "true" => Value::String(text.to_owned()),
            "false" => serde_json::from_str(text.trim()).map_err(|_| cursor.no())?,
            _ => tool.value(&key, without_line_ends(text)),
        };
        arguments.insert(key, value);
        cursor.space();
    }
    cursor.expect(&format!("</{prefix}invoke>"))?;
    json::fitted(tool, arguments, None).ok_or(cursor.no())
}

/// GLM's `<arg_key>key</arg_key><arg_value>value</arg_value>`, any number of them.
pub(super) fn keys_and_values(
    cursor: &mut Cursor<'_>,
    tool: &Offered,
) -> Result<Map<String, Value>, Stop> {
    let mut arguments = Map::new();
    while cursor.take("<arg_key>")? {
        let key = cursor.head("</arg_key>")?.trim().to_owned();
        cursor.space();
        cursor.expect("<arg_value>")?;
        let text = cursor.until("</arg_value>")?;
        let value = tool.value(&key, without_line_ends(text));
        arguments.insert(key, value);
        cursor.space();
    }
    // A name alone could be anything, were it not for the closing mark.
    if arguments.is_empty() {
        cursor.clone().expect("</tool_call>")?;
    }
    Ok(arguments)
}

/// `function<｜tool▁sep｜>name` and fenced JSON (V3), or `name<｜tool▁sep｜>{…}` (V3.1).
fn deepseek(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Printed, Stop> {
    let head = cursor.head("<｜tool▁sep｜>")?.trim();
    let tool = match offer.named(head) {
        Some(tool) => tool,
        None => cursor.tool(offer)?,
    };
    let arguments = form::object(cursor)?;
    cursor.space();
    cursor.expect("<｜tool▁call▁end｜>")?;
    json::fitted(tool, arguments, None).ok_or(cursor.no())
}

/// `functions.name:0<|tool_call_argument_begin|>{…}`: the whole of the head is the call's id.
fn kimi(cursor: &mut Cursor<'_>, offer: &Offer) -> Result<Printed, Stop> {
    let id = cursor.head("<|tool_call_argument_begin|>")?.trim();
    let name = id.rsplit_once(':').map_or(id, |(name, _)| name);
    let tool = offer.named(name).ok_or(cursor.no())?;
    let arguments = form::object(cursor)?;
    cursor.space();
    cursor.expect("<|tool_call_end|>")?;
    json::fitted(tool, arguments, Some(id)).ok_or(cursor.no())
}

fn quoted_tool<'o>(cursor: &mut Cursor<'_>, offer: &'o Offer) -> Result<&'o Offered, Stop> {
    let quoted = cursor.take("\"")?;
    let tool = cursor.tool(offer)?;
    if quoted {
        cursor.expect("\"")?;
    }
    cursor.space();
    Ok(tool)
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"')
}

/// A value may stand on lines of its own.
fn without_line_ends(text: &str) -> &str {
    let text = text.strip_prefix('\n').unwrap_or(text);
    text.strip_suffix('\n').unwrap_or(text)
}
