//! Model services that already run on this computer.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ListedModel;

/// A service found on its usual port. It needs no key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LocalService {
    /// Its id, such as `ollama`.
    pub id: String,
    /// Its name, such as "Ollama".
    pub name: String,
    /// The address requests go to.
    pub base_url: String,
    /// What it can run; empty if it has no model yet.
    pub models: Vec<ListedModel>,
}
