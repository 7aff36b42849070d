//! Built-in tools, one file each, and their registry. The core offers them to the agent.

mod argument;
pub mod file;
mod list_notes;
mod output;
mod read_note;
mod registry;
mod save_note;
mod search_notes;
mod title;
mod tool;

pub use registry::{Registry, note_tools};
pub use tool::{LiveOutput, Tool, ToolContext};
