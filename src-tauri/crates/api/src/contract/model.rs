//! What is known of models, and what the user says of them.

use serde::{Deserialize, Serialize};
use talaria_domain::{ModelFacts, ModelRef, ServiceId};
use talaria_provider::KnownFacts;
use ts_rs::TS;

/// Ask a service for its models.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListModels {
    /// Which service.
    pub id: ServiceId,
}

/// Read what is known of a model.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadModel {
    /// Which.
    pub model: ModelRef,
}

/// A model and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelView {
    /// Which.
    pub model: ModelRef,
    /// What is known, each fact with who says so.
    pub known: KnownFacts,
    /// What the user said of it; the rest is none.
    pub set: ModelFacts,
    /// The window that is kept to, in tokens: the known one, else a cautious guess.
    #[ts(type = "number")]
    pub window: u64,
    /// The day the bundled table was checked.
    pub table_date: String,
}

/// Say what is true of a model, where the user knows better.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct SetModelFacts {
    /// Which.
    pub model: ModelRef,
    /// What the user says; a fact that is none is left to the other sources.
    pub facts: ModelFacts,
}
