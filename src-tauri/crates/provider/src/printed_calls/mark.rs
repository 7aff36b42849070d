//! The marks in plain text at which something may begin, or turns out to have ended.

use super::form::{FORMS, Form};
use crate::surroundings::Surroundings;
use crate::think;

/// What stands at a place in the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// What opens a block of calls.
    Form(&'static Form),
    /// The first thing in the answer is a bracket.
    Bracket,
    /// The end of reasoning, of this length.
    Reasoning(usize),
    /// It can't be told yet.
    Unsure,
}

/// What a mark may begin with.
pub(super) const STARTS: [char; 5] = ['<', '[', '{', '`', '◁'];

/// A mark that opens calls, outside of code and quotations.
pub(super) fn form(here: &str, place: &Surroundings, whole: bool) -> Option<Mark> {
    if !here.starts_with(['<', '[', '`']) {
        return None;
    }
    let form = FORMS
        .iter()
        .find(|form| here.starts_with(form.open) || (!whole && form.open.starts_with(here)))?;
    let is_fence = form.open.starts_with('`');
    if place.in_code() || place.in_quotation() || (is_fence && !place.at_line_start()) {
        return None;
    }
    Some(if here.starts_with(form.open) {
        Mark::Form(form)
    } else {
        Mark::Unsure
    })
}

/// The end of reasoning without its beginning, which the template put into the prompt.
///
/// It counts at the start of a line, and directly behind a word or at the end of a line where that
/// is not in code. In the middle of a sentence somebody writes about the tag.
pub(super) fn reasoning(here: &str, place: &Surroundings, whole: bool) -> Option<Mark> {
    if !here.starts_with(think::CLOSE_STARTS) || place.in_block() {
        return None;
    }
    let Some(close) = think::closes().find(|close| here.starts_with(close)) else {
        let begins = !whole && think::closes().any(|close| close.starts_with(here));
        return begins.then_some(Mark::Unsure);
    };
    let counts = Some(Mark::Reasoning(close.len()));
    if place.at_line_start() {
        return counts;
    }
    if place.in_code() || place.in_quotation() {
        return None;
    }
    if !place.last().is_some_and(char::is_whitespace) {
        return counts;
    }
    let behind = here.get(close.len()..).unwrap_or_default();
    match behind.trim_start_matches([' ', '\t']).chars().next() {
        None if !whole => Some(Mark::Unsure),
        None | Some('\n' | '\r') => counts,
        Some(_) => None,
    }
}
