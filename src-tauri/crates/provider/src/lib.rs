//! Model services: wire protocols, streams, errors, presets, discovery, proof and authorisation.

mod authorization;
mod catalog;
mod client;
mod discovery;
mod proof;
mod service;

pub use authorization::AuthorizationState;
pub use catalog::{EnvironmentKey, Preset};
pub use client::{Client, Limits};
pub use discovery::LocalService;
pub use proof::{ProofEvent, ProofState, ProofStep, Remedy};
pub use service::{Endpoint, ListedModel, Protocol};
