//! The proof that a service works, step by step.
//!
//! [`prove`] tries what a conversation will need, in the order in which it would break, and names
//! the step that fails with something the user can do. `talaria-api` streams the steps to the
//! guide and to `talaria doctor`.

mod remedy;
mod run;

use std::time::Instant;

use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use serde::{Deserialize, Serialize};
use talaria_domain::{ErrorCode, ModelName};
use tokio::sync::mpsc::{self, UnboundedSender};
use ts_rs::TS;

use crate::{Client, Endpoint};
use run::{Outcome, Run};

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
        /// What was seen, in no language: a host, a count of models, the model's first words, a
        /// tool's name, a window in tokens. Empty where there is nothing to show.
        detail: String,
        /// How long it took, in milliseconds.
        millis: u64,
    },
    /// It does not work, but chatting does: the model calls no tools, the service lists no models.
    Limited {
        /// What the user can do.
        remedy: Remedy,
        /// What the service or the model said, or the names of similar models; may be empty.
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

/// The steps in the order they run.
const STEPS: [ProofStep; 6] = [
    ProofStep::Reach,
    ProofStep::Key,
    ProofStep::Models,
    ProofStep::Answer,
    ProofStep::ToolCall,
    ProofStep::Window,
];

/// Proves that the service and the model work. Each step is `Running` once and then stands where
/// it stays; after a failed step the rest is skipped. Dropping the stream stops the proof.
pub fn prove(
    client: Client,
    endpoint: Endpoint,
    model: ModelName,
) -> BoxStream<'static, ProofEvent> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let events = stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|event| (event, receiver))
    });
    // The steps run inside the stream itself, so that nothing goes on after it is dropped.
    let work = take_steps(Run::new(client, endpoint, model), sender).into_stream();
    stream::select(events, work.filter_map(|()| std::future::ready(None))).boxed()
}

async fn take_steps(mut run: Run, sender: UnboundedSender<ProofEvent>) {
    // Nobody listens any more only if the stream was dropped, and then this future was too.
    let say = |step, state| {
        let _ = sender.send(ProofEvent { step, state });
    };
    let mut failed = false;
    for step in STEPS {
        if failed {
            say(step, ProofState::Skipped);
            continue;
        }
        say(step, ProofState::Running);
        let begun = Instant::now();
        let state = match run.take(step).await {
            Outcome::Passed(detail) => {
                let millis = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                ProofState::Passed { detail, millis }
            }
            Outcome::Limited(remedy, message) => ProofState::Limited { remedy, message },
            Outcome::Failed(code, remedy, message) => {
                failed = true;
                ProofState::Failed {
                    code,
                    remedy,
                    message,
                }
            }
        };
        say(step, state);
    }
}
