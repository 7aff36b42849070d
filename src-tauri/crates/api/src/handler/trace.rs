//! Traces: listing, reading, carrying over to tools of telemetry.

use talaria_domain::{TurnId, TurnState};
use talaria_store::{Store, StoreError, TraceLog, TracedTurn};

use crate::otlp;
use crate::{ApiError, Core, ExportTrace, ListTraces, ReadTrace, Trace, TraceExport, TraceLine};

/// The latest traces with every word of a query in them.
pub async fn list_traces(
    core: &Core,
    ListTraces { query, limit }: ListTraces,
) -> Result<Vec<TraceLine>, ApiError> {
    let traces = core.traces().clone();
    core.stored(move |store| {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let turns = traces.turns(&query, limit)?;
        Ok(turns.into_iter().map(|turn| line(store, turn)).collect())
    })
    .await
}

/// The trace of a turn.
pub async fn read_trace(core: &Core, ReadTrace { turn_id }: ReadTrace) -> Result<Trace, ApiError> {
    let traces = core.traces().clone();
    core.stored(move |store| read(store, &traces, turn_id))
        .await
}

/// The trace of a turn as OTLP, with the semantic conventions for generative AI.
pub async fn export_trace(
    core: &Core,
    ExportTrace { turn_id }: ExportTrace,
) -> Result<TraceExport, ApiError> {
    let trace = read_trace(core, ReadTrace { turn_id }).await?;
    Ok(TraceExport(otlp::document(&trace)))
}

fn read(store: &Store, traces: &TraceLog, turn_id: TurnId) -> Result<Trace, StoreError> {
    Ok(Trace {
        line: line(store, traces.turn(turn_id)?),
        spans: traces.spans(turn_id)?,
    })
}

fn line(store: &Store, turn: TracedTurn) -> TraceLine {
    // The end of a turn that was killed is not in its trace; the session knows it.
    let state = match turn.state {
        TurnState::Running => store
            .turn(turn.turn_id)
            .map_or(TurnState::Interrupted, |record| record.turn.state),
        known => known,
    };
    TraceLine {
        turn_id: turn.turn_id,
        session_id: turn.session_id,
        title: store
            .session(turn.session_id)
            .map_or_else(|_| String::new(), |session| session.title),
        model: turn.model,
        started_at: turn.started_at,
        duration_ms: turn.ended_at.millis_since(turn.started_at),
        spans: turn.spans,
        tokens: turn.tokens,
        cost: turn.cost,
        state,
    }
}
