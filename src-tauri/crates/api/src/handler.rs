//! The answer to each command of the contract, one function each, by its name.

mod attachment;
mod context;
mod doctor;
mod export;
mod file;
mod image;
mod model;
mod note;
mod permission;
mod process;
mod question;
mod secret;
mod session;
mod setting;
mod setup;
mod sign_in;
mod trace;
mod turn;

pub use attachment::*;
pub use context::*;
pub use doctor::*;
pub use export::*;
pub use file::*;
pub use image::*;
pub use model::*;
pub use note::*;
pub use permission::*;
pub use process::*;
pub use question::*;
pub use secret::*;
pub use session::*;
pub use setting::*;
pub use setup::*;
pub use sign_in::*;
pub use trace::*;
pub use turn::*;
