//! A trace as OpenTelemetry has it: OTLP in JSON, with the semantic conventions for generative AI
//! (version 0.1.0 of their own repository).
//!
//! A turn is `invoke_agent`, a request `chat`, a tool call `execute_tool`. What the conventions have
//! no name for is under `talaria.`; what takes no time is an event of the turn.

mod attribute;

use serde_json::{Value, json};
use talaria_domain::{
    ChoiceTrace, Cost, FinishReason, ModelRef, RequestTrace, Span, SpanContent, Timestamp,
    TurnFailure, Usage,
};

use crate::Trace;
use attribute::Attributes;

const AGENT: &str = "talaria";
const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;
const FAILED: u8 = 2;

/// The whole document.
pub(crate) fn document(trace: &Trace) -> Value {
    let version = env!("CARGO_PKG_VERSION");
    let resource = Attributes::default()
        .text("service.name", AGENT)
        .text("service.version", version);
    let spans: Vec<Value> = trace
        .spans
        .iter()
        .filter_map(|span| written(trace, span))
        .collect();
    json!({
        "resourceSpans": [{
            "resource": {"attributes": resource},
            "scopeSpans": [{
                "scope": {"name": AGENT, "version": version},
                "spans": spans,
            }],
        }],
    })
}

/// A span of its own: what takes time. None for what is an event of the turn.
fn written(trace: &Trace, span: &Span) -> Option<Value> {
    let Described {
        name,
        kind,
        attributes,
        failure,
        mut events,
    } = describe(span)?;
    if span.parent.is_none() {
        events.extend(trace.spans.iter().filter_map(event));
    }
    let attributes = attributes.text("gen_ai.conversation.id", &span.session_id.to_string());
    Some(json!({
        "traceId": hexadecimal(&span.turn_id.to_bytes()),
        "spanId": span_id(&span.id.to_bytes()),
        "parentSpanId": span.parent.map_or_else(String::new, |parent| span_id(&parent.to_bytes())),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": nanoseconds(span.started_at),
        "endTimeUnixNano": nanoseconds(span.ended_at),
        "attributes": attributes,
        "events": events,
        "status": failure.map_or_else(|| json!({}), |message| json!({
            "code": FAILED, "message": message,
        })),
    }))
}

/// What a span is called, and what is said of it.
struct Described {
    name: String,
    kind: u8,
    attributes: Attributes,
    /// The words of a failure.
    failure: Option<String>,
    events: Vec<Value>,
}

impl Described {
    fn new(name: String, kind: u8, attributes: Attributes) -> Self {
        Self {
            name,
            kind,
            attributes,
            failure: None,
            events: Vec::new(),
        }
    }
}

fn describe(span: &Span) -> Option<Described> {
    match &span.content {
        SpanContent::Turn {
            model,
            usage,
            finish,
            failure,
            ..
        } => {
            let attributes = asked("invoke_agent", model).text("gen_ai.agent.name", AGENT);
            let attributes = used(attributes, *usage);
            let mut described =
                Described::new(format!("invoke_agent {AGENT}"), INTERNAL, attributes);
            described.attributes = ended(described.attributes, *finish, failure.as_ref());
            described.failure = failure.as_ref().map(|failure| failure.message.clone());
            Some(described)
        }
        SpanContent::Request { request } => Some(chat(span, request)),
        SpanContent::ToolCall {
            call_id,
            name,
            arguments,
            result,
            failed,
            ..
        } => {
            let attributes = Attributes::default()
                .text("gen_ai.operation.name", "execute_tool")
                .text("gen_ai.tool.name", name)
                .text("gen_ai.tool.type", "function")
                .text("gen_ai.tool.call.id", call_id)
                .text("gen_ai.tool.call.arguments", &arguments.to_string())
                .maybe_text("gen_ai.tool.call.result", result.as_deref())
                .maybe_text("error.type", failed.then_some("tool_error"));
            let mut described =
                Described::new(format!("execute_tool {name}"), INTERNAL, attributes);
            described.failure = failed.then(|| result.clone().unwrap_or_default());
            Some(described)
        }
        SpanContent::Permission {
            tool,
            approval,
            reason,
            end,
            ..
        } => {
            let attributes = Attributes::default()
                .text("gen_ai.tool.name", tool)
                .word("talaria.permission.outcome", &approval.outcome)
                .word("talaria.permission.by", &approval.by)
                .word("talaria.permission.reason", reason)
                .word("talaria.permission.end", end);
            let name = format!("talaria.permission {tool}");
            Some(Described::new(name, INTERNAL, attributes))
        }
        SpanContent::Choice { .. }
        | SpanContent::Compaction { .. }
        | SpanContent::Notice { .. } => None,
    }
}

fn chat(span: &Span, request: &RequestTrace) -> Described {
    let attributes = asked("chat", &request.model)
        .flag("gen_ai.request.stream", true)
        .word("talaria.request.tools", &request.tools)
        .number("talaria.request.messages", request.messages.into())
        .number("talaria.request.bytes", request.bytes)
        .text("talaria.request.sha256", &request.sha256)
        .maybe_number("talaria.request.estimated_tokens", request.estimated_tokens)
        .seconds(
            "gen_ai.response.time_to_first_chunk",
            request.first_piece_ms,
        );
    let attributes = match &request.body {
        Some(body) => attributes.text("talaria.request.body", &body.to_string()),
        None => attributes,
    };
    let failure = request.failure.as_ref();
    let attributes = ended(used(attributes, request.usage), request.finish, failure);
    let name = format!("chat {}", request.model.model);
    let mut described = Described::new(name, CLIENT, attributes);
    described.failure = failure.map(|failure| failure.message.clone());
    described.events = request
        .retries
        .iter()
        .map(|resend| {
            let attributes = Attributes::default()
                .number("talaria.retry.attempt", resend.attempt.into())
                .number("talaria.retry.wait_ms", resend.wait_ms)
                .text("error.type", resend.code.as_str())
                .text("exception.message", &resend.message);
            happening("talaria.retry", span.started_at, &attributes)
        })
        .collect();
    described
}

/// An event of the turn: what takes no time.
fn event(span: &Span) -> Option<Value> {
    let (name, attributes) = match &span.content {
        SpanContent::Choice { choice } => ("talaria.choice", chosen(choice)),
        SpanContent::Compaction { compaction } => (
            "talaria.compaction",
            Attributes::default()
                .number("talaria.compaction.tokens_before", compaction.tokens_before)
                .number("talaria.compaction.tokens_after", compaction.tokens_after)
                .flag("talaria.compaction.by_hand", compaction.by_hand),
        ),
        SpanContent::Notice { notice } => (
            "talaria.notice",
            Attributes::default().word("talaria.notice.content", notice),
        ),
        SpanContent::Turn { .. }
        | SpanContent::Request { .. }
        | SpanContent::ToolCall { .. }
        | SpanContent::Permission { .. } => return None,
    };
    Some(happening(name, span.started_at, &attributes))
}

fn chosen(choice: &ChoiceTrace) -> Attributes {
    Attributes::default()
        .word("talaria.choice.of", &choice.of)
        .word("talaria.choice.candidates", &choice.candidates)
        .text("talaria.choice.chosen", &choice.chosen)
        .text("talaria.choice.why", &choice.why)
}

fn happening(name: &str, at: Timestamp, attributes: &Attributes) -> Value {
    json!({"name": name, "timeUnixNano": nanoseconds(at), "attributes": attributes})
}

fn asked(operation: &str, model: &ModelRef) -> Attributes {
    Attributes::default()
        .text("gen_ai.operation.name", operation)
        .text("gen_ai.provider.name", model.service.as_str())
        .text("gen_ai.request.model", model.model.as_str())
}

fn used(attributes: Attributes, usage: Usage) -> Attributes {
    let some = |count: u64| (count > 0).then_some(count);
    attributes
        .maybe_number("gen_ai.usage.input_tokens", some(usage.input_tokens))
        .maybe_number("gen_ai.usage.output_tokens", some(usage.output_tokens))
        .maybe_number(
            "gen_ai.usage.cache_read.input_tokens",
            some(usage.cached_tokens),
        )
        .maybe_number(
            "gen_ai.usage.cache_write.input_tokens",
            some(usage.cache_written_tokens),
        )
        .maybe_number(
            "talaria.usage.cost_nano_usd",
            usage.cost.map(|Cost(cost)| cost),
        )
}

fn ended(
    attributes: Attributes,
    finish: Option<FinishReason>,
    failure: Option<&TurnFailure>,
) -> Attributes {
    let reasons: Vec<FinishReason> = finish.into_iter().collect();
    let attributes = if reasons.is_empty() {
        attributes
    } else {
        attributes.word("gen_ai.response.finish_reasons", &reasons)
    };
    attributes.maybe_text("error.type", failure.map(|failure| failure.code.as_str()))
}

/// Seventeen digits don't fit a JSON number safely, so OTLP has them as text.
fn nanoseconds(at: Timestamp) -> String {
    format!("{}000000", at.as_millis().max(0))
}

/// The half of an id that is chance: OTLP's spans have eight bytes.
fn span_id(bytes: &[u8; 16]) -> String {
    hexadecimal(bytes.get(8..).unwrap_or_default())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
