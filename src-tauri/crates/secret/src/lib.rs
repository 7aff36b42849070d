//! Secret values: a type that cannot be printed, and the stores that keep them.
//!
//! `talaria-api` holds one [`SecretStore`]; the provider layer takes the `Secret`s it needs from it.

mod backend;
mod error;
mod keyring;
mod name;
mod redactor;
mod sealed_file;
mod secret;
mod store;

pub use backend::{Backend, KeyringProblem, StoreChoice, StoreState};
pub use error::SecretError;
pub use name::SecretName;
pub use redactor::Redactor;
pub use secret::Secret;
pub use store::SecretStore;
