//! What a refusal teaches.
//!
//! A refusal is read by its words, since services agree on nothing else. Each lesson says which
//! words mean it, and what the request must have held for them to mean it: that keeps a message
//! that merely names a member from teaching anything. The order counts where one text fits two.

mod sent;
mod table;

use serde_json::Value;
use talaria_domain::{ErrorCode, ServiceFailure};

use super::{Dialect, Quirk};
use crate::failure;
use table::LESSONS;

/// A number below this in a refusal is part of a name or an index, not a limit of tokens.
const LEAST_LIMIT: u32 = 16;

/// Less than this left of the window is no room for an answer.
const LEAST_ROOM: u32 = 512;

/// The words by which services say that they don't take a member.
const REFUSED: &[&str] = &[
    "unsupported",
    "not support",
    "n't support",
    "unrecognized",
    "unknown",
    "unexpected",
    "not permitted",
    "not allowed",
    "extra inputs",
    "extra fields",
    "extra_forbidden",
    "cannot find field",
    "no such",
    "不支持",
    "未知",
];

/// The members that limit the answer, by protocol and age.
const LIMITS: [&str; 3] = ["max_completion_tokens", "max_output_tokens", "max_tokens"];

/// The words by which services say that a number is too large.
const TOO_LARGE: &[&str] = &[
    "at most",
    "range",
    "less than",
    "maximum",
    "too large",
    "too high",
    "exceed",
    "between",
    "<=",
    ">",
    "超",
    "范围",
];

impl Dialect {
    /// What to try after the request `body` was refused; none if the refusal is about something
    /// else, or says again what is known.
    pub(crate) fn after(&self, failure: &ServiceFailure, body: &Value) -> Option<Self> {
        if !may_teach(failure.code) {
            return None;
        }
        let text = failure::without_request_id(&failure.message).to_lowercase();
        if failure.code == ErrorCode::ContextOverflow {
            return self
                .after_minute(&text, body)
                .or_else(|| self.after_overflow(&text, body));
        }
        self.after_limit(&text, body).or_else(|| {
            LESSONS
                .iter()
                .filter(|lesson| !self.has(lesson.quirk) && (lesson.held)(body))
                .find(|lesson| says(&text, lesson.words))
                .map(|lesson| self.clone().with(lesson.quirk))
        })
    }

    /// Some services count the limit of the answer against what a minute allows: without one they
    /// count what is really said.
    fn after_minute(&self, text: &str, body: &Value) -> Option<Self> {
        let counted =
            text.contains("requested") && (text.contains("tpm") || text.contains("per min"));
        let limited = LIMITS.iter().any(|member| body.get(*member).is_some());
        let free = self
            .clone()
            .with(Quirk::NoMaxTokens)
            .with(Quirk::NoMaxCompletionTokens);
        (counted && limited && free != *self).then_some(free)
    }

    /// Many services refuse an answer that could outgrow the window together with the request:
    /// asked for no more than the window has left, they answer.
    fn after_overflow(&self, text: &str, body: &Value) -> Option<Self> {
        let asked = LIMITS.iter().find_map(|member| body.get(*member)?.as_u64());
        let room = room(text, u32::try_from(asked?).ok()?)?;
        Some(Self {
            room: Some(room),
            ..self.clone()
        })
    }

    /// What a refusal says about the limit of the answer: that it goes by another name, or that
    /// the number is too large.
    fn after_limit(&self, text: &str, body: &Value) -> Option<Self> {
        let member = LIMITS
            .into_iter()
            .find(|member| body.get(*member).is_some())?;
        if !LIMITS.iter().any(|limit| text.contains(limit)) {
            return None;
        }
        if text.contains(member) && REFUSED.iter().any(|word| text.contains(word)) {
            let quirk = if member == "max_tokens" {
                Quirk::NoMaxTokens
            } else {
                Quirk::NoMaxCompletionTokens
            };
            return Some(self.clone().with(quirk)).filter(|next| next != self);
        }
        let asked = u32::try_from(body.get(member)?.as_u64()?).ok()?;
        if !TOO_LARGE.iter().any(|word| text.contains(word)) {
            return None;
        }
        Some(Self {
            longest_output: Some(largest_below(text, asked)?),
            ..self.clone()
        })
    }
}

/// Whether a failure of this kind can be a refusal: templates of local services break with a
/// status of 500, gateways without a fitting model with 404.
fn may_teach(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::BadRequest
            | ErrorCode::ModelNotFound
            | ErrorCode::BadResponse
            | ErrorCode::Overloaded
            | ErrorCode::ContextOverflow
            | ErrorCode::OutputLimit
    )
}

fn says(text: &str, any: &[&[&str]]) -> bool {
    any.iter()
        .any(|all| all.iter().all(|word| text.contains(word)))
}

/// What is left of the window, where the text tells the window, the request and the answer that
/// was asked for. Some add up the last two, which is left aside.
fn room(text: &str, asked: u32) -> Option<u32> {
    let told: Vec<u32> = all_numbers(text).collect();
    if !told.contains(&asked) {
        return None;
    }
    let is_sum = |number: u32| {
        let request = number.checked_sub(asked);
        request.is_some_and(|request| told.contains(&request))
    };
    let mut rest: Vec<u32> = told
        .iter()
        .copied()
        .filter(|number| *number != asked && !is_sum(*number))
        .collect();
    rest.sort_unstable();
    rest.dedup();
    let window = rest.pop()?;
    let room = window.checked_sub(rest.pop()?)?;
    (LEAST_ROOM..asked).contains(&room).then_some(room)
}

/// The largest number in the text that is smaller than the one refused.
fn largest_below(text: &str, refused: u32) -> Option<u32> {
    all_numbers(text)
        .filter(|number| (LEAST_LIMIT..refused).contains(number))
        .max()
}

fn all_numbers(text: &str) -> impl Iterator<Item = u32> {
    text.split(|found: char| !(found.is_ascii_digit() || found == ','))
        .flat_map(numbers)
}

/// The numbers in digits and commas: one if the commas part thousands, else one each.
fn numbers(digits: &str) -> Vec<u32> {
    let groups: Vec<&str> = digits.split(',').collect();
    let thousands = groups.iter().skip(1).all(|group| group.len() == 3);
    let texts = if thousands {
        vec![groups.concat()]
    } else {
        groups.into_iter().map(str::to_owned).collect()
    };
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

#[cfg(test)]
mod tests;
