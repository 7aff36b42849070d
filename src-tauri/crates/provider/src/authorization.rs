//! Signing in to a service in the browser, instead of pasting a key.
//!
//! The service's page sends the browser back to a listener on this computer with a code, and the
//! code is exchanged for a key (PKCE). What differs between services is data, in
//! `authorization/services.yaml`. `talaria-api` begins an attempt, opens its page, asks how it
//! stands and moves the key into the secret store.

mod callback;
mod exchange;
mod page;
mod pkce;

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use talaria_domain::ErrorCode;
use talaria_secret::Secret;
use tokio::task::AbortHandle;
use ts_rs::TS;
use url::Url;

use crate::Client;
use callback::Listener;
use pkce::Proof;

/// How long an attempt waits for the browser.
const PATIENCE: Duration = Duration::from_secs(600);

/// Where an attempt to sign in stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum AuthorizationState {
    /// The browser has not come back yet.
    Waiting,
    /// The service gave a key; it is in the secret store.
    Done,
    /// It did not work.
    Failed {
        /// The kind of failure.
        code: ErrorCode,
        /// What was said.
        message: String,
    },
}

/// Why an attempt could not begin.
#[derive(Debug, thiserror::Error)]
pub enum AuthorizationError {
    /// No port on this computer could be listened on.
    #[error("can't listen for the browser on this computer: {0}")]
    Listen(#[from] std::io::Error),
    /// The service's description has an address that can't be used.
    #[error("the sign-in page's address can't be used: {0}")]
    Page(#[from] url::ParseError),
}

/// A service that can be signed in to, as data.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SignInService {
    /// The preset it belongs to.
    pub preset: String,
    /// The page the browser opens.
    pub page: Url,
    /// The parameter of the page that takes the address to come back to.
    pub callback_parameter: String,
    /// The parameter the service gives back unchanged, where it has one. Without it only the
    /// unguessable path of the callback tells a right answer from a forged one.
    #[serde(default)]
    pub state_parameter: Option<String>,
    /// More parameters of the page, always the same.
    #[serde(default)]
    pub parameters: Vec<(String, String)>,
    /// Where the code is exchanged.
    pub exchange: Url,
    /// The field of the exchange's answer that holds the key.
    pub key_field: String,
}

static SERVICES: LazyLock<Vec<SignInService>> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("authorization/services.yaml")).unwrap_or_default()
});

/// How to sign in to a preset's service, if it can be done.
#[must_use]
pub fn sign_in_service(preset: &str) -> Option<&'static SignInService> {
    SERVICES.iter().find(|service| service.preset == preset)
}

/// Begins attempts to sign in.
#[derive(Clone, Debug)]
pub struct Authorizer {
    client: Client,
    patience: Duration,
}

impl Authorizer {
    /// An authorizer whose attempts wait ten minutes.
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self {
            client,
            patience: PATIENCE,
        }
    }

    /// The same with another patience.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Begins to listen for the browser; the caller opens [`Attempt::url`]. Needs a Tokio runtime.
    ///
    /// # Errors
    /// If no port can be listened on.
    pub async fn begin(&self, service: &SignInService) -> Result<Attempt, AuthorizationError> {
        let proof = Proof::random();
        let state = pkce::random_token();
        let listener = Listener::bind(&state).await?;
        let url = page_address(service, &listener.url()?, &state, &proof);
        let progress = Arc::new(Mutex::new(Progress::Waiting));

        let work = sign_in(self.client.clone(), service.clone(), listener, proof, state);
        let (patience, shared) = (self.patience, Arc::clone(&progress));
        let task = tokio::spawn(async move {
            let end = tokio::time::timeout(patience, work)
                .await
                .unwrap_or_else(|_| {
                    Progress::failed(ErrorCode::Timeout, "the browser did not come back in time")
                });
            settle(&shared, end);
        });
        Ok(Attempt {
            id: pkce::random_token(),
            url,
            expires_in: self.patience,
            progress,
            task: task.abort_handle(),
        })
    }
}

/// One sign-in that waits for the browser. Dropping it gives it up.
#[derive(Debug)]
pub struct Attempt {
    id: String,
    url: Url,
    expires_in: Duration,
    progress: Arc<Mutex<Progress>>,
    task: AbortHandle,
}

impl Attempt {
    /// Names the attempt; says nothing about its secrets.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The page to open in the browser.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// How long it waits in all.
    #[must_use]
    pub fn expires_in(&self) -> Duration {
        self.expires_in
    }

    /// How it stands now. Asking again is what "I have finished" does.
    #[must_use]
    pub fn state(&self) -> AuthorizationState {
        match &*lock(&self.progress) {
            Progress::Waiting => AuthorizationState::Waiting,
            Progress::Done(_) => AuthorizationState::Done,
            Progress::Failed { code, message } => AuthorizationState::Failed {
                code: *code,
                message: message.clone(),
            },
        }
    }

    /// Hands the key over, once.
    #[must_use]
    pub fn take_key(&self) -> Option<Secret<String>> {
        match &mut *lock(&self.progress) {
            Progress::Done(key) => key.take(),
            _ => None,
        }
    }

    /// Gives it up: the listener closes, and a key that has not been taken is forgotten.
    pub fn cancel(&self) {
        self.task.abort();
        let mut progress = lock(&self.progress);
        if matches!(*progress, Progress::Waiting | Progress::Done(Some(_))) {
            *progress = Progress::failed(ErrorCode::Cancelled, "the sign-in was given up");
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What an attempt has come to.
#[derive(Debug)]
enum Progress {
    Waiting,
    Done(Option<Secret<String>>),
    Failed { code: ErrorCode, message: String },
}

impl Progress {
    fn failed(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::Failed {
            code,
            message: message.into(),
        }
    }
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records the end, unless the attempt was given up meanwhile.
fn settle(progress: &Mutex<Progress>, end: Progress) {
    let mut progress = lock(progress);
    if matches!(*progress, Progress::Waiting) {
        *progress = end;
    }
}

/// The service's page with everything it must give back or keep for the exchange.
fn page_address(service: &SignInService, callback: &Url, state: &str, proof: &Proof) -> Url {
    let mut url = service.page.clone();
    let mut query = url.query_pairs_mut();
    for (name, value) in &service.parameters {
        query.append_pair(name, value);
    }
    query.append_pair(&service.callback_parameter, callback.as_str());
    if let Some(name) = &service.state_parameter {
        query.append_pair(name, state);
    }
    query.append_pair("code_challenge", proof.challenge());
    query.append_pair("code_challenge_method", pkce::METHOD);
    drop(query);
    url
}

/// Waits for the browser, exchanges its code and tells the browser how it went.
async fn sign_in(
    client: Client,
    service: SignInService,
    listener: Listener,
    proof: Proof,
    state: String,
) -> Progress {
    let expected = service
        .state_parameter
        .as_deref()
        .map(|name| (name, state.as_str()));
    let visit = match listener.wait(expected).await {
        Ok(visit) => visit,
        Err(error) => return Progress::failed(ErrorCode::Network, error.to_string()),
    };
    let end = match visit.code() {
        Ok(code) => match exchange::key_for(&client, &service, code, &proof).await {
            Ok(key) => Progress::Done(Some(key)),
            Err(failure) => Progress::failed(failure.code, failure.message),
        },
        Err(refusal) => Progress::failed(ErrorCode::Denied, refusal.to_owned()),
    };
    visit.answer(matches!(end, Progress::Done(_))).await;
    end
}
