//! The turn: ask the model, run its tools, record each step.

mod event;

pub use event::{FinishedCall, TurnEvent};
