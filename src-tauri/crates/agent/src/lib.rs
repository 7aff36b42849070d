//! The turn: ask the model, run its tools, record each step.
//!
//! The crate knows no vendor, no database and no window. What it needs from outside are the traits
//! of [`port`]; `talaria-api` connects them.

mod act;
mod answer;
mod compaction;
mod context;
mod estimate;
mod event;
mod history;
pub mod permission;
pub mod port;
mod progress;
mod prompt;
mod record;
mod retry;
mod suspicion;
mod trace;
mod turn;

pub use compaction::Compacted;
pub use context::{Budget, Context, Gauge, PastTurn, cap};
pub use estimate::{Estimate, estimated_tokens};
pub use event::{FinishedCall, TurnEvent};
pub use history::{messages_of, suspicious_origin};
pub use prompt::{ContextFile, system_prompt, with_context_files};
pub use retry::RetryPolicy;
pub use suspicion::suspicions;
pub use trace::{TracedListener, Tracer, TurnTrace};
pub use turn::{Agent, Limits, TurnInput};
