//! The unit the window replaces: one top-level Markdown block as HTML.
//!
//! What the HTML holds, and nothing else:
//!
//! - `p`, `h1`–`h6`, `blockquote`, `ul`, `ol start`, `li`, `hr`, `br`, `em`, `strong`, `del`, `code`
//! - `<a href="…" rel="noreferrer">` with the scheme http, https or mailto
//! - `<pre data-language="rust"><code>…</code></pre>`, Mermaid diagrams the same way
//! - `<div class="table"><table>…</table></div>`, cells with `data-align`
//! - `<span class="math" data-display="false">tex</span>`, `<div class="math" data-display="true">`
//! - `<span class="remote-image" data-src="…" data-alt="…"></span>`, which loads nothing by itself
//! - `<input type="checkbox" disabled>`, `checked` or not
//! - `<sup class="footnote-reference">1</sup>`, `<div class="footnote"><sup>1</sup>…</div>`
//!
//! Raw HTML of the source is shown as text.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One top-level block, rendered. Safe to insert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Block {
    /// The HTML.
    pub html: String,
    /// False while the block may still change as text streams in. A settled one changes at most once,
    /// when the text ends: if a definition further down makes a link of something in it.
    pub settled: bool,
}

/// What a renderer's output changed by: blocks from `from` on are replaced by `blocks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BlockPatch {
    /// Index of the first block that changed; the number of blocks if none did.
    pub from: usize,
    /// The blocks from there to the end.
    pub blocks: Vec<Block>,
}
