//! Connects the traits that the agent owns to the crates that do the work.

mod authority;
mod change;
mod clock;
mod journal;
mod listener;
mod model;
mod sessions;
mod spill;
mod token;
mod tools;
mod trace;
mod vault;
mod web;
mod web_search;

pub(crate) use authority::FrontEnd;
pub(crate) use change::StoreChanges;
pub(crate) use clock::SystemClock;
pub(crate) use journal::StoreJournal;
pub(crate) use listener::ToFrontEnd;
pub(crate) use model::Services;
pub(crate) use sessions::StoreSessions;
pub(crate) use spill::{SpillFolder, sweep};
pub(crate) use token::ModelTokens;
pub(crate) use tools::BuiltInTools;
pub(crate) use trace::StoreTracer;
pub(crate) use vault::StoreVault;
pub(crate) use web::PublicWeb;
pub(crate) use web_search::{ChosenSearch, search_key_name};
