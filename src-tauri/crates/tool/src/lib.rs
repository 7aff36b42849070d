//! Built-in tools, one file each, and their registry. The core offers them to the agent.

mod argument;
mod clarify;
mod fetch_page;
pub mod file;
mod list_notes;
mod output;
mod read_note;
mod registry;
pub mod sandbox;
mod save_note;
mod search_notes;
mod search_sessions;
mod search_web;
pub mod terminal;
mod title;
mod todo;
mod tool;
mod tool_search;
mod vault;

pub use fetch_page::{Fetched, Web};
pub use output::Spill;
pub use registry::{Registry, note_tools, session_tools, web_tools};
pub use search_sessions::{Remembered, Sessions};
pub use search_web::WebSearch;
pub use tool::{LiveOutput, Tool, ToolContext, Withheld};
pub use vault::Vault;
