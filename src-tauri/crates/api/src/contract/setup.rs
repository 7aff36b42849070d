//! Setting up a model service.

use serde::{Deserialize, Serialize};
use talaria_domain::{ModelName, ServiceId};
use talaria_provider::{EnvironmentKey, Preset, Protocol};
use talaria_secret::{Secret, StoreChoice, StoreState};
use ts_rs::TS;

/// A configured service. The window only learns that a key exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServiceView {
    /// Its id.
    pub id: ServiceId,
    /// Its name for people.
    pub name: String,
    /// The preset it was made from.
    pub preset: Option<String>,
    /// The address requests go to.
    pub base_url: String,
    /// The protocol it speaks.
    pub protocol: Protocol,
    /// Whether a key is kept for it.
    pub has_key: bool,
}

/// What the first-run guide has to offer.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadSetup {}

/// What the first-run guide has to offer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SetupView {
    /// The services known by name.
    pub presets: Vec<Preset>,
    /// Keys found in the environment; their values are not read before the user says so.
    pub environment_keys: Vec<EnvironmentKey>,
    /// Where keys are kept.
    pub secret_store: StoreState,
    /// The system's proxy, if one is set; never used for this computer itself.
    pub proxy: Option<String>,
}

/// Look for services on this computer.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct DiscoverServices {}

/// Save a service, and its key if one is given.
#[derive(Deserialize, TS)]
pub struct SaveService {
    /// The service to change; none makes a new one.
    pub id: Option<ServiceId>,
    /// Its name for people.
    pub name: String,
    /// The preset it is made from.
    pub preset: Option<String>,
    /// The address, in any usual form; it is brought into the one right form.
    pub base_url: String,
    /// The protocol it speaks.
    pub protocol: Protocol,
    /// Its key.
    pub key: KeyInput,
}

/// Where a service's key comes from.
#[derive(Deserialize, TS)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum KeyInput {
    /// Leave it as it is; a new service has none.
    Unchanged,
    /// The user typed it. It crosses once and is never sent back.
    Typed {
        /// The key.
        #[ts(type = "string")]
        value: Secret<String>,
    },
    /// Copy it from a variable the user agreed to.
    Environment {
        /// The variable.
        variable: String,
    },
    /// Forget it.
    None,
}

/// Remove a service and its key.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct RemoveService {
    /// Which.
    pub id: ServiceId,
}

/// Say how large the window of a service's models is, where the user knows better.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SetContextWindow {
    /// Which service.
    pub id: ServiceId,
    /// The window in tokens; none goes back to what is known of each model.
    pub tokens: Option<u64>,
}

/// Prove that a service and a model work. Streams the steps.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ProveService {
    /// Which service.
    pub id: ServiceId,
    /// Which model.
    pub model: ModelName,
}

/// Begin signing in to a preset's service in the browser.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct BeginAuthorization {
    /// The preset.
    pub preset: String,
}

/// A sign-in that waits for the browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuthorizationAttempt {
    /// Names the attempt.
    pub attempt: String,
    /// The page to open.
    pub url: String,
    /// How long it waits, in seconds.
    pub expires_in: u32,
    /// The service it will make.
    pub service: ServiceId,
}

/// Ask how a sign-in stands.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadAuthorization {
    /// Which attempt.
    pub attempt: String,
}

/// Give a sign-in up.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct CancelAuthorization {
    /// Which attempt.
    pub attempt: String,
}

/// Ask how the secret store stands; probes the keyring again.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadSecretStore {}

/// Choose where keys are kept.
#[derive(Deserialize, TS)]
pub struct ChooseSecretStore {
    /// Where.
    pub choice: StoreChoice,
}

/// Where keys are kept now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SecretStoreView {
    /// The store.
    pub store: StoreState,
}
