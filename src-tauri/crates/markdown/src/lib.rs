//! Markdown to safe HTML, block by block, as it streams in.

mod block;

pub use block::{Block, BlockPatch};
