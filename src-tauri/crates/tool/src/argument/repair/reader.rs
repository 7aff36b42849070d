//! Reads objects, lists and what is in them, and looks past commas, brackets and comments that are
//! too many or too few. The texts in them are read in `quoted`, all else in `word`.

use serde_json::{Map, Value};

use super::Fault;
use super::quoted::closers;

/// Nesting beyond this is no arguments.
const DEEPEST: usize = 64;

/// What a text stands in, or that it is a key; it decides on what may follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Key,
    Object,
    List,
}

/// What is still to be read.
pub(super) struct Reader<'text> {
    pub(super) rest: &'text str,
}

impl<'text> Reader<'text> {
    pub(super) fn of(rest: &'text str) -> Self {
        Self { rest }
    }

    pub(super) fn rest(&self) -> &'text str {
        self.rest
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn take(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    pub(super) fn eat(&mut self, wanted: &[char]) -> bool {
        let found = self.peek().is_some_and(|next| wanted.contains(&next));
        if found {
            self.take();
        }
        found
    }

    pub(super) fn unreadable(&self) -> Fault {
        match self.rest.chars().take(20).collect::<String>() {
            start if start.is_empty() => Fault::BrokenOff,
            start => Fault::Unreadable(start),
        }
    }

    /// Skips white space and comments.
    pub(super) fn skip_blank(&mut self) {
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

    pub(super) fn value(&mut self, depth: usize, inside: Inside) -> Result<Value, Fault> {
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
}
