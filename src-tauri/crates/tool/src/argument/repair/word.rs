//! Reads what stands without quotes: numbers, names such as `true`, single words.

use serde_json::{Number, Value};

use super::Fault;
use super::reader::Reader;

impl Reader<'_> {
    /// A number, a name such as `true`, or a single word without quotes.
    pub(super) fn word(&mut self) -> Result<Value, Fault> {
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
