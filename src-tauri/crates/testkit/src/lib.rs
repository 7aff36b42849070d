//! What tests share: a model service on loopback that follows a script, and a home of their own
//! for the programs they start.
//!
//! Only ever a dev-dependency. Its own tests also hold the workspace's dependency table.

mod home;
mod http;
mod round;
mod service;
mod strict;

pub use home::TempHome;
pub use round::{Round, Step};
pub use service::{Recorded, ScriptedService};
pub use strict::faults;
