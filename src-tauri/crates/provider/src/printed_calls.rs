//! Tool calls that a model prints into its answer as text.
//!
//! Local models behind a server that doesn't know their template do this. A call is taken out of
//! the text only where the model clearly means it: in one of the known forms, naming a tool that
//! was offered, with arguments that fit its schema, outside of code and quotations, not read out
//! of what it was given, and in an answer that is complete. Everything else stays the text it is.
//!
//! The text streams on. It is held back from the first character that may open a call until that
//! is decided; once a call was found, to the end of the answer, because only there is it known
//! whether the call counts. What is held is looked at again only when it has grown by a part of
//! its length, so the work stays linear in the length of the answer.
//!
//! Since both look for marks in plain text, this also finds the end of reasoning that nobody saw
//! begin. Used by [`crate::content`].

mod cursor;
mod form;
mod json;
mod literal;
mod mark;
mod offer;
mod tagged;

use serde_json::Value;
use talaria_domain::ModelEvent;

use self::cursor::{Cursor, Stop};
use self::form::{FORMS, Form};
use self::mark::Mark;
pub(crate) use self::offer::Offer;
use crate::answer::Out;
use crate::surroundings::Surroundings;

/// Held text up to this length is looked at with every piece.
const EAGER: usize = 128;

/// A model that prints more blocks of calls is stuck and means none of them.
const MOST: usize = 64;

/// A call as the model printed it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Printed {
    /// The id that it printed.
    pub(crate) id: Option<String>,
    /// The tool's name.
    pub(crate) name: String,
    /// The arguments, an object that fits the tool's schema.
    pub(crate) arguments: Value,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It is complete, and the service gave no calls itself: printed ones count.
    Complete,
    /// The service gave calls itself, so printed ones are text.
    Called,
    /// It broke off, so a call may be half of one.
    Cut,
}

/// Finds the calls in a stream of text.
#[derive(Debug)]
pub(crate) struct Finder {
    offer: Offer,
    /// What came and was not given out yet.
    held: String,
    /// How much of it is plain text.
    plain: usize,
    /// How much of that there is up to the last word. White space behind it waits: it belongs to
    /// nobody if a call follows.
    sure: usize,
    surroundings: Surroundings,
    /// Nothing but white space came so far.
    is_blank: bool,
    /// White space that comes next belongs to nobody.
    trims: bool,
    /// Text was given out.
    has_given: bool,
    /// The model's reasoning did not show yet, so it may turn out to be the text so far.
    may_reason: bool,
    /// The blocks of calls in what is held.
    found: Vec<Block>,
    /// Where what is held ends in marks that open nothing.
    dangling: Option<usize>,
    /// What is held is not looked at before it has this length.
    due: usize,
    #[cfg(test)]
    work: usize,
}

#[derive(Debug)]
struct Block {
    start: usize,
    end: usize,
    calls: Vec<Printed>,
}

impl Finder {
    /// Looks for calls of the tools that were offered.
    pub(crate) fn new(offer: Offer) -> Self {
        Self {
            offer,
            held: String::new(),
            plain: 0,
            sure: 0,
            surroundings: Surroundings::default(),
            is_blank: true,
            trims: false,
            has_given: false,
            may_reason: true,
            found: Vec::new(),
            dangling: None,
            due: 0,
            #[cfg(test)]
            work: 0,
        }
    }

    /// The model's reasoning came in a way of its own, so none is hidden in the text.
    pub(crate) fn reasoning_shows(&mut self) {
        self.may_reason = false;
    }

    /// Takes the next piece and gives what is decided.
    pub(crate) fn push(&mut self, piece: &str, out: &mut Out) {
        // Most pieces of most answers: words that can be nothing else.
        if self.held.is_empty() && !self.is_blank && !self.trims && is_plain(piece) {
            self.surroundings.feed_all(piece);
            #[cfg(test)]
            {
                self.work += piece.len();
            }
            self.has_given = true;
            out.push_back(ModelEvent::Text(piece.to_owned()));
            return;
        }
        self.held.push_str(piece);
        if self.held.len() >= self.due {
            self.scan(false, out);
            self.give_plain(out);
        }
    }

    /// The answer is over: gives the rest of its text, and its calls.
    pub(crate) fn finish(&mut self, end: End, out: &mut Out) -> Vec<Printed> {
        self.scan(true, out);
        let found = self.take_meant();
        let mut text = std::mem::take(&mut self.held);
        (self.plain, self.sure) = (0, 0);
        if end == End::Complete && !found.is_empty() {
            let text = without_calls(&text, &found, self.has_given);
            self.give(text, out);
            let calls = found.into_iter().flat_map(|block| block.calls);
            return calls.collect();
        }
        // Some servers take a call out of the text, but not the mark before it.
        if let Some(at) = self.dangling.filter(|_| end == End::Called) {
            text.truncate(at);
            text.truncate(text.trim_end().len());
        }
        self.give(text, out);
        Vec::new()
    }

    /// The blocks that the model means, and not only repeats.
    fn take_meant(&mut self) -> Vec<Block> {
        let mut found = std::mem::take(&mut self.found);
        if found.is_empty() || found.len() > MOST {
            return Vec::new();
        }
        let was_given = self.offer.was_given();
        found.retain(|block| {
            let text = self.held.get(block.start..block.end);
            !text.is_some_and(&was_given)
        });
        found
    }

    /// Reads on as far as it can be decided.
    fn scan(&mut self, whole: bool, out: &mut Out) {
        self.due = 0;
        while let Some((at, mark)) = self.next_mark(whole) {
            self.plain = at;
            let step = match mark {
                Mark::Unsure => return,
                Mark::Reasoning(length) => {
                    self.turn(length, out);
                    continue;
                }
                Mark::Form(form) => self.read_block(form, whole),
                Mark::Bracket => self.read_answer(whole),
            };
            let length = match &step {
                Ok((length, _)) | Err(Stop::No(length)) => *length,
                Err(Stop::More) => self.rest().len(),
            };
            #[cfg(test)]
            {
                self.work += length;
            }
            match step {
                Ok((_, calls)) => self.keep(length, calls),
                Err(Stop::No(_)) => {
                    if whole && is_only_marks(self.rest()) {
                        self.dangling = Some(at);
                    }
                    self.pass(length);
                }
                Err(Stop::More) => {
                    let more = if length < EAGER { 1 } else { length / 4 };
                    self.due = self.held.len() + more;
                    return;
                }
            }
        }
    }

    /// Goes over plain text to the next mark.
    fn next_mark(&mut self, whole: bool) -> Option<(usize, Mark)> {
        let rest = self.held.get(self.plain..).unwrap_or_default();
        let start = self.plain;
        for (at, character) in rest.char_indices() {
            let here = rest.get(at..).unwrap_or_default();
            #[cfg(test)]
            {
                self.work += 1;
            }
            if mark::STARTS.contains(&character)
                && let Some(mark) = self.mark(here, whole)
            {
                return Some((start + at, mark));
            }
            self.surroundings.feed(character);
            if !character.is_whitespace() {
                self.is_blank = false;
                self.sure = start + at + character.len_utf8();
            }
        }
        self.plain = self.held.len();
        None
    }

    /// What stands at this place, if anything that is looked for here.
    fn mark(&self, here: &str, whole: bool) -> Option<Mark> {
        let place = &self.surroundings;
        let mut found = None;
        if !self.offer.is_empty() {
            found = mark::form(here, place, whole);
        }
        // Where the reasoning came in its own way, its end may still stand before the answer.
        if self.may_reason || self.is_blank {
            found = found.or_else(|| mark::reasoning(here, place, whole));
        }
        let is_first = self.is_blank && !self.offer.is_empty();
        found.or((is_first && here.starts_with(['{', '['])).then_some(Mark::Bracket))
    }

    /// Reads a block of calls and what must stand behind one.
    fn read_block(&mut self, form: &Form, whole: bool) -> Result<(usize, Vec<Printed>), Stop> {
        let mut cursor = Cursor::new(self.rest(), whole);
        let calls = form::block(&mut cursor, form, &self.offer)?;
        let length = cursor.at();
        if form.is_last {
            cursor.space();
            return match cursor.peek()? {
                None => Ok((length, calls)),
                Some(_) => Err(cursor.no()),
            };
        }
        cursor.skip(|next| matches!(next, ' ' | '\t' | '\r'));
        match cursor.peek()? {
            None | Some('\n') => Ok((length, calls)),
            Some(_) => {
                let behind = cursor.rest();
                if FORMS.iter().any(|form| behind.starts_with(form.open)) {
                    Ok((length, calls))
                } else if !whole && FORMS.iter().any(|form| form.open.starts_with(behind)) {
                    Err(Stop::More)
                } else {
                    // Words behind it on its line: it is an example in a sentence.
                    Err(cursor.no())
                }
            }
        }
    }

    fn read_answer(&mut self, whole: bool) -> Result<(usize, Vec<Printed>), Stop> {
        let mut cursor = Cursor::bare(self.rest(), whole);
        let calls = form::answer(&mut cursor, &self.offer)?;
        Ok((cursor.at(), calls))
    }

    /// What is not known to be plain text.
    fn rest(&self) -> &str {
        self.held.get(self.plain..).unwrap_or_default()
    }

    /// Keeps a block of calls.
    fn keep(&mut self, length: usize, calls: Vec<Printed>) {
        let (start, end) = (self.plain, self.plain + length);
        self.found.push(Block { start, end, calls });
        self.plain = end;
        self.surroundings = Surroundings::default();
        self.is_blank = false;
    }

    /// What stands there is no call: goes over it.
    fn pass(&mut self, length: usize) {
        let rest = self.held.get(self.plain..).unwrap_or_default();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let passed = rest.get(..length.max(first)).unwrap_or(rest);
        self.surroundings.feed_all(passed);
        self.plain += passed.len();
        self.sure = self.plain;
        self.is_blank = false;
    }

    /// The text before here was reasoning; behind its mark, which is so long, an answer begins.
    fn turn(&mut self, length: usize, out: &mut Out) {
        let behind = self.held.split_off(self.plain + length);
        let mut thought = std::mem::replace(&mut self.held, behind);
        thought.truncate(self.plain);
        if !self.is_blank {
            self.give(thought, out);
            out.push_back(ModelEvent::WasReasoning);
        }
        *self = Self {
            offer: std::mem::take(&mut self.offer),
            held: std::mem::take(&mut self.held),
            trims: true,
            may_reason: false,
            #[cfg(test)]
            work: self.work,
            ..Self::new(Offer::default())
        };
    }

    /// Gives out the plain text, unless a call was found before it.
    fn give_plain(&mut self, out: &mut Out) {
        if self.sure == 0 || !self.found.is_empty() {
            return;
        }
        let behind = self.held.split_off(self.sure);
        let text = std::mem::replace(&mut self.held, behind);
        self.plain -= self.sure;
        self.due = self.due.saturating_sub(self.sure);
        self.sure = 0;
        self.give(text, out);
    }

    fn give(&mut self, mut text: String, out: &mut Out) {
        if self.trims {
            text.drain(..text.len() - text.trim_start().len());
        }
        if !text.is_empty() {
            self.trims = false;
            self.has_given = true;
            out.push_back(ModelEvent::Text(text));
        }
    }
}

/// Whether it is one piece of text wherever it stands, and ends in a word.
fn is_plain(piece: &str) -> bool {
    !piece.ends_with(char::is_whitespace) && !piece.is_empty() && !piece.contains(mark::STARTS)
}

/// The text without the calls and the white space around them.
fn without_calls(held: &str, found: &[Block], has_given: bool) -> String {
    let ends = found.iter().map(|block| block.end);
    let starts = found.iter().map(|block| block.start).chain([held.len()]);
    let mut parts = [0]
        .into_iter()
        .chain(ends)
        .zip(starts)
        .filter_map(|(end, start)| held.get(end..start));
    // The first part goes on where the text that was given out ends.
    let mut text = parts.next().unwrap_or_default().trim_end().to_owned();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        if has_given || !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(part);
    }
    text
}

/// Whether there is nothing but a few marks that open a call.
fn is_only_marks(text: &str) -> bool {
    if text.len() > EAGER {
        return false;
    }
    let mut rest = text.trim_end();
    while let Some(shorter) = FORMS.iter().find_map(|form| rest.strip_suffix(form.open)) {
        rest = shorter.trim_end();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests;
