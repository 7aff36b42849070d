//! The contract of the window and the command line: commands, events, errors, and their handlers.
//!
//! Both front ends hold a [`Core`] and send it [`Call`]s and [`Stream`]s; nothing else of Talaria
//! is visible to them.

mod contract;
mod error;
pub mod typescript;

pub use contract::*;
pub use error::ApiError;
