//! The services Talaria knows by name.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Protocol;

/// A service with its address, key page and a sensible model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Preset {
    /// Its id, also the first choice for the configured service's id.
    pub id: String,
    /// Its name in English.
    pub name: String,
    /// Its name in Chinese, where it has one.
    pub name_zh: String,
    /// The address requests go to.
    pub base_url: String,
    /// The protocol it speaks.
    pub protocol: Protocol,
    /// The page where a key is made.
    pub key_page: String,
    /// A sensible model to begin with.
    pub default_model: String,
    /// The variable its users keep their key in.
    pub key_variable: String,
    /// Whether it can be signed in to in the browser.
    pub sign_in: bool,
}

/// A key found in the environment, by its variable's name. The value stays where it is until the
/// user says to use it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EnvironmentKey {
    /// The variable.
    pub variable: String,
    /// The preset it belongs to.
    pub preset: String,
}
