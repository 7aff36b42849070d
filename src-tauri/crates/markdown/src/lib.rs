//! Markdown to safe HTML, block by block, as it streams in.
//!
//! A text is cut into top-level chunks by its lines alone (`chunk`); each chunk is parsed and written
//! on its own (`html`). A chunk that has ended never changes, so a stream renders each one once.
//! `talaria-api` calls this for answers and for notes.

mod block;
mod chunk;
mod completion;
mod escape;
mod html;
mod link;
mod math;
mod partial;
mod reference;
mod stream;

pub use block::{Block, BlockPatch};
pub use stream::{Stream, render};
