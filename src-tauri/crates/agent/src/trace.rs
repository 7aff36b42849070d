//! The trace of a turn: what it asked, chose, called, waited for and was told.
//!
//! The loop knows nothing of it. A trace stands between the turn and two of its ports, the model
//! service and the listener, and makes a span of each thing that crosses them; `talaria-api` puts
//! it there. What keeps the spans is a [`Tracer`].

mod events;
mod request;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use talaria_domain::{
    ChoiceKind, ChoiceTrace, ModelRef, SessionId, Span, SpanContent, SpanId, Timestamp, TurnId,
};

use crate::TurnEvent;
use crate::port::{Clock, Listener, ModelService};
use events::Open;
use request::{Pending, TracedService};

/// Keeps spans. A span that can't be kept is lost: a trace never fails a turn.
pub trait Tracer: Send + Sync {
    /// Takes one span. Must not block.
    fn record(&self, span: Span);

    /// Whether requests are to be kept whole, not only their size and hash.
    fn keeps_bodies(&self) -> bool {
        false
    }
}

/// The trace of one turn. Clones share it.
#[derive(Clone)]
pub struct TurnTrace {
    inner: Arc<Inner>,
}

struct Inner {
    tracer: Arc<dyn Tracer>,
    clock: Arc<dyn Clock>,
    /// The models that the turn may ask, the first one first.
    models: Vec<ModelRef>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Known once the turn has begun; what comes before belongs to no turn.
    turn: Option<Root>,
    /// The model that answers now.
    model: Option<ModelRef>,
    /// What the next request was estimated at.
    estimated: Option<u64>,
    /// A request that failed, until it is known whether it is sent again.
    pending: Option<Pending>,
    open: Open,
}

/// The turn's own span.
#[derive(Clone, Copy)]
struct Root {
    span: SpanId,
    turn_id: TurnId,
    session_id: SessionId,
    started_at: Timestamp,
}

impl TurnTrace {
    /// A trace of the next turn, which may ask these models, the first one first.
    #[must_use]
    pub fn new(tracer: Arc<dyn Tracer>, clock: Arc<dyn Clock>, models: Vec<ModelRef>) -> Self {
        Self {
            inner: Arc::new(Inner {
                tracer,
                clock,
                models,
                state: Mutex::default(),
            }),
        }
    }

    /// The services, with each request traced.
    #[must_use]
    pub fn of_service(&self, service: Arc<dyn ModelService>) -> Arc<dyn ModelService> {
        Arc::new(TracedService {
            service,
            trace: self.clone(),
        })
    }

    /// The listener, with each event traced before it is told.
    #[must_use]
    pub fn of_listener<L: Listener>(&self, listener: L) -> TracedListener<L> {
        TracedListener {
            listener,
            trace: self.clone(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let state = self.inner.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    fn span_id(&self) -> SpanId {
        SpanId::from_parts(self.now(), self.inner.clock.random())
    }

    /// Records something that is part of the turn.
    fn record(&self, root: Root, started_at: Timestamp, content: SpanContent) {
        self.record_until(root, started_at, self.now(), content);
    }

    fn record_until(
        &self,
        root: Root,
        started_at: Timestamp,
        ended_at: Timestamp,
        content: SpanContent,
    ) {
        self.inner.tracer.record(Span {
            id: self.span_id(),
            parent: Some(root.span),
            turn_id: root.turn_id,
            session_id: root.session_id,
            started_at,
            ended_at,
            content,
        });
    }

    /// Records the turn itself.
    fn record_root(&self, root: Root, content: SpanContent) {
        self.inner.tracer.record(Span {
            id: root.span,
            parent: None,
            turn_id: root.turn_id,
            session_id: root.session_id,
            started_at: root.started_at,
            ended_at: self.now(),
            content,
        });
    }

    /// Records that one of the turn's models was taken.
    fn choose_model(&self, root: Root, chosen: &ModelRef, why: String) {
        let choice = ChoiceTrace {
            of: ChoiceKind::Model,
            candidates: self.inner.models.iter().map(name).collect(),
            chosen: name(chosen),
            why,
        };
        self.record(root, self.now(), SpanContent::Choice { choice });
    }
}

/// A listener whose events are traced.
pub struct TracedListener<L> {
    listener: L,
    trace: TurnTrace,
}

impl<L: Listener> Listener for TracedListener<L> {
    fn hear(&self, event: TurnEvent) {
        self.trace.hear(&event);
        self.listener.hear(event);
    }
}

fn name(model: &ModelRef) -> String {
    format!("{}/{}", model.service, model.model)
}
