//! Reads the object that a model meant from what it wrote instead of JSON.
//!
//! Every slip that is mended here leaves no doubt about what was meant: a comma too many or too
//! few, Python's or curly quotes, a comment, a fence or words around the object. What leaves
//! doubt is refused with its place, so that the model writes it again: text that breaks off inside
//! a value, two objects, an ellipsis. Nothing is ever emptied. Time is linear in the text.

use serde_json::{Map, Number, Value};

/// Nesting beyond this is no arguments.
const DEEPEST: usize = 64;

/// A text longer than this is no key and no element that a forgotten comma stood before.
const LONGEST_KEY: usize = 80;

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
    let mut reader = Reader {
        rest: text.get(start..).unwrap_or_default(),
    };
    let value = reader.value(0, Inside::Object)?;
    if reader.rest.contains('{') {
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
    let mut reader = Reader { rest: text.trim() };
    let value = reader.value(0, Inside::List)?;
    reader.skip_blank();
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(reader.unreadable())
    }
}

/// What a text stands in, or that it is a key; it decides on what may follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Key,
    Object,
    List,
}

struct Reader<'text> {
    rest: &'text str,
}

impl<'text> Reader<'text> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    fn eat(&mut self, wanted: &[char]) -> bool {
        let found = self.peek().is_some_and(|next| wanted.contains(&next));
        if found {
            self.take();
        }
        found
    }

    fn unreadable(&self) -> Fault {
        match self.rest.chars().take(20).collect::<String>() {
            start if start.is_empty() => Fault::BrokenOff,
            start => Fault::Unreadable(start),
        }
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = self.rest.get(end..).unwrap_or_default();
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/").map_or(self.rest.len(), |end| end + 2);
                self.rest = self.rest.get(end..).unwrap_or_default();
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize, inside: Inside) -> Result<Value, Fault> {
        if depth > DEEPEST {
            return Err(Fault::TooDeep);
        }
        self.skip_blank();
        match self.peek() {
            None => Err(Fault::BrokenOff),
            Some('{') => self.members(depth).map(Value::Object),
            Some('[' | '(') => self.elements(depth).map(Value::Array),
            Some(quote) if closers(quote).is_some() => self.string(inside).map(Value::String),
            Some(_) => self.word(),
        }
    }

    fn members(&mut self, depth: usize) -> Result<Map<String, Value>, Fault> {
        self.take();
        let mut members = Map::new();
        loop {
            self.skip_blank();
            match self.peek() {
                Some('}') => {
                    self.take();
                    return Ok(members);
                }
                // A closing bracket of what stands around it: this one's was forgotten.
                Some(']') if depth > 0 => return Ok(members),
                None if !members.is_empty() => return Ok(members),
                None => return Err(Fault::BrokenOff),
                Some(_) => {}
            }
            let key = self.key()?;
            let value = self.value(depth + 1, Inside::Object)?;
            members.insert(key, value);
            self.skip_blank();
            if self.eat(&[',', '，', ';']) {
                self.skip_blank();
                // A comma promises more.
                if self.rest.is_empty() {
                    return Err(Fault::BrokenOff);
                }
            }
        }
    }

    fn key(&mut self) -> Result<String, Fault> {
        let key = match self.peek() {
            Some(quote) if closers(quote).is_some() => self.string(Inside::Key)?,
            _ => {
                let part =
                    |found: char| found.is_alphanumeric() || matches!(found, '_' | '-' | '$');
                let end = self.rest.find(|found| !part(found));
                let (key, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                if key.is_empty() {
                    return Err(self.unreadable());
                }
                self.rest = rest;
                key.to_owned()
            }
        };
        self.skip_blank();
        if self.eat(&[':', '：', '=']) {
            self.eat(&['>']);
            Ok(key)
        } else {
            Err(self.unreadable())
        }
    }

    fn elements(&mut self, depth: usize) -> Result<Vec<Value>, Fault> {
        self.take();
        let mut elements = Vec::new();
        loop {
            self.skip_blank();
            match self.peek() {
                Some(']' | ')') => {
                    self.take();
                    return Ok(elements);
                }
                Some('}') => return Ok(elements),
                None if !elements.is_empty() => return Ok(elements),
                None => return Err(Fault::BrokenOff),
                Some(_) => {}
            }
            elements.push(self.value(depth + 1, Inside::List)?);
            self.skip_blank();
            if self.eat(&[',', '，', ';']) {
                self.skip_blank();
                if self.rest.is_empty() {
                    return Err(Fault::BrokenOff);
                }
            }
        }
    }

    fn string(&mut self, inside: Inside) -> Result<String, Fault> {
        let Some(closers) = self.take().and_then(closers) else {
            return Err(self.unreadable());
        };
        let mut text = String::new();
        while let Some(next) = self.take() {
            match next {
                '\\' => self.escape(&mut text)?,
                quote if closers.contains(&quote) && self.ends_string(inside) => return Ok(text),
                other => text.push(other),
            }
        }
        Err(Fault::BrokenOff)
    }

    /// Whether a quote just taken closes its string: what follows must be able to follow one.
    /// Otherwise it is a quote inside the text that was not escaped.
    fn ends_string(&self, inside: Inside) -> bool {
        if inside == Inside::Key {
            return true;
        }
        let rest = self.rest.trim_start();
        let Some(next) = rest.chars().next() else {
            return true;
        };
        match next {
            ',' | '，' | ';' | ':' | '：' | '}' | ']' | ')' | '#' => true,
            // Two texts added up: it ends here, and the sum is refused.
            '+' => rest
                .get(1..)
                .is_some_and(|rest| rest.trim_start().starts_with(['"', '\''])),
            '/' => rest.starts_with("//") || rest.starts_with("/*"),
            // A forgotten comma: a key or an element follows.
            quote if closers(quote).is_some() => match inside {
                Inside::Key | Inside::Object => is_string_before(rest, &[':', '：']),
                Inside::List => is_string_before(rest, &[',', '，', ']']),
            },
            _ => false,
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Fault> {
        match self.take() {
            None => return Err(Fault::BrokenOff),
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('u') => text.push(self.code_point()?),
            // An escaped line end continues the line in some languages, and is one in others.
            Some('\n') => text.push('\n'),
            Some(quote @ ('"' | '\'' | '\\' | '/' | '`')) => text.push(quote),
            // No escape of JSON's: most likely the start of a regular expression or of a path.
            Some(other) => {
                text.push('\\');
                text.push(other);
            }
        }
        Ok(())
    }

    fn code_point(&mut self) -> Result<char, Fault> {
        let high = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high).ok_or_else(|| self.unreadable());
        }
        let Some(rest) = self.rest.strip_prefix("\\u") else {
            return Err(self.unreadable());
        };
        self.rest = rest;
        let low = self.four_digits()?;
        let joined = (low.wrapping_sub(0xdc00) < 0x400)
            .then(|| 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
        joined
            .and_then(char::from_u32)
            .ok_or_else(|| self.unreadable())
    }

    fn four_digits(&mut self) -> Result<u32, Fault> {
        let digits = self.rest.get(..4).ok_or(Fault::BrokenOff)?;
        let value = u32::from_str_radix(digits, 16).map_err(|_| self.unreadable())?;
        self.rest = self.rest.get(4..).unwrap_or_default();
        Ok(value)
    }

    /// A number, a name such as `true`, or a single word without quotes.
    fn word(&mut self) -> Result<Value, Fault> {
        let end = self.rest.find(|found: char| {
            found.is_whitespace()
                || matches!(
                    found,
                    ',' | '，' | ';' | '}' | ']' | ')' | '{' | '[' | '"' | ':'
                )
        });
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let value = match word {
            "true" | "True" | "TRUE" => Value::Bool(true),
            "false" | "False" | "FALSE" => Value::Bool(false),
            "null" | "None" | "nil" | "undefined" => Value::Null,
            "" | "..." | "…" | "NaN" | "Infinity" | "-Infinity" => return Err(self.unreadable()),
            _ => match number(word) {
                Some(number) => Value::Number(number),
                None if is_plain(word) && end.is_some() => Value::String(word.to_owned()),
                None => return Err(self.unreadable()),
            },
        };
        self.rest = rest;
        Ok(value)
    }
}

/// The quotes that close what this one opens.
fn closers(quote: char) -> Option<&'static [char]> {
    match quote {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '`' => Some(&['`']),
        '“' | '”' | '„' => Some(&['”', '“', '"']),
        '‘' | '’' => Some(&['’', '‘', '\'']),
        '「' => Some(&['」']),
        _ => None,
    }
}

/// Whether a short quoted text stands here, and one of these signs behind it.
fn is_string_before(rest: &str, signs: &[char]) -> bool {
    let mut chars = rest.chars();
    let Some(closers) = chars.next().and_then(closers) else {
        return false;
    };
    let inside = chars.as_str();
    let end = inside
        .char_indices()
        .take(LONGEST_KEY)
        .find(|(_, found)| closers.contains(found));
    end.and_then(|(at, quote)| inside.get(at + quote.len_utf8()..))
        .is_some_and(|behind| behind.trim_start().starts_with(signs))
}

fn number(word: &str) -> Option<Number> {
    let plain = word.strip_prefix('+').unwrap_or(word);
    if let Ok(number) = plain.parse::<Number>() {
        return Some(number);
    }
    // Forms that other languages know: .5, 5., 1_000.
    let begins = plain
        .trim_start_matches('-')
        .starts_with(|found: char| found.is_ascii_digit() || found == '.');
    let known = plain.bytes().all(|byte| {
        byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-' | b'e' | b'E' | b'+')
    });
    if !begins || !known {
        return None;
    }
    let plain = plain.replace('_', "");
    match plain.parse::<i64>() {
        Ok(whole) => Some(whole.into()),
        Err(_) => plain.parse::<f64>().ok().and_then(Number::from_f64),
    }
}

/// A word that can only be a text: it begins with a letter and holds nothing that means something.
fn is_plain(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
        && word.chars().all(|found| {
            found.is_alphanumeric() || matches!(found, '_' | '-' | '.' | '/' | '@' | '+')
        })
}

#[cfg(test)]
mod tests;
