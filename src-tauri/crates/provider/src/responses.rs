//! OpenAI's responses protocol, and the servers that speak the part of it they need.
//!
//! The service keeps nothing: each request holds the whole history, and the reasoning the service
//! wants to see again comes back sealed by it.

mod reader;
mod request;

pub(crate) use reader::Reader;
pub(crate) use request::body;

/// Where requests go, below the service's address.
pub(crate) const PATH: [&str; 1] = ["responses"];
