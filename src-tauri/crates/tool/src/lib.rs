//! Built-in tools, one file each, and their registry. The core offers them to the agent.

mod argument;
pub mod file;
mod list_notes;
mod output;
mod read_note;
mod registry;
pub mod sandbox;
mod save_note;
mod search_notes;
pub mod terminal;
mod title;
mod tool;
mod vault;

pub use registry::{Registry, note_tools};
pub use tool::{LiveOutput, Tool, ToolContext};
pub use vault::Vault;
