//! The proof that a service works, step by step.

use serde::{Deserialize, Serialize};
use talaria_domain::ErrorCode;
use ts_rs::TS;

/// A step of the proof, in the order they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProofStep {
    /// The address answers.
    Reach,
    /// The key is accepted.
    Key,
    /// The service lists its models, and the chosen one is among them.
    Models,
    /// One short answer streams.
    Answer,
    /// One real tool call goes there and back.
    ToolCall,
    /// The model's window is known.
    Window,
}

/// Where a step stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ProofState {
    /// It is being tried.
    Running,
    /// It works.
    Passed {
        /// What was seen: a host, a count of models, the first words, a window.
        detail: String,
        /// How long it took, in milliseconds.
        millis: u64,
    },
    /// It does not work, but chatting does: the model calls no tools, the service lists no models.
    Limited {
        /// What the user can do.
        remedy: Remedy,
        /// What was said.
        message: String,
    },
    /// It does not work, and the later steps were not tried.
    Failed {
        /// The kind of failure.
        code: ErrorCode,
        /// What the user can do.
        remedy: Remedy,
        /// What the service or the system said.
        message: String,
    },
    /// Not tried, since an earlier step failed.
    Skipped,
}

/// What a user can do about a failed step. The window has words and a button for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// Check the address: nothing there speaks this protocol.
    CheckAddress,
    /// Start the local service, or its port is another.
    StartLocalService,
    /// Check the network: the name does not resolve or nothing answers.
    CheckNetwork,
    /// The system's proxy refuses or can't be reached.
    CheckProxy,
    /// The certificate is not trusted, expired, or the clock is wrong.
    CheckCertificate,
    /// The key is missing or not accepted.
    CheckKey,
    /// The account needs credit.
    AddCredit,
    /// Choose another model: this one does not exist here.
    ChooseModel,
    /// The local service has no model yet.
    PullModel,
    /// This model does not call tools: it chats, but can't keep notes.
    ChooseToolModel,
    /// Wait: too many requests, or no capacity.
    WaitAndRetry,
    /// Say the window's size in the settings.
    SetWindow,
    /// Look at the message: nothing better is known.
    ReadMessage,
}

/// One change of one step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProofEvent {
    /// Which step.
    pub step: ProofStep,
    /// Where it stands now.
    #[serde(flatten)]
    #[ts(flatten)]
    pub state: ProofState,
}
