//! A configured service as the agent's model.

use futures_util::stream::BoxStream;
use talaria_agent::port::ModelService;
use talaria_domain::{ModelEvent, ModelRequest, ServiceFailure};
use talaria_provider::{Client, Endpoint};

/// One service, reached through the shared HTTP client.
pub(crate) struct ServiceModel {
    pub(crate) client: Client,
    pub(crate) endpoint: Endpoint,
}

impl ModelService for ServiceModel {
    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        self.client.stream(&self.endpoint, request)
    }
}
