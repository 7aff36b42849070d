//! Searching the web through a service of the user's choice.

use serde::{Deserialize, Serialize};
use talaria_secret::Secret;
use ts_rs::TS;

/// Read how the web is searched, and with what it could be.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadWebSearch {}

/// Choose how the web is searched.
#[derive(Deserialize, TS)]
pub struct SaveWebSearch {
    /// A service's id; none: the web is not searched, and no key is kept.
    pub service: Option<String>,
    /// Its address; blank for the usual one.
    #[serde(default)]
    pub base_url: String,
    /// A key; none leaves the one that is kept for this service at this host.
    #[ts(type = "string | null")]
    pub key: Option<Secret<String>>,
}

/// Search the web once, to see that it works.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct TryWebSearch {
    /// The words.
    pub query: String,
}

/// How the web is searched. The window only learns that a key exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WebSearchView {
    /// The services there are.
    pub services: Vec<WebSearchService>,
    /// The id of the one that is used; none while the web is not searched.
    pub service: Option<String>,
    /// Its address, where the user gave one; else blank.
    pub base_url: String,
    /// Whether a key is kept for it.
    pub has_key: bool,
}

/// A service that searches the web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WebSearchService {
    /// Its id.
    pub id: String,
    /// Its name in English.
    pub name: String,
    /// Its name in Chinese.
    pub name_zh: String,
    /// Whether it answers only to who has a key.
    pub needs_key: bool,
    /// Whether the user must say where it is.
    pub needs_address: bool,
    /// The page where a key is made, or that tells how the service is set up.
    pub key_page: String,
}
