//! A search of the web: what is looked for, and what is found.
//!
//! The tool asks in these words, `talaria-provider` puts them to the service the user chose.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebQuery {
    /// The words.
    pub words: String,
    /// At most so many hits.
    pub count: usize,
    /// How new the pages must be; none takes them all.
    pub freshness: Option<Freshness>,
}

/// How new a page must be, in the steps that every service knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Freshness {
    /// Of the last day.
    Day,
    /// Of the last week.
    Week,
    /// Of the last month.
    Month,
    /// Of the last year.
    Year,
}

/// A page that was found. All texts are bounded and on one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WebHit {
    /// Its title; its host where it has none.
    pub title: String,
    /// Its address, http or https.
    pub url: String,
    /// Some of its words; empty if the service gave none.
    pub snippet: String,
    /// When it was published, in the service's words.
    pub date: Option<String>,
}
