//! Reads texts in any kind of quotes, with quotes inside them that were not escaped.

use super::Fault;
use super::reader::{Inside, Reader};

/// A text longer than this is no key and no element that a forgotten comma stood before.
const LONGEST_KEY: usize = 80;

impl Reader<'_> {
    pub(super) fn string(&mut self, inside: Inside) -> Result<String, Fault> {
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
}

/// The quotes that close what this one opens.
pub(super) fn closers(quote: char) -> Option<&'static [char]> {
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
