//! The contract of the window and the command line: commands, events, errors, and their handlers.
//!
//! Both front ends hold a [`Core`]. The window sends it the contract's commands as JSON; the command
//! line calls the same [`handler`]s. Nothing else of Talaria is visible to them.

mod context_files;
mod contract;
mod conversation;
mod core;
mod error;
mod folders;
pub mod handler;
mod hint;
mod host;
mod intake;
mod logging;
mod models;
mod notes;
mod otlp;
mod questions;
mod running;
mod secrets;
mod services;
mod toolbox;
pub mod typescript;
mod wiring;
mod yes;

pub use contract::*;
pub use core::{Core, system_language};
pub use error::ApiError;
pub use host::{Deaf, Environment, Host, Options, Sink};
pub use services::ServiceOverride;
pub use talaria_agent::TurnEvent;
pub use talaria_note::{Note, NoteSummary};
pub use talaria_provider::{
    ListedModel, LocalService, Preset, ProofEvent, ProofState, ProofStep, Protocol,
};
pub use talaria_secret::{Secret, StoreChoice};
pub use talaria_store::WindowPlace;
pub use talaria_tool::sandbox::enter as enter_sandbox;
