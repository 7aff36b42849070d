//! A reader over text that may not all have come yet.
//!
//! Every step has three outcomes: it succeeds, the text can't be a call, or more of it must come
//! first. A step decides the same way however much text follows, so reading a longer text again
//! never changes a decision.

use super::offer::{Offer, Offered};

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It can't be told before more has come.
    More,
    /// It is no call, which became clear at this byte.
    No(usize),
}

/// A place in the text.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    /// Nothing follows the text.
    whole: bool,
    /// No mark said that a call follows.
    bare: bool,
}

impl<'a> Cursor<'a> {
    /// The start of the text; `whole` if nothing follows it.
    pub(super) fn new(text: &'a str, whole: bool) -> Self {
        Self {
            text,
            at: 0,
            whole,
            bare: false,
        }
    }

    /// The same without a mark before it, so that a call must be complete to be one.
    pub(super) fn bare(text: &'a str, whole: bool) -> Self {
        Self {
            bare: true,
            ..Self::new(text, whole)
        }
    }

    /// Whether no mark said that a call follows.
    pub(super) fn is_bare(&self) -> bool {
        self.bare
    }

    /// How many bytes were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What was read since `start`.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// What was not read yet.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Says that this is no call.
    pub(super) fn no(&self) -> Stop {
        Stop::No(self.at)
    }

    /// Whether the whole text was read.
    pub(super) fn is_over(&self) -> bool {
        self.whole && self.rest().is_empty()
    }

    /// The next character; none at the very end.
    pub(super) fn peek(&self) -> Result<Option<char>, Stop> {
        match self.rest().chars().next() {
            None if !self.whole => Err(Stop::More),
            next => Ok(next),
        }
    }

    /// Reads the next character; none at the very end.
    pub(super) fn next(&mut self) -> Result<Option<char>, Stop> {
        let next = self.peek()?;
        self.at += next.map_or(0, char::len_utf8);
        Ok(next)
    }

    /// Skips white space.
    pub(super) fn space(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// Skips all characters of a kind.
    pub(super) fn skip(&mut self, kind: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(kind).len();
    }

    /// Reads `token` if it stands here.
    pub(super) fn take(&mut self, token: &str) -> Result<bool, Stop> {
        let rest = self.rest();
        if rest.starts_with(token) {
            self.at += token.len();
            Ok(true)
        } else if !self.whole && token.starts_with(rest) {
            Err(Stop::More)
        } else {
            Ok(false)
        }
    }

    /// Reads the first of `tokens` that stands here.
    pub(super) fn take_any(&mut self, tokens: &[&str]) -> Result<bool, Stop> {
        let mut unsure = false;
        for token in tokens {
            match self.take(token) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(_) => unsure = true,
            }
        }
        if unsure { Err(Stop::More) } else { Ok(false) }
    }

    /// Reads `token`, which must stand here.
    pub(super) fn expect(&mut self, token: &str) -> Result<(), Stop> {
        if self.take(token)? {
            Ok(())
        } else {
            Err(self.no())
        }
    }

    /// Reads up to `end` and over it, and gives what stands before it.
    pub(super) fn until(&mut self, end: &str) -> Result<&'a str, Stop> {
        match self.rest().split_once(end) {
            Some((before, _)) => {
                self.at += before.len() + end.len();
                Ok(before)
            }
            // All of it was searched, so all of it is decided.
            None if self.whole => Err(Stop::No(self.text.len())),
            None => Err(Stop::More),
        }
    }

    /// Reads a short text up to `end`: the inside of a tag, not a value.
    pub(super) fn head(&mut self, end: &str) -> Result<&'a str, Stop> {
        const LONGEST: usize = 256;
        match self.rest().find(end) {
            Some(length) if length <= LONGEST => self.until(end),
            Some(_) => Err(self.no()),
            None if self.rest().len() > LONGEST + end.len() => Err(self.no()),
            None => self.until(end),
        }
    }

    /// Reads all characters of a kind; the one that ends them must have come.
    pub(super) fn word(&mut self, mut kind: impl FnMut(char) -> bool) -> Result<&'a str, Stop> {
        let rest = self.rest();
        let length = rest.find(|character| !kind(character));
        match length {
            None if !self.whole => Err(Stop::More),
            _ => {
                let word = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
                self.at += word.len();
                Ok(word)
            }
        }
    }

    /// Reads the name of an offered tool.
    pub(super) fn tool<'o>(&mut self, offer: &'o Offer) -> Result<&'o Offered, Stop> {
        let mut ahead = self.clone();
        match ahead.word(is_of_name) {
            Ok(name) => {
                let tool = offer.named(name).ok_or(self.no())?;
                self.at = ahead.at;
                Ok(tool)
            }
            Err(_) if offer.has_beginning(self.rest()) => Err(Stop::More),
            Err(_) => Err(self.no()),
        }
    }
}

/// Whether a tool's name may hold it.
fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | ':')
}
