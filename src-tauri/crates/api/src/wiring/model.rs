//! The configured services as the agent's models.

use std::collections::HashMap;

use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use talaria_agent::Budget;
use talaria_agent::port::ModelService;
use talaria_domain::{
    AttachmentId, ErrorCode, Message, ModelEvent, ModelRef, ModelRequest, Price, Retry,
    ServiceFailure, ServiceId,
};
use talaria_provider::{Client, Endpoint, Files, cost, is_near};
use talaria_store::{Store, StoreError};

use crate::models::Lessons;

/// The services a turn may ask, reached through the shared HTTP client.
pub(crate) struct Services {
    pub(crate) client: Client,
    pub(crate) store: Store,
    pub(crate) lessons: Lessons,
    pub(crate) endpoints: HashMap<ServiceId, Endpoint>,
    /// The windows of the models that may take over, and how they count.
    pub(crate) budgets: HashMap<ModelRef, Budget>,
    /// What the models cost, as far as it is known.
    pub(crate) prices: HashMap<ModelRef, Price>,
}

impl ModelService for Services {
    fn ask(
        &self,
        service: &ServiceId,
        request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        let Some(endpoint) = self.endpoints.get(service).cloned() else {
            return stream::iter([Err(unknown(service))]).boxed();
        };
        let model = ModelRef {
            service: service.clone(),
            model: request.model.clone(),
        };
        let price = self.prices.get(&model).copied();
        let (client, store) = (self.client.clone(), self.store.clone());
        stream::once(async move {
            let files = files_of(store, &request.messages).await?;
            Ok(client.stream(&endpoint, request, &files))
        })
        .try_flatten()
        .map_ok(move |event| priced(event, price))
        .boxed()
    }

    fn budget(&self, model: &ModelRef) -> Option<Budget> {
        self.budgets.get(model).cloned()
    }

    /// A server near by has whatever window it was given, and some cut what does not fit.
    fn cuts_silently(&self, service: &ServiceId) -> bool {
        self.endpoints
            .get(service)
            .is_some_and(|endpoint| is_near(&endpoint.base_url))
    }

    fn learn_window(&self, model: &ModelRef, tokens: u64) {
        let Some(endpoint) = self.endpoints.get(&model.service).cloned() else {
            return;
        };
        let (lessons, name) = (self.lessons.clone(), model.model.clone());
        tokio::task::spawn_blocking(move || lessons.learn_window(&endpoint, &name, tokens));
    }
}

/// The bytes of the files that messages name. One that is gone is left out: the message says so.
async fn files_of(store: Store, messages: &[Message]) -> Result<Files, ServiceFailure> {
    let ids: Vec<AttachmentId> = messages
        .iter()
        .flat_map(|message| match message {
            Message::User { attachments, .. } => attachments.as_slice(),
            Message::System { .. } | Message::Assistant { .. } | Message::Tool { .. } => &[],
        })
        .map(|attachment| attachment.id)
        .collect();
    if ids.is_empty() {
        return Ok(Files::default());
    }
    let read = tokio::task::spawn_blocking(move || {
        let mut files = Files::default();
        for id in ids {
            match store.attachment(id) {
                Ok((_, content)) => drop(files.insert(id, content.into())),
                Err(StoreError::NotFound(_)) => {}
                Err(error) => return Err(failure(ErrorCode::Storage, error.to_string())),
            }
        }
        Ok(files)
    });
    read.await
        .unwrap_or_else(|error| Err(failure(ErrorCode::Internal, error.to_string())))
}

/// The service's own word for what it cost goes before the list price.
fn priced(event: ModelEvent, price: Option<Price>) -> ModelEvent {
    match (event, price) {
        (ModelEvent::Usage(mut usage), Some(price)) if usage.cost.is_none() => {
            usage.cost = cost(&usage, &price);
            ModelEvent::Usage(usage)
        }
        (event, _) => event,
    }
}

fn unknown(service: &ServiceId) -> ServiceFailure {
    failure(
        ErrorCode::NotFound,
        format!("the service \"{service}\" is not set up"),
    )
}

fn failure(code: ErrorCode, message: String) -> ServiceFailure {
    ServiceFailure {
        code,
        message,
        retry: Retry::Never,
        limit: None,
        status: None,
    }
}
