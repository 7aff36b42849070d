//! The shape that the plain pieces of one stream share, so that most of them need no JSON parser.
//!
//! A stream is one JSON object repeated with other words in it. Once a reader has understood such
//! a piece, all that differs in the next one is the words, and perhaps a count or a random word
//! that no reader reads. A [`Shape`] is the text around these. A piece that fits it means what
//! the first one meant, with its own words, because JSON has no way for the inside of a string to
//! change what is outside; a piece that differs in anything else does not fit, and is parsed.

use std::borrow::Cow;

use memchr::memchr2;
use serde_json::Value;

/// How many digits a count may have: any such number is one.
const MOST_DIGITS: usize = 15;

/// Learning costs about as much as four pieces that are parsed.
const COST: u32 = 4;

/// What a stream may lose in learning shapes that then fit nothing.
const CREDIT: u32 = 32;

/// What stands in a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    /// The words.
    Words,
    /// Some other string.
    Word,
    /// A whole number.
    Count,
}

/// The text of a piece, without what may differ.
#[derive(Debug, Default)]
struct Shape {
    /// What stands before each hole, and the hole.
    parts: Vec<(String, Hole)>,
    /// What stands behind the last hole.
    end: String,
}

/// The shape that was learnt last in a stream.
#[derive(Debug)]
pub(crate) struct Learnt {
    shape: Option<Shape>,
    credit: u32,
}

impl Default for Learnt {
    fn default() -> Self {
        Self {
            shape: None,
            credit: CREDIT,
        }
    }
}

impl Learnt {
    /// The words of a piece that has the shape.
    pub(crate) fn words<'a>(&mut self, piece: &'a str) -> Option<Cow<'a, str>> {
        let words = self.shape.as_ref()?.words(piece)?;
        self.credit = CREDIT.min(self.credit + 1);
        Some(words)
    }

    /// Learns the shape of a piece of which only the string at the pointer `words` was of any use.
    /// What is at the pointers `idle` may differ in the next piece: no reader reads it.
    pub(crate) fn learn(&mut self, piece: &str, value: &Value, words: &str, idle: &[&str]) {
        // The shape of an earlier piece must not outlive a later one that could not be learnt.
        self.shape = None;
        if let Some(left) = self.credit.checked_sub(COST) {
            self.credit = left;
            self.shape = Shape::of(piece, value, words, idle);
        }
    }
}

/// A place in the text of a piece where a hole can be made.
struct Place {
    start: usize,
    end: usize,
    hole: Hole,
}

impl Shape {
    fn of(piece: &str, value: &Value, words: &str, idle: &[&str]) -> Option<Self> {
        let mut places = vec![place_of(piece, value, words, Hole::Words)?];
        for pointer in idle {
            let hole = match value.pointer(pointer) {
                Some(Value::String(_)) => Hole::Word,
                Some(Value::Number(_)) => Hole::Count,
                _ => continue,
            };
            places.extend(place_of(piece, value, pointer, hole));
        }
        places.sort_by_key(|place| place.start);
        let mut shape = Self::default();
        let mut done = 0;
        for place in places {
            let before = piece.get(done..place.start)?.to_owned();
            shape.parts.push((before, place.hole));
            done = place.end;
        }
        piece.get(done..)?.clone_into(&mut shape.end);
        Some(shape)
    }

    fn words<'a>(&self, piece: &'a str) -> Option<Cow<'a, str>> {
        let mut words = None;
        let mut rest = piece;
        for (before, hole) in &self.parts {
            let inside = rest.strip_prefix(before.as_str())?;
            let length = match hole {
                Hole::Words | Hole::Word => string_length(inside)?,
                Hole::Count => count_length(inside)?,
            };
            let (found, behind) = inside.split_at_checked(length)?;
            match hole {
                Hole::Words => words = Some(unescaped(found)?),
                Hole::Word => drop(unescaped(found)?),
                Hole::Count => {}
            }
            rest = behind;
        }
        words.filter(|_| rest == self.end)
    }
}

/// Finds where a value stands in the text, and makes sure of it: with another value put there,
/// the text must mean the same but for that value.
fn place_of(piece: &str, value: &Value, pointer: &str, hole: Hole) -> Option<Place> {
    let (_, member) = pointer.rsplit_once('/')?;
    let other = match value.pointer(pointer)? {
        Value::String(text) => Value::String(format!("{text}~")),
        Value::Number(number) => Value::from(number.as_u64()? ^ 1),
        _ => return None,
    };
    let mut expected = value.clone();
    *expected.pointer_mut(pointer)? = other.clone();
    let key = format!("\"{member}\"");
    piece.match_indices(&key).take(4).find_map(|(at, _)| {
        let behind = piece.get(at + key.len()..)?.trim_start();
        let behind = behind.strip_prefix(':')?.trim_start();
        let (inside, length) = match hole {
            Hole::Count => (behind, count_length(behind)?),
            Hole::Words | Hole::Word => {
                let inside = behind.strip_prefix('"')?;
                (inside, string_length(inside)?)
            }
        };
        let start = piece.len() - inside.len();
        let end = start + length;
        let put = other.to_string();
        let put = put.trim_matches('"');
        let changed = format!("{}{put}{}", piece.get(..start)?, piece.get(end..)?);
        let found: Value = serde_json::from_str(&changed).ok()?;
        (found == expected).then_some(Place { start, end, hole })
    })
}

/// How long the inside of a string is whose opening quote is behind; only if it is one.
fn string_length(inside: &str) -> Option<usize> {
    let bytes = inside.as_bytes();
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// How long the whole number is that stands there.
fn count_length(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_count = match length {
        0 => false,
        1 => true,
        _ => length <= MOST_DIGITS && !text.starts_with('0'),
    };
    is_count.then_some(length)
}

/// What the inside of a string says; none if it is not as JSON demands.
fn unescaped(inside: &str) -> Option<Cow<'_, str>> {
    if inside.bytes().all(|byte| byte >= b' ' && byte != b'\\') {
        return Some(Cow::Borrowed(inside));
    }
    serde_json::from_str(&format!("\"{inside}\""))
        .ok()
        .map(Cow::Owned)
}

#[cfg(test)]
mod tests;
