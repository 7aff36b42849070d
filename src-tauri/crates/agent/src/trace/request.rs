//! Requests on their way to a service, and their answers on the way back.

use std::fmt::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream;
use futures_util::stream::BoxStream;
use serde::Serialize;
use sha2::{Digest, Sha256};
use talaria_domain::{
    Message, ModelEvent, ModelName, ModelRef, ModelRequest, RequestTrace, Resend, ServiceFailure,
    ServiceId, SpanContent, Timestamp, ToolSpec, TurnFailure, Usage,
};

use super::{Root, TurnTrace};
use crate::Budget;
use crate::port::ModelService;

/// The services of a turn, with each request traced.
pub(super) struct TracedService {
    pub(super) service: Arc<dyn ModelService>,
    pub(super) trace: TurnTrace,
}

impl ModelService for TracedService {
    fn ask(
        &self,
        service: &ServiceId,
        request: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        let model = ModelRef {
            service: service.clone(),
            model: request.model.clone(),
        };
        let open = self.trace.begin_request(model, &request);
        let stream = self.service.ask(service, request);
        match open {
            Some(open) => Box::pin(TracedStream { stream, open }),
            None => stream,
        }
    }

    fn budget(&self, model: &ModelRef) -> Option<Budget> {
        self.service.budget(model)
    }

    fn cuts_silently(&self, service: &ServiceId) -> bool {
        self.service.cuts_silently(service)
    }

    fn learn_window(&self, model: &ModelRef, tokens: u64) {
        self.service.learn_window(model, tokens);
    }
}

/// A request that is not over yet.
pub(super) struct Pending {
    root: Root,
    started_at: Timestamp,
    request: RequestTrace,
}

impl Pending {
    /// Takes note that it is sent again.
    pub(super) fn resend(&mut self, resend: Resend) {
        self.request.retries.push(resend);
        self.request.failure = None;
    }

    /// Whether it was told to be sent again and this is that.
    fn goes_on(&self, model: &ModelRef) -> bool {
        self.request.failure.is_none() && self.request.model == *model
    }
}

impl TurnTrace {
    /// None before the turn has begun.
    fn begin_request(&self, model: ModelRef, request: &ModelRequest) -> Option<OpenRequest> {
        let root = self.state().turn?;
        let waiting = self.state().pending.take();
        let pending = match waiting {
            Some(pending) if pending.goes_on(&model) => pending,
            other => {
                if let Some(pending) = other {
                    self.close_request(pending);
                }
                self.new_request(root, model, request)
            }
        };
        Some(OpenRequest {
            trace: self.clone(),
            sent_at: self.now(),
            pending: Some(pending),
        })
    }

    fn new_request(&self, root: Root, model: ModelRef, request: &ModelRequest) -> Pending {
        let text = text_of(request);
        let keeps_body = self.inner.tracer.keeps_bodies();
        let request = RequestTrace {
            model,
            messages: u32::try_from(request.messages.len()).unwrap_or(u32::MAX),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
            bytes: text.len() as u64,
            sha256: hexadecimal(&Sha256::digest(text.as_bytes())),
            estimated_tokens: self.state().estimated.take(),
            usage: Usage::default(),
            first_piece_ms: None,
            finish: None,
            calls: Vec::new(),
            retries: Vec::new(),
            failure: None,
            body: keeps_body
                .then(|| serde_json::from_str(&text).ok())
                .flatten(),
        };
        Pending {
            root,
            started_at: self.now(),
            request,
        }
    }

    /// Records a request that is over.
    pub(super) fn close_request(&self, pending: Pending) {
        let request = pending.request;
        self.record(
            pending.root,
            pending.started_at,
            SpanContent::Request { request },
        );
    }
}

/// A request that is being answered. Dropped, it was stopped.
struct OpenRequest {
    trace: TurnTrace,
    sent_at: Timestamp,
    pending: Option<Pending>,
}

impl OpenRequest {
    fn see(&mut self, event: &Result<ModelEvent, ServiceFailure>) {
        let now = self.trace.now();
        let Some(Pending { request, .. }) = &mut self.pending else {
            return;
        };
        if let Ok(ModelEvent::Text(_) | ModelEvent::Reasoning(_) | ModelEvent::ToolCall(_)) = event
        {
            let waited = now.millis_since(self.sent_at);
            request.first_piece_ms.get_or_insert(waited);
        }
        match event {
            Ok(ModelEvent::Usage(usage)) => request.usage = *usage,
            Ok(ModelEvent::Finished(finish)) => request.finish = Some(*finish),
            Ok(ModelEvent::ToolCall(call)) => request.calls.push(call.name.clone()),
            Ok(_) => {}
            Err(failure) => {
                request.failure = Some(TurnFailure {
                    code: failure.code,
                    message: failure.message.clone(),
                });
            }
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let Some(pending) = self.pending.take() else {
            return;
        };
        // Whether a failed one is sent again is told by the next event.
        if pending.request.failure.is_some() {
            self.trace.state().pending = Some(pending);
        } else {
            self.trace.close_request(pending);
        }
    }
}

/// An answer that is watched while it is read.
struct TracedStream {
    stream: BoxStream<'static, Result<ModelEvent, ServiceFailure>>,
    open: OpenRequest,
}

impl Stream for TracedStream {
    type Item = Result<ModelEvent, ServiceFailure>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.stream.as_mut().poll_next(context);
        if let Poll::Ready(Some(event)) = &polled {
            self.open.see(event);
        }
        polled
    }
}

/// The request in its own words, before a service's dialect makes it into the body on the wire.
fn text_of(request: &ModelRequest) -> String {
    #[derive(Serialize)]
    struct Whole<'a> {
        model: &'a ModelName,
        messages: &'a [Message],
        tools: &'a [ToolSpec],
        max_output_tokens: Option<u32>,
    }
    let whole = Whole {
        model: &request.model,
        messages: &request.messages,
        tools: &request.tools,
        max_output_tokens: request.max_output_tokens,
    };
    serde_json::to_string(&whole).unwrap_or_default()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
