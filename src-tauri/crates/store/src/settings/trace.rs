//! What is kept of the turns' traces.

use serde::{Deserialize, Serialize};

/// The settings of the traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TraceSettings {
    /// After so many days a trace is deleted.
    pub keep_days: u32,
    /// Whether requests are kept whole, for finding faults; else only their size and hash.
    pub bodies: bool,
}

impl Default for TraceSettings {
    fn default() -> Self {
        Self {
            keep_days: 30,
            bodies: false,
        }
    }
}
