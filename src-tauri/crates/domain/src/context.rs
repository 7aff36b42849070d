//! What a request's tokens are spent on, layer by layer, as the window's meter shows it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{CompactionId, ItemId, SessionId, Timestamp};

/// One request, measured before it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContextReport {
    /// The model's window in tokens.
    #[ts(type = "number")]
    pub window: u64,
    /// Kept free for the answer.
    #[ts(type = "number")]
    pub reserved: u64,
    /// The layers in the order in which they are sent; those that are empty are left out.
    pub layers: Vec<ContextLayer>,
}

/// One layer of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ContextLayer {
    /// Which.
    pub kind: LayerKind,
    /// What it takes.
    #[ts(type = "number")]
    pub tokens: u64,
    /// The most it may take, where it has a bound of its own.
    #[ts(type = "number | null")]
    pub cap: Option<u64>,
}

/// The layers of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Role, rules, output form and safety, frozen with the session.
    Rules,
    /// Instructions from trusted folders, frozen with the session.
    ContextFiles,
    /// The tools' schemas.
    Tools,
    /// The summary that stands for older turns.
    Summary,
    /// Earlier turns: what the user and the model said.
    History,
    /// Earlier turns: tool calls and their results.
    EarlierSteps,
    /// What the user says now, with its files.
    Input,
    /// This turn's tool calls and results so far.
    Steps,
}

impl ContextReport {
    /// The tokens of all layers.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.layers.iter().map(|layer| layer.tokens).sum()
    }
}

/// One shortening of a session's context. What it covers stays in the database; only the model is
/// sent less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Compaction {
    /// Its id.
    pub id: CompactionId,
    /// The session.
    pub session_id: SessionId,
    /// When.
    pub at: Timestamp,
    /// Tool calls up to here, this item included, are left out, with their results.
    pub steps_through: Option<ItemId>,
    /// Everything up to here, this item included, is replaced by the summary. The words of the
    /// running turn's user stay.
    pub summary_through: Option<ItemId>,
    /// What stands for it; empty without `summary_through`.
    pub summary: String,
    /// Everything up to here, this item included, is left out without a summary, as long as the
    /// window is no larger than `window`.
    #[serde(default)]
    pub left_out_through: Option<ItemId>,
    /// The window that it was made for, in tokens.
    #[ts(type = "number")]
    #[serde(default)]
    pub window: u64,
    /// Tokens of a request before.
    #[ts(type = "number")]
    pub tokens_before: u64,
    /// Tokens of a request after.
    #[ts(type = "number")]
    pub tokens_after: u64,
    /// Whether the user asked for it.
    pub by_hand: bool,
}
