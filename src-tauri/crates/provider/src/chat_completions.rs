//! OpenAI's chat completions, and the many services that imitate them more or less.

mod finish;
mod ollama;
mod reader;
mod request;

pub(crate) use reader::Reader;
pub(crate) use request::body;

/// Where requests go, below the service's address.
pub(crate) const PATH: [&str; 2] = ["chat", "completions"];
