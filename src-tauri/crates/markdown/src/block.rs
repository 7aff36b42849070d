//! The unit the window replaces: one top-level Markdown block as HTML.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One top-level block, rendered. Safe to insert: raw HTML of the source is escaped, links have an
/// allowed scheme, images are placeholders that load nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Block {
    /// The HTML.
    pub html: String,
    /// False while the block may still change as text streams in.
    pub settled: bool,
}

/// What a renderer's output changed by: blocks from `from` on are replaced by `blocks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BlockPatch {
    /// Index of the first block that changed.
    pub from: usize,
    /// The blocks from there to the end.
    pub blocks: Vec<Block>,
}
