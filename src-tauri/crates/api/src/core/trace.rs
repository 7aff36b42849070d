//! The traces of the turns: their file, and the trace of a turn that is about to begin.

use std::sync::Arc;

use talaria_agent::TurnTrace;
use talaria_domain::ModelRef;
use talaria_secret::Redactor;
use talaria_store::{Home, Retention, TraceLog, TraceSettings};

use super::Core;
use crate::wiring::StoreTracer;

impl Core {
    /// The traces of the turns.
    pub(crate) fn traces(&self) -> &TraceLog {
        &self.inner.traces
    }

    /// A trace of the next turn, which may ask these models, the first one first.
    pub(crate) fn trace_turn(&self, models: Vec<ModelRef>) -> TurnTrace {
        let bodies = self.settings().trace.bodies;
        let tracer = StoreTracer::new(self.traces().clone(), bodies);
        TurnTrace::new(Arc::new(tracer), self.clock(), models)
    }
}

/// The traces, from which every known secret is taken out.
pub(super) fn open(home: &Home, settings: TraceSettings, redactor: Redactor) -> TraceLog {
    let retention = Retention {
        days: settings.keep_days,
        ..Retention::default()
    };
    TraceLog::new(home, retention, Arc::new(move |text| redactor.redact(text)))
}
