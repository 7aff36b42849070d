//! Model services (wire protocols, streams, errors, presets, discovery, proof, authorisation), and
//! the public web: files by their address, and searches.

mod address;
mod answer;
mod anthropic;
mod arguments;
mod attachment;
mod authorization;
mod catalog;
mod chat_completions;
mod client;
mod content;
mod delta;
mod dialect;
mod discovery;
mod echo;
mod facts;
mod failure;
mod framing;
mod history;
mod image;
mod local_facts;
mod model_list;
mod model_table;
mod payload;
mod price;
mod printed_calls;
mod proof;
mod public;
mod question;
#[cfg(feature = "replay")]
mod replay;
mod responses;
#[cfg(test)]
mod sample;
mod schema;
mod service;
mod shape;
mod sse;
mod surroundings;
mod think;
mod tokenizer;
mod tool_calls;
mod tool_name;
mod web_search;

pub use address::{AddressError, base_url, is_loopback, is_near};
pub use attachment::Files;
pub use authorization::{
    Attempt, AuthorizationError, AuthorizationState, Authorizer, SignInService, sign_in_service,
};
pub use catalog::{EnvironmentKey, Preset, environment_keys, preset, presets};
pub use client::{Client, Limits};
pub use dialect::{Memory, Place};
pub use discovery::{Candidate, LocalService, Sign, discover, usual_candidates};
pub use facts::{FactSource, FactSources, Known, KnownFacts, known_facts};
pub use image::RemoteImage;
pub use model_table::{table_date, table_facts};
pub use price::cost;
pub use proof::{ProofEvent, ProofState, ProofStep, Remedy, prove};
pub use public::PublicFile;
#[cfg(feature = "replay")]
pub use replay::replay;
pub use service::{Endpoint, ListedModel, Protocol};
pub use tokenizer::Tokenizer;
pub use web_search::{SearchEndpoint, SearchService, search_service, search_services};
