//! Traces: what each turn did, as the window lists and shows them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use talaria_domain::{Cost, ModelRef, SessionId, Span, Timestamp, TurnId, TurnState};
use ts_rs::TS;

/// A line of the list of traces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TraceLine {
    /// The turn.
    pub turn_id: TurnId,
    /// Its session.
    pub session_id: SessionId,
    /// The session's title; empty for one that is deleted.
    pub title: String,
    /// The model that was asked last.
    pub model: Option<ModelRef>,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// How many spans it has.
    pub spans: u64,
    /// Tokens of all its requests, in and out.
    pub tokens: u64,
    /// What they cost, as far as that is known.
    pub cost: Option<Cost>,
    /// How it ended.
    pub state: TurnState,
}

/// The trace of a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Trace {
    /// The turn in one line.
    pub line: TraceLine,
    /// What happened, in the order in which it began. The one without a parent is the turn itself;
    /// it is there once the turn has ended.
    pub spans: Vec<Span>,
}

/// A trace in the JSON form of OTLP, as tools for telemetry read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct TraceExport(#[ts(type = "unknown")] pub Value);

/// List the latest traces.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ListTraces {
    /// Any text; each word of it must stand in the trace. Empty: all.
    #[serde(default)]
    pub query: String,
    /// At most so many.
    pub limit: u32,
}

/// Read the trace of a turn.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ReadTrace {
    /// Which turn.
    pub turn_id: TurnId,
}

/// Write the trace of a turn for tools of telemetry.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct ExportTrace {
    /// Which turn.
    pub turn_id: TurnId,
}
