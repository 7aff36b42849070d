//! By what each kind of error is known: its codes and words, all lower case, as the services send
//! them. Who says what is noted where it is not plain.

mod account;
mod patience;
mod request;

pub(super) use account::{KEY, MINUTE_LINK, MONEY, PLACE, QUOTA_WORDS, ZHIPU_KEY};
pub(super) use patience::{ALLOWANCE, FULL, HASTE};
pub(super) use request::{
    CLUMSY, CONTENT, MODEL, MODEL_OF_MODEL, REQUEST, WINDOW, WINDOW_OF_TOKENS,
};

use super::report::Report;

/// The signs of one kind of error.
#[derive(Debug, Default)]
pub(super) struct Signs {
    /// Whole codes.
    pub(super) codes: &'static [&'static str],
    /// Parts of codes, for services that put one code's name into another's.
    pub(super) parts: &'static [&'static str],
    /// Parts of messages.
    pub(super) words: &'static [&'static str],
}

impl Signs {
    /// Whether a report shows one of them.
    pub(super) fn are_in(&self, report: &Report) -> bool {
        self.coded(report) || self.said(report)
    }

    /// Whether one of the codes is there.
    pub(super) fn coded(&self, report: &Report) -> bool {
        report.codes.iter().any(|code| {
            self.codes.contains(&code.as_str()) || self.parts.iter().any(|part| code.contains(part))
        })
    }

    /// Whether one of the words is there.
    pub(super) fn said(&self, report: &Report) -> bool {
        self.words.iter().any(|words| report.text.contains(words))
    }
}
