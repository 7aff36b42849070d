//! What a front end is told without asking.

use serde::{Deserialize, Serialize};
use talaria_agent::TurnEvent;
use talaria_domain::SessionId;
use talaria_markdown::BlockPatch;
use ts_rs::TS;

/// A turn's event, with the rendered blocks that its text changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct WindowTurnEvent {
    /// What happened.
    #[serde(flatten)]
    #[ts(flatten)]
    pub event: TurnEvent,
    /// For a text delta: what changes on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub patch: Option<BlockPatch>,
}

/// Something changed; who shows it asks again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "changed", rename_all = "snake_case")]
pub enum Change {
    /// The list of sessions, or one of its lines.
    Sessions,
    /// One session's turns, by somebody else than this window.
    Session {
        /// Which.
        session_id: SessionId,
    },
    /// What running turns ask.
    Questions,
    /// The notes folder.
    Notes,
    /// The settings or the services.
    Settings,
}
