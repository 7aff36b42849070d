//! Model services that already run on this computer.
//!
//! Each candidate of `discovery/candidates.yaml` is asked at its usual port, all at once. It is
//! offered only if it shows the sign of its kind and lists its models, so that another program on
//! the same port is not. Nothing but this computer is ever asked.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesOrdered;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use url::Url;

use crate::{Client, Endpoint, ListedModel, Protocol, is_loopback};

/// How long a candidate may take; what runs on this computer answers at once.
const TIME: Duration = Duration::from_secs(1);
/// The longest sign that is read.
const SIGN_BYTES: usize = 1024 * 1024;

/// A service found on its usual port. It needs no key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LocalService {
    /// Its id, such as `ollama`.
    pub id: String,
    /// Its name, such as "Ollama".
    pub name: String,
    /// The address requests go to.
    pub base_url: String,
    /// What it can run; empty if it has no model yet.
    pub models: Vec<ListedModel>,
}

/// A service that may run here, and how to know it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Candidate {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The address requests would go to.
    pub base_url: Url,
    /// What only this kind of service shows.
    pub sign: Sign,
}

/// What tells one kind of service from another, and from an unrelated web server.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sign {
    /// At this path it answers a JSON object with this field.
    Field {
        /// The path, from the host's root.
        path: String,
        /// The field.
        field: String,
    },
    /// Its model list names this owner.
    Owner {
        /// The owner.
        owner: String,
    },
}

static CANDIDATES: LazyLock<Vec<Candidate>> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("discovery/candidates.yaml")).unwrap_or_default()
});

/// The services people run on their own computer, at their usual ports.
#[must_use]
pub fn usual_candidates() -> &'static [Candidate] {
    &CANDIDATES
}

/// Those of the candidates that run now, in the candidates' order. Takes a second at most.
pub async fn discover(client: &Client, candidates: &[Candidate]) -> Vec<LocalService> {
    let asked: FuturesOrdered<_> = candidates
        .iter()
        .filter(|candidate| is_loopback(&candidate.base_url))
        .map(|candidate| async move {
            tokio::time::timeout(TIME, ask(client, candidate))
                .await
                .ok()
                .flatten()
        })
        .collect();
    let found: Vec<LocalService> = asked.filter_map(std::future::ready).collect().await;
    with_own_ids(found)
}

/// The candidate, if it is there.
async fn ask(client: &Client, candidate: &Candidate) -> Option<LocalService> {
    if !shows_sign(client, candidate).await? {
        return None;
    }
    let endpoint = Endpoint {
        base_url: candidate.base_url.clone(),
        protocol: Protocol::OpenaiChat,
        key: None,
    };
    let (_, models) = client.listed(&endpoint).await.ok()?;
    Some(LocalService {
        id: candidate.id.clone(),
        name: candidate.name.clone(),
        base_url: candidate.base_url.to_string(),
        models,
    })
}

async fn shows_sign(client: &Client, candidate: &Candidate) -> Option<bool> {
    match &candidate.sign {
        Sign::Field { path, field } => {
            let answer = read_json(client, candidate.base_url.join(path).ok()?).await?;
            Some(answer.get(field).is_some_and(|value| !value.is_null()))
        }
        Sign::Owner { owner } => {
            let address = format!(
                "{}/models",
                candidate.base_url.as_str().trim_end_matches('/')
            );
            let answer = read_json(client, Url::parse(&address).ok()?).await?;
            let models = answer.get("data")?.as_array()?;
            Some(
                models.iter().any(|model| {
                    model.get("owned_by").and_then(Value::as_str) == Some(owner.as_str())
                }),
            )
        }
    }
}

/// A JSON answer of bounded size. The client follows no redirect away from the origin.
async fn read_json(client: &Client, url: Url) -> Option<Value> {
    let mut answer = client.http(&url).get(url.clone()).send().await.ok()?;
    if !answer.status().is_success() {
        return None;
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.ok()? {
        body.extend_from_slice(&piece);
        if body.len() > SIGN_BYTES {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
}

/// Gives a second service of one kind an id of its own, by its port.
fn with_own_ids(mut found: Vec<LocalService>) -> Vec<LocalService> {
    let mut taken = HashSet::new();
    for service in &mut found {
        if !taken.insert(service.id.clone()) {
            let port = Url::parse(&service.base_url)
                .ok()
                .and_then(|url| url.port());
            service.id = format!("{}-{}", service.id, port.unwrap_or_default());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{LocalService, usual_candidates, with_own_ids};
    use crate::{Protocol, base_url, is_loopback};

    #[test]
    fn the_usual_candidates_are_on_this_computer_and_in_the_right_form() {
        let ids: HashSet<_> = usual_candidates()
            .iter()
            .map(|one| one.id.as_str())
            .collect();
        assert_eq!(
            ids,
            HashSet::from(["ollama", "lm-studio", "llama-cpp", "vllm"])
        );
        for candidate in usual_candidates() {
            assert!(is_loopback(&candidate.base_url), "{}", candidate.id);
            let url = base_url(candidate.base_url.as_str(), Protocol::OpenaiChat);
            assert_eq!(url.as_ref(), Ok(&candidate.base_url), "{}", candidate.id);
        }
    }

    #[test]
    fn two_services_of_one_kind_get_two_ids() {
        let service = |port: u16| LocalService {
            id: "vllm".to_owned(),
            name: "vLLM".to_owned(),
            base_url: format!("http://127.0.0.1:{port}/v1"),
            models: Vec::new(),
        };
        let ids: Vec<_> = with_own_ids(vec![service(8000), service(8080)])
            .into_iter()
            .map(|one| one.id)
            .collect();
        assert_eq!(ids, ["vllm", "vllm-8080"]);
    }
}
