//! Secret values: a type that cannot be printed, and the stores that keep them.

mod backend;
mod secret;

pub use backend::{Backend, KeyringProblem, StoreChoice, StoreState};
pub use secret::Secret;
