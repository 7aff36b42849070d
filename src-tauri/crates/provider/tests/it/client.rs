//! The client against a service on loopback that behaves well, and against ones that do not.

mod connection;
mod framing;
mod protocol;
mod proxy;
mod refusal;

use talaria_domain::{FinishReason, ModelEvent};

use crate::wire::Act;

const STOPPED: Option<ModelEvent> = Some(ModelEvent::Finished(FinishReason::Stop));

fn send(text: &str) -> Act {
    Act::Send(text.as_bytes().to_vec())
}
