//! What is known of the models in use, and from whom.
//!
//! The user's word is in the settings, the table comes with the program, and what services tell or
//! teach is kept in the database, so that a program that has just started knows it too. Only a
//! service near by is asked before a turn: it may run with another window than yesterday.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use talaria_agent::port::Clock;
use talaria_domain::{ModelFacts, ModelName, ModelRef};
use talaria_provider::{
    Endpoint, FactSources, KnownFacts, ListedModel, Memory, Place, is_near, known_facts,
    table_facts,
};
use talaria_store::Store;

use crate::Core;
use crate::wiring::SystemClock;

/// A service's model of which nothing is known is taken to have this window, in tokens.
const USUAL_WINDOW: u64 = 32_768;
/// The same for a model near by.
const SMALL_WINDOW: u64 = 8_192;
/// How long a service near by is waited for when it is asked for its models.
const PATIENCE: Duration = Duration::from_secs(2);

/// What lessons are about.
const LIST: &str = "models";
const WINDOW: &str = "window";
/// The list of a service is filed under no model.
const NO_MODEL: &str = "";

type List = Arc<HashMap<ModelName, ModelFacts>>;

/// The lists that services have given since the program began, by address.
#[derive(Default)]
pub(crate) struct Lists(Mutex<HashMap<String, List>>);

impl Lists {
    fn get(&self, address: &str) -> Option<List> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(address).cloned()
    }

    fn put(&self, address: &str, models: &[ListedModel]) -> List {
        let list: List = Arc::new(
            models
                .iter()
                .map(|model| (model.name.clone(), model.facts))
                .collect(),
        );
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(address.to_owned(), Arc::clone(&list));
        list
    }
}

impl Core {
    /// What is known of a model, each fact with its source.
    pub(crate) async fn known_of(&self, model: &ModelRef, endpoint: &Endpoint) -> KnownFacts {
        let service = self.listed(model, endpoint).await;
        let learned = self.learned_window(model, endpoint).await;
        let sources = FactSources {
            user: self.user_facts(model),
            service,
            // A server that was started anew with another window is not held to the old one's.
            learned_window: learned
                .filter(|learned| learned.listed == service.context_window)
                .map(|learned| learned.tokens),
            table: table_facts(&endpoint.base_url, model.model.as_str()),
        };
        known_facts(&sources)
    }

    /// The window to keep to, in tokens: what is known of it, else a cautious guess.
    pub(crate) fn window_within(&self, known: &KnownFacts, endpoint: &Endpoint) -> u64 {
        let guess = if is_near(&endpoint.base_url) {
            SMALL_WINDOW
        } else {
            USUAL_WINDOW
        };
        self.window()
            .or(known.context_window.map(|window| window.value))
            .unwrap_or(guess)
    }

    /// Keeps a service's list, for turns to come.
    pub(crate) async fn keep_list(&self, endpoint: &Endpoint, models: &[ListedModel]) {
        let address = address(endpoint);
        self.lists().put(&address, models);
        // A service near by is asked again anyway.
        if is_near(&endpoint.base_url) {
            return;
        }
        let (Ok(list), now) = (serde_json::to_string(models), self.now()) else {
            return;
        };
        let kept =
            self.stored(move |store| store.keep_lesson(&address, NO_MODEL, LIST, &list, now));
        if let Err(error) = kept.await {
            tracing::warn!(%error, "a list of models could not be kept");
        }
    }

    /// What the user says of a model.
    pub(crate) fn facts_set_of(&self, model: &ModelRef) -> ModelFacts {
        let settings = self.settings();
        let service = settings.service(&model.service);
        let set = service.and_then(|service| {
            service
                .models
                .iter()
                .find(|known| known.name == model.model)
        });
        set.map(|set| set.facts).unwrap_or_default()
    }

    /// What the user says of a model, or of all models of its service.
    fn user_facts(&self, model: &ModelRef) -> ModelFacts {
        let settings = self.settings();
        let of_all = ModelFacts {
            context_window: settings
                .service(&model.service)
                .and_then(|service| service.context_window),
            ..ModelFacts::default()
        };
        self.facts_set_of(model).or(of_all)
    }

    async fn listed(&self, model: &ModelRef, endpoint: &Endpoint) -> ModelFacts {
        let address = address(endpoint);
        let list = match self.lists().get(&address) {
            Some(list) => Some(list),
            None if is_near(&endpoint.base_url) => None,
            None => self.kept_list(&address).await,
        };
        let facts = facts_in(list, model);
        // Some servers tell a window only of a model that is loaded, which a turn before may have
        // done.
        if is_near(&endpoint.base_url) && facts.context_window.is_none() {
            return facts_in(self.ask_for_list(endpoint, &address).await, model).or(facts);
        }
        facts
    }

    async fn ask_for_list(&self, endpoint: &Endpoint, address: &str) -> Option<List> {
        let client = self.client();
        let asked = tokio::time::timeout(PATIENCE, client.list_models(endpoint)).await;
        let models = asked.ok()?.ok()?;
        Some(self.lists().put(address, &models))
    }

    async fn kept_list(&self, address: &str) -> Option<List> {
        let place = address.to_owned();
        let kept = self
            .stored(move |store| store.lesson(&place, NO_MODEL, LIST))
            .await
            .ok()?;
        let models: Vec<ListedModel> = match kept {
            Some(kept) => serde_json::from_str(&kept).ok()?,
            None => Vec::new(),
        };
        Some(self.lists().put(address, &models))
    }

    async fn learned_window(&self, model: &ModelRef, endpoint: &Endpoint) -> Option<LearnedWindow> {
        let (address, model) = (address(endpoint), model.model.clone());
        let kept = self
            .stored(move |store| store.lesson(&address, model.as_str(), WINDOW))
            .await
            .ok()??;
        serde_json::from_str(&kept).ok()
    }
}

fn facts_in(list: Option<List>, model: &ModelRef) -> ModelFacts {
    list.and_then(|list| list.get(&model.model).copied())
        .unwrap_or_default()
}

/// A window that an overflow has taught.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct LearnedWindow {
    tokens: u64,
    /// The window that the service listed then; the lesson is void once it lists another.
    listed: Option<u64>,
}

/// Lessons kept in the database: how a model wants to be asked, and its window.
#[derive(Clone)]
pub(crate) struct Lessons {
    store: Store,
    lists: Arc<Lists>,
    clock: Arc<SystemClock>,
}

impl Lessons {
    pub(crate) fn new(store: Store, lists: Arc<Lists>, clock: Arc<SystemClock>) -> Self {
        Self {
            store,
            lists,
            clock,
        }
    }

    /// Keeps the window that an overflow has taught, in tokens.
    pub(crate) fn learn_window(&self, endpoint: &Endpoint, model: &ModelName, tokens: u64) {
        tracing::info!(%model, tokens, "a model's window was learnt");
        let address = address(endpoint);
        let list = self.lists.get(&address);
        let listed = list.and_then(|list| list.get(model)?.context_window);
        if let Ok(learned) = serde_json::to_string(&LearnedWindow { tokens, listed }) {
            self.write(&address, model.as_str(), WINDOW, &learned);
        }
    }

    fn write(&self, address: &str, model: &str, subject: &str, content: &str) {
        let kept = self
            .store
            .keep_lesson(address, model, subject, content, self.clock.now());
        if let Err(error) = kept {
            tracing::warn!(%error, "a lesson could not be kept");
        }
    }
}

impl Memory for Lessons {
    fn recall(&self, place: &Place) -> Option<String> {
        let found = self
            .store
            .lesson(&place.address, &place.model, place.subject);
        found
            .inspect_err(|error| tracing::warn!(%error, "a lesson could not be read"))
            .ok()?
    }

    fn keep(&self, place: &Place, lesson: &str) {
        self.write(&place.address, &place.model, place.subject, lesson);
    }
}

/// Where a service's lessons are filed. What its address may hold beside origin and path could be
/// a secret.
fn address(endpoint: &Endpoint) -> String {
    let url = &endpoint.base_url;
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}
