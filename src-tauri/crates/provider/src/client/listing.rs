//! Asking a service for its models.
//!
//! The list that every service has says little on servers that people run themselves. Those are
//! known by it, and asked for more in their own way: [`crate::local_facts`] reads the answers.

use std::time::{Duration, SystemTime};

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};
use talaria_domain::{ErrorCode, ServiceFailure};
use url::Url;

use super::{Client, accepted, below, start_of, with_key};
use crate::local_facts::{self, LocalServer};
use crate::{Endpoint, ListedModel, Protocol, failure, model_list};

/// How much of a list of models is read; the largest known one is about 1 MiB.
const LIST_BYTES: usize = 16 * 1024 * 1024;
/// How long a server may take to tell more than its list does.
const TIME_FOR_MORE: Duration = Duration::from_secs(1);
/// How many models of a server are asked for one by one.
const ASKED: usize = 64;

impl Client {
    /// What the service says it can run, and what it tells of each.
    pub async fn list_models(
        &self,
        endpoint: &Endpoint,
    ) -> Result<Vec<ListedModel>, ServiceFailure> {
        let (list, mut models) = self.listed(endpoint).await?;
        if let Some(server) = local_facts::server_of(&list) {
            // What came in time stays.
            let more = self.ask_for_more(server, endpoint, &mut models);
            let _ = tokio::time::timeout(TIME_FOR_MORE, more).await;
        }
        Ok(models)
    }

    /// What the service lists, as it lists it.
    pub(crate) async fn listed(
        &self,
        endpoint: &Endpoint,
    ) -> Result<(Value, Vec<ListedModel>), ServiceFailure> {
        self.within(self.limits.idle, self.ask_for_list(endpoint))
            .await
            .map_err(|failure| failure::conceal(failure, endpoint.key.as_ref()))
    }

    async fn ask_for_list(
        &self,
        endpoint: &Endpoint,
    ) -> Result<(Value, Vec<ListedModel>), ServiceFailure> {
        let mut url = below(&endpoint.base_url, &["models"]);
        if endpoint.protocol == Protocol::AnthropicMessages {
            url.query_pairs_mut().append_pair("limit", "1000");
        }
        let request = with_key(self.http(&url).get(url), endpoint)?;
        let response = accepted(request).await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let body = start_of(response, LIST_BYTES).await?;
        serde_json::from_slice(&body)
            .ok()
            .and_then(|list| model_list::read(&list).map(|models| (list, models)))
            .ok_or_else(|| ServiceFailure {
                code: ErrorCode::BadResponse,
                ..failure::from_answer(status, &headers, &body, SystemTime::now())
            })
    }

    /// Puts what the server tells in its own way before what its list says.
    async fn ask_for_more(
        &self,
        server: LocalServer,
        endpoint: &Endpoint,
        models: &mut [ListedModel],
    ) {
        match server {
            LocalServer::Ollama => self.ask_ollama(endpoint, models).await,
            LocalServer::LmStudio => {
                let Some(list) = self.told(endpoint, &["api", "v0", "models"], None).await else {
                    return;
                };
                let told = model_list::read(&list).unwrap_or_default();
                for model in models {
                    if let Some(told) = told.iter().find(|told| told.name == model.name) {
                        model.facts = told.facts.or(model.facts);
                    }
                }
            }
            // It tells of the model that it has loaded; where there are more, of none of them.
            LocalServer::LlamaCpp => {
                if let [model] = models
                    && let Some(properties) = self.told(endpoint, &["props"], None).await
                {
                    model.facts = local_facts::of_llama_cpp(&properties).or(model.facts);
                }
            }
        }
    }

    async fn ask_ollama(&self, endpoint: &Endpoint, models: &mut [ListedModel]) {
        let running = self.told(endpoint, &["api", "ps"], None).await;
        let running = running.unwrap_or_default();
        let mut asked = FuturesUnordered::new();
        for model in models.iter_mut().take(ASKED) {
            asked.push(self.ask_ollama_for(endpoint, model, &running));
        }
        while asked.next().await.is_some() {}
    }

    async fn ask_ollama_for(&self, endpoint: &Endpoint, model: &mut ListedModel, running: &Value) {
        let which = json!({ "model": model.name });
        let shown = self.told(endpoint, &["api", "show"], Some(&which)).await;
        if let Some(shown) = shown {
            let told = local_facts::of_ollama(&shown, running, model.name.as_str());
            model.facts = told.or(model.facts);
        }
    }

    /// What the server answers beside its protocol, if it does; a question with a body is posted.
    async fn told(
        &self,
        endpoint: &Endpoint,
        path: &[&str],
        body: Option<&Value>,
    ) -> Option<Value> {
        let url = beside(&endpoint.base_url, path);
        let request = match body {
            Some(body) => self.http(&url).post(url).json(body),
            None => self.http(&url).get(url),
        };
        let response = accepted(with_key(request, endpoint).ok()?).await.ok()?;
        let body = start_of(response, LIST_BYTES).await.ok()?;
        serde_json::from_slice(&body).ok()
    }
}

/// An address beside the service's protocol: at its root, without the version.
fn beside(base: &Url, path: &[&str]) -> Url {
    let mut url = base.clone();
    let is_versioned = base
        .path_segments()
        .and_then(|mut segments| segments.next_back())
        == Some("v1");
    if let Ok(mut segments) = url.path_segments_mut() {
        if is_versioned {
            segments.pop();
        }
        segments.pop_if_empty().extend(path);
    }
    url
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::beside;

    #[test]
    fn what_lies_beside_the_protocol_is_found_from_any_address() {
        for (base, full) in [
            ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/api/ps"),
            ("http://127.0.0.1:11434", "http://127.0.0.1:11434/api/ps"),
            (
                "http://a.example/ollama/v1",
                "http://a.example/ollama/api/ps",
            ),
        ] {
            let base = Url::parse(base).unwrap();
            assert_eq!(beside(&base, &["api", "ps"]).as_str(), full);
        }
    }
}
