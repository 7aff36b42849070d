//! Secrets that commands can be given.

use serde::{Deserialize, Serialize};
use talaria_secret::Secret;
use ts_rs::TS;

/// List the secrets for commands, by name.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListToolSecrets {}

/// Keep a secret for commands, in place of one of the same name.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SaveToolSecret {
    /// The variable that a command gets it as, such as `GITHUB_TOKEN`.
    pub name: String,
    /// The value.
    #[ts(type = "string")]
    pub value: Secret<String>,
}

/// Forget a secret for commands.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RemoveToolSecret {
    /// Its name.
    pub name: String,
}

/// A secret for commands; its value is never told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolSecret {
    /// Its name.
    pub name: String,
}
