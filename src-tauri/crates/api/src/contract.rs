//! Everything that crosses to a front end: the commands by name, and the shapes they carry.

mod attachment;
mod command;
mod context;
mod event;
mod file;
mod model;
mod note;
mod permission;
mod process;
mod question;
mod secret;
mod session;
mod setting;
mod setup;
mod trace;
mod web;

pub use attachment::*;
pub use command::{Call, Stream};
pub(crate) use command::{VisitTypes, visit_types};
pub use context::*;
pub use event::{Change, WindowTurnEvent};
pub use file::*;
pub use model::*;
pub use note::*;
pub use permission::*;
pub use process::*;
pub use question::*;
pub use secret::*;
pub use session::*;
pub use setting::*;
pub use setup::*;
pub use trace::*;
pub use web::*;
