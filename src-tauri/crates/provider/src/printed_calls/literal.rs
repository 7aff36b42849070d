//! Values as Python and Gemma write them, and calls made of them.
//!
//! `name(key="text", n=3, flags=[True, None])`, and Gemma's `call:name{key:<|"|>text<|"|>}`. Only
//! literals are read: nothing is computed, and a call with anything else in it is no call.

use serde_json::{Map, Value};

use super::cursor::{Cursor, Stop};

/// How deep a value may be nested.
const DEEPEST: usize = 64;

/// What quotes a text: Gemma's two tokens, and what Python has.
const QUOTES: [&str; 4] = ["<|\"|>", "<escape>", "\"", "'"];

/// Reads `key=value` pairs up to the closing parenthesis, behind the opening one.
pub(super) fn keywords(cursor: &mut Cursor<'_>) -> Result<Map<String, Value>, Stop> {
    let mut arguments = Map::new();
    loop {
        cursor.space();
        if cursor.take(")")? {
            return Ok(arguments);
        }
        let key = identifier(cursor)?;
        cursor.space();
        cursor.expect("=")?;
        arguments.insert(key, value(cursor, 0)?);
        separator(cursor, ')')?;
    }
}

/// Reads `key: value` pairs up to the closing brace, behind the opening one.
pub(super) fn members(cursor: &mut Cursor<'_>) -> Result<Map<String, Value>, Stop> {
    object(cursor, 0)
}

fn object(cursor: &mut Cursor<'_>, depth: usize) -> Result<Map<String, Value>, Stop> {
    let mut members = Map::new();
    loop {
        cursor.space();
        if cursor.take("}")? {
            return Ok(members);
        }
        let key = match quote(cursor)? {
            Some(quote) => text(cursor, quote)?,
            None => identifier(cursor)?,
        };
        cursor.space();
        cursor.expect(":")?;
        members.insert(key, value(cursor, depth)?);
        separator(cursor, '}')?;
    }
}

fn list(cursor: &mut Cursor<'_>, depth: usize) -> Result<Vec<Value>, Stop> {
    let mut items = Vec::new();
    loop {
        cursor.space();
        if cursor.take("]")? {
            return Ok(items);
        }
        items.push(value(cursor, depth)?);
        separator(cursor, ']')?;
    }
}

fn value(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value, Stop> {
    if depth > DEEPEST {
        return Err(cursor.no());
    }
    cursor.space();
    if let Some(quote) = quote(cursor)? {
        return text(cursor, quote).map(Value::String);
    }
    if cursor.take("[")? {
        return list(cursor, depth + 1).map(Value::Array);
    }
    if cursor.take("{")? {
        return object(cursor, depth + 1).map(Value::Object);
    }
    let start = cursor.no();
    let word =
        cursor.word(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '+' | '.'))?;
    match word {
        "True" | "true" => Ok(Value::Bool(true)),
        "False" | "false" => Ok(Value::Bool(false)),
        "None" | "null" => Ok(Value::Null),
        number => match serde_json::from_str::<Value>(number) {
            Ok(value @ Value::Number(_)) => Ok(value),
            _ => Err(start),
        },
    }
}

/// Reads a comma, unless what closes the pairs comes next.
fn separator(cursor: &mut Cursor<'_>, close: char) -> Result<(), Stop> {
    cursor.space();
    if cursor.peek()? == Some(close) {
        return Ok(());
    }
    cursor.expect(",")
}

fn identifier(cursor: &mut Cursor<'_>) -> Result<String, Stop> {
    let word = cursor.word(|next| next.is_alphanumeric() || matches!(next, '_' | '-'))?;
    if word.is_empty() {
        return Err(cursor.no());
    }
    Ok(word.to_owned())
}

fn quote(cursor: &mut Cursor<'_>) -> Result<Option<&'static str>, Stop> {
    for quote in QUOTES {
        if cursor.take(quote)? {
            return Ok(Some(quote));
        }
    }
    Ok(None)
}

/// Reads a text behind its opening quote.
fn text(cursor: &mut Cursor<'_>, quote: &str) -> Result<String, Stop> {
    if quote.len() > 1 {
        return cursor.until(quote).map(str::to_owned);
    }
    if !cursor.take(quote)? {
        return escaped_text(cursor, quote);
    }
    if cursor.take(quote)? {
        return escaped_text(cursor, &quote.repeat(3));
    }
    Ok(String::new())
}

fn escaped_text(cursor: &mut Cursor<'_>, close: &str) -> Result<String, Stop> {
    let mut out = String::new();
    loop {
        out.push_str(cursor.word(|next| next != '\\' && !close.starts_with(next))?);
        if cursor.take(close)? {
            return Ok(out);
        }
        if cursor.take("\\")? {
            escape(cursor, &mut out)?;
        } else if let Some(quote) = cursor.next()? {
            out.push(quote);
        } else {
            return Err(cursor.no());
        }
    }
}

/// Reads what stands behind a backslash.
fn escape(cursor: &mut Cursor<'_>, out: &mut String) -> Result<(), Stop> {
    let Some(kind) = cursor.next()? else {
        return Err(cursor.no());
    };
    match kind {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        '\n' => {}
        '\\' | '\'' | '"' => out.push(kind),
        'x' => out.push(code_point(cursor, 2)?),
        'u' => out.push(code_point(cursor, 4)?),
        'U' => out.push(code_point(cursor, 8)?),
        // Python leaves an escape that it does not know as it is.
        _ => out.extend(['\\', kind]),
    }
    Ok(())
}

fn code_point(cursor: &mut Cursor<'_>, digits: usize) -> Result<char, Stop> {
    let start = cursor.at();
    for _ in 0..digits {
        if cursor.next()?.is_none_or(|next| !next.is_ascii_hexdigit()) {
            return Err(cursor.no());
        }
    }
    u32::from_str_radix(cursor.since(start), 16)
        .ok()
        .and_then(char::from_u32)
        .ok_or(cursor.no())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::cursor::{Cursor, Stop};
    use super::keywords;

    fn value(text: &str) -> Result<Value, Stop> {
        let call = format!("a={text})");
        let read = keywords(&mut Cursor::new(&call, true))?;
        Ok(read.get("a").cloned().unwrap_or_default())
    }

    #[test]
    fn literals_mean_what_they_mean_in_python() {
        let cases = [
            ("'it\\'s'", json!("it's")),
            ("\"a\\n\\t\\\\b\"", json!("a\n\t\\b")),
            ("'\\x41\\u96e8\\U0001F333'", json!("A雨🌳")),
            ("'\\d'", json!("\\d")),
            ("'a\\\nb'", json!("ab")),
            ("''", json!("")),
            ("'''it's\n\"so\"'''", json!("it's\n\"so\"")),
            ("\"\"\"a\"\"\"", json!("a")),
            ("-1.5e3", json!(-1500.0)),
            ("[1, 'b', [None], ]", json!([1, "b", [null]])),
            ("{'k': True, 'n': {}}", json!({"k": true, "n": {}})),
            ("<|\"|>a \"b\"<|\"|>", json!("a \"b\"")),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_literal() {
        for text in [
            "b", "b()", "1 + 1", "f'{b}'", "'a", "'\\u12'", "[1", "(1,)", "",
        ] {
            assert!(matches!(value(text), Err(Stop::No(_))), "{text}");
        }
        let deep = "[".repeat(100) + &"]".repeat(100);
        assert!(matches!(value(&deep), Err(Stop::No(_))));
    }

    #[test]
    fn half_a_literal_waits_for_more() {
        for text in [
            "", "a", "a=", "a='", "a='b\\", "a=1", "a=[1", "a=<|", "a=''",
        ] {
            let mut cursor = Cursor::new(text, false);
            assert_eq!(keywords(&mut cursor), Err(Stop::More), "{text}");
        }
    }
}
