//! The configured services as the agent's models.

use std::collections::HashMap;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use talaria_agent::port::ModelService;
use talaria_domain::{ErrorCode, ModelEvent, ModelRequest, Retry, ServiceFailure, ServiceId};
use talaria_provider::{Client, Endpoint, Files, is_near};

/// The services a turn may ask, reached through the shared HTTP client.
pub(crate) struct Services {
    client: Client,
    endpoints: HashMap<ServiceId, Endpoint>,
}

impl Services {
    pub(crate) fn new(client: Client, endpoints: HashMap<ServiceId, Endpoint>) -> Self {
        Self { client, endpoints }
    }
}

impl ModelService for Services {
    fn ask(
        &self,
        service: &ServiceId,
        request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        match self.endpoints.get(service) {
            Some(endpoint) => self.client.stream(endpoint, request, &Files::default()),
            None => stream::iter([Err(unknown(service))]).boxed(),
        }
    }

    /// A server near by has whatever window it was given, and some cut what does not fit.
    fn cuts_silently(&self, service: &ServiceId) -> bool {
        self.endpoints
            .get(service)
            .is_some_and(|endpoint| is_near(&endpoint.base_url))
    }
}

fn unknown(service: &ServiceId) -> ServiceFailure {
    ServiceFailure {
        code: ErrorCode::NotFound,
        message: format!("the service \"{service}\" is not set up"),
        retry: Retry::Never,
        limit: None,
        status: None,
    }
}
