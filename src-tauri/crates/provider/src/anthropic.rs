//! Anthropic's messages protocol.

mod model;
mod reader;
mod request;

pub(crate) use reader::Reader;
pub(crate) use request::{beta, body};

/// Where requests go, below the service's address.
pub(crate) const PATH: [&str; 1] = ["messages"];

/// The version of the protocol, sent with each request.
pub(crate) const VERSION: &str = "2023-06-01";
