//! The file of the traces as the agent's tracer.

use talaria_agent::Tracer;
use talaria_domain::Span;
use talaria_store::TraceLog;

/// Hands spans to the file's queue.
pub(crate) struct StoreTracer {
    log: TraceLog,
    bodies: bool,
}

impl StoreTracer {
    pub(crate) fn new(log: TraceLog, bodies: bool) -> Self {
        Self { log, bodies }
    }
}

impl Tracer for StoreTracer {
    fn record(&self, span: Span) {
        self.log.record(span);
    }

    fn keeps_bodies(&self) -> bool {
        self.bodies
    }
}
