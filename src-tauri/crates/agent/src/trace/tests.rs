//! A turn as its ports see it, and the spans that come of it.

use std::sync::{Arc, Mutex};

use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use serde_json::json;
use talaria_domain::{
    Act, Approval, ApprovalOutcome, ApprovalSource, AskReason, ChoiceKind, ContextReport,
    ErrorCode, FinishReason, Item, ItemContent, ItemId, Message, ModelEvent, ModelName, ModelRef,
    ModelRequest, Notice, Preview, Question, QuestionContent, QuestionEnd, QuestionId,
    RequestTrace, Retry, ServiceFailure, ServiceId, SessionId, Span, SpanContent, Timestamp,
    ToolCall, ToolChoice, ToolResult, ToolSpec, Turn, TurnId, TurnState, Usage,
};

use super::{Tracer, TurnTrace};
use crate::port::{Clock, Listener, ModelService};
use crate::{Budget, TurnEvent};

/// A clock that goes on by a millisecond each time it is read.
#[derive(Default)]
struct Ticking(Mutex<i64>);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        let mut now = self.0.lock().unwrap();
        *now += 1;
        Timestamp::from_millis(*now)
    }

    fn random(&self) -> [u8; 10] {
        [7; 10]
    }
}

#[derive(Default)]
struct Kept {
    spans: Mutex<Vec<Span>>,
    bodies: bool,
}

impl Tracer for Kept {
    fn record(&self, span: Span) {
        self.spans.lock().unwrap().push(span);
    }

    fn keeps_bodies(&self) -> bool {
        self.bodies
    }
}

struct Deaf;

impl Listener for Deaf {
    fn hear(&self, _: TurnEvent) {}
}

type Answers = Vec<Vec<Result<ModelEvent, ServiceFailure>>>;

/// Answers each request with the next of its answers.
struct Scripted(Mutex<Answers>);

impl ModelService for Scripted {
    fn ask(
        &self,
        _: &ServiceId,
        _: ModelRequest,
    ) -> BoxStream<'static, Result<ModelEvent, ServiceFailure>> {
        stream::iter(self.0.lock().unwrap().remove(0)).boxed()
    }

    fn budget(&self, _model: &ModelRef) -> Option<Budget> {
        None
    }

    fn cuts_silently(&self, _: &ServiceId) -> bool {
        true
    }

    fn learn_window(&self, _: &ModelRef, _: u64) {}
}

/// A traced turn that has begun.
struct Traced {
    kept: Arc<Kept>,
    service: Arc<dyn ModelService>,
    listener: Box<dyn Listener>,
}

impl Traced {
    fn begin(answers: Answers, bodies: bool) -> Self {
        let kept = Arc::new(Kept {
            bodies,
            ..Kept::default()
        });
        let models = vec![model("one"), model("two")];
        let trace = TurnTrace::new(kept.clone(), Arc::new(Ticking::default()), models);
        let traced = Self {
            kept,
            service: trace.of_service(Arc::new(Scripted(Mutex::new(answers)))),
            listener: Box::new(trace.of_listener(Deaf)),
        };
        traced.listener.hear(TurnEvent::TurnStarted {
            turn: turn(),
            user: item(ItemContent::UserText {
                text: "hi".into(),
                attachments: Vec::new(),
            }),
        });
        traced
    }

    fn ask(&self, name: &str) {
        let stream = self.service.ask(&model(name).service, request(name));
        stream
            .collect::<Vec<_>>()
            .now_or_never()
            .expect("the script waits for nothing");
    }

    fn hear(&self, event: TurnEvent) {
        self.listener.hear(event);
    }

    fn end(&self) -> Vec<Span> {
        self.hear(TurnEvent::TurnFinished {
            session_id: turn().session_id,
            turn_id: turn().id,
            text: "done".into(),
            finish: FinishReason::Stop,
            usage: Usage::default(),
            tool_calls: Vec::new(),
        });
        self.kept.spans.lock().unwrap().clone()
    }
}

fn model(name: &str) -> ModelRef {
    ModelRef {
        service: "s".parse().unwrap(),
        model: ModelName::new(name).unwrap(),
    }
}

fn turn() -> Turn {
    Turn {
        id: TurnId::from_bytes([1; 16]),
        session_id: SessionId::from_bytes([2; 16]),
        state: TurnState::Running,
        model: model("one"),
        usage: Usage::default(),
        finish: None,
        failure: None,
        started_at: Timestamp::from_millis(0),
        finished_at: None,
    }
}

fn item(content: ItemContent) -> Item {
    Item {
        id: ItemId::from_bytes([3; 16]),
        turn_id: turn().id,
        content,
        started_at: Timestamp::from_millis(0),
        finished_at: None,
    }
}

fn request(name: &str) -> ModelRequest {
    ModelRequest {
        model: ModelName::new(name).unwrap(),
        messages: vec![Message::User {
            text: "你好".into(),
            attachments: Vec::new(),
        }],
        tools: vec![ToolSpec {
            name: "now".into(),
            description: String::new(),
            parameters: json!({}),
        }],
        tool_choice: ToolChoice::Auto,
        max_output_tokens: None,
    }
}

fn call() -> ToolCall {
    ToolCall {
        id: "c1".into(),
        name: "now".into(),
        arguments: json!({"zone": "UTC"}),
        echo: None,
        recovered: false,
    }
}

fn busy() -> ServiceFailure {
    ServiceFailure {
        code: ErrorCode::Overloaded,
        message: "busy".into(),
        retry: Retry::Soon,
        limit: None,
        status: Some(503),
    }
}

fn answer() -> Vec<Result<ModelEvent, ServiceFailure>> {
    let usage = Usage {
        input_tokens: 12,
        cached_tokens: 4,
        output_tokens: 3,
        ..Usage::default()
    };
    vec![
        Ok(ModelEvent::Text("早".into())),
        Ok(ModelEvent::ToolCall(call())),
        Ok(ModelEvent::Usage(usage)),
        Ok(ModelEvent::Finished(FinishReason::ToolCalls)),
    ]
}

fn requests(spans: &[Span]) -> Vec<&RequestTrace> {
    spans
        .iter()
        .filter_map(|span| match &span.content {
            SpanContent::Request { request } => Some(request),
            _ => None,
        })
        .collect()
}

#[test]
fn a_request_is_known_by_its_size_hash_tokens_and_times() {
    let traced = Traced::begin(vec![answer(), answer()], false);
    let layers = Vec::new();
    traced.hear(TurnEvent::ContextMeasured {
        report: ContextReport {
            window: 100,
            reserved: 10,
            layers,
        },
    });
    traced.ask("one");
    traced.ask("one");
    let spans = traced.end();
    let [first, second] = requests(&spans)[..] else {
        panic!("two requests: {spans:?}");
    };
    assert_eq!((first.messages, first.usage.cached_tokens), (1, 4));
    assert_eq!(first.estimated_tokens, Some(0));
    assert_eq!(second.estimated_tokens, None, "an estimate is used once");
    assert_eq!(first.sha256, second.sha256);
    assert_eq!(first.sha256.len(), 64);
    assert!(first.bytes > 60 && first.first_piece_ms.is_some());
    assert_eq!(first.finish, Some(FinishReason::ToolCalls));
    assert_eq!(
        (&first.tools[..], &first.calls[..]),
        (&["now".to_owned()][..], &["now".to_owned()][..])
    );
    assert_eq!(first.body, None);
}

#[test]
fn a_body_is_kept_only_where_that_is_asked_for() {
    let traced = Traced::begin(vec![answer()], true);
    traced.ask("one");
    let spans = traced.end();
    let body = requests(&spans)[0].body.clone().expect("it is kept");
    assert_eq!(body["messages"][0]["text"], "你好");
}

#[test]
fn a_request_that_is_sent_again_is_one_span_with_its_waits() {
    let traced = Traced::begin(vec![vec![Err(busy())], answer()], false);
    traced.ask("one");
    traced.hear(TurnEvent::Retrying {
        attempt: 2,
        wait_ms: 800,
        code: ErrorCode::Overloaded,
        message: "busy".into(),
    });
    traced.ask("one");
    let spans = traced.end();
    let [request] = requests(&spans)[..] else {
        panic!("one request: {spans:?}");
    };
    assert_eq!(request.failure, None);
    assert_eq!(
        (request.retries[0].attempt, request.retries[0].wait_ms),
        (2, 800)
    );
}

#[test]
fn another_model_in_the_place_of_one_that_is_out_is_a_choice_with_its_reason() {
    let traced = Traced::begin(vec![vec![Err(busy())], answer()], false);
    traced.ask("one");
    traced.hear(TurnEvent::ItemFinished {
        item: item(ItemContent::Notice {
            notice: Notice::ModelSwitched {
                from: model("one"),
                to: model("two"),
                code: ErrorCode::Overloaded,
                message: "busy".into(),
            },
        }),
    });
    traced.ask("two");
    let spans = traced.end();
    let choices: Vec<_> = spans
        .iter()
        .filter_map(|span| match &span.content {
            SpanContent::Choice { choice } => Some(choice),
            _ => None,
        })
        .collect();
    assert_eq!(choices[0].chosen, "s/one");
    assert_eq!(choices[1].candidates, ["s/one", "s/two"]);
    assert_eq!(
        (choices[1].of, choices[1].chosen.as_str()),
        (ChoiceKind::Model, "s/two")
    );
    assert_eq!(choices[1].why, "overloaded: busy");
    let requests = requests(&spans);
    assert_eq!(
        requests[0].failure.as_ref().map(|failure| failure.code),
        Some(ErrorCode::Overloaded)
    );
    assert_eq!(requests[1].model, model("two"));
    let Some(SpanContent::Turn { model: last, .. }) = spans.last().map(|span| &span.content) else {
        panic!("the turn comes last");
    };
    assert_eq!(*last, model("two"));
}

#[test]
fn a_decision_lasts_as_long_as_the_user_was_waited_for() {
    let traced = Traced::begin(Vec::new(), false);
    let question = Question {
        id: QuestionId::from_bytes([9; 16]),
        session_id: turn().session_id,
        turn_id: turn().id,
        item_id: item(ItemContent::Notice {
            notice: Notice::ToolsLeftOut,
        })
        .id,
        asked_at: Timestamp::from_millis(1),
        expires_at: Timestamp::from_millis(99),
        content: QuestionContent::Permission {
            tool: "now".into(),
            act: Act {
                effects: Vec::new(),
                asks: None,
                preview: Preview::Arguments,
                digest: String::new(),
            },
            reason: AskReason::Mode,
            reaches: Vec::new(),
        },
    };
    let question_id = question.id;
    traced.hear(TurnEvent::QuestionAsked { question });
    traced.hear(TurnEvent::QuestionClosed {
        question_id,
        end: QuestionEnd::TimedOut,
    });
    let approval = Approval {
        outcome: ApprovalOutcome::Unanswered,
        by: ApprovalSource::User,
        words: None,
    };
    traced.hear(TurnEvent::ItemFinished {
        item: item(ItemContent::ToolCall {
            call: call(),
            result: Some(ToolResult::failure("not done")),
            round: 1,
            approval: Some(approval),
        }),
    });
    let spans = traced.end();
    let decided = &spans[1];
    let SpanContent::Permission { reason, end, .. } = &decided.content else {
        panic!("a decision: {decided:?}");
    };
    assert_eq!(
        (reason.as_ref(), *end),
        (Some(&AskReason::Mode), Some(QuestionEnd::TimedOut))
    );
    assert_eq!(decided.started_at, Timestamp::from_millis(1));
    assert!(decided.ended_at > decided.started_at && decided.ended_at < spans[2].ended_at);
    let SpanContent::ToolCall { failed, result, .. } = &spans[2].content else {
        panic!("a call: {:?}", spans[2]);
    };
    assert_eq!((*failed, result.as_deref()), (true, Some("not done")));
}

#[test]
fn every_span_is_part_of_its_turn_and_nothing_is_traced_after_its_end() {
    let traced = Traced::begin(vec![answer(), answer()], false);
    traced.ask("one");
    let spans = traced.end();
    let root = spans.last().expect("the turn");
    assert_eq!((root.parent, root.turn_id), (None, turn().id));
    for span in &spans[..spans.len() - 1] {
        assert_eq!(
            (span.parent, span.session_id),
            (Some(root.id), turn().session_id)
        );
    }
    traced.ask("one");
    assert_eq!(traced.kept.spans.lock().unwrap().len(), spans.len());
}

#[test]
fn a_request_that_is_stopped_is_kept_without_an_end() {
    let traced = Traced::begin(vec![answer()], false);
    let mut stream = traced.service.ask(&model("one").service, request("one"));
    assert!(stream.next().now_or_never().is_some());
    drop(stream);
    let spans = traced.end();
    assert_eq!(requests(&spans)[0].finish, None);
}

#[test]
fn a_turn_that_fails_says_how() {
    let traced = Traced::begin(vec![vec![Err(busy())]], false);
    traced.ask("one");
    traced.hear(TurnEvent::Error {
        session_id: turn().session_id,
        turn_id: turn().id,
        code: ErrorCode::Overloaded,
        message: "busy".into(),
        retry_after_ms: None,
        limit: None,
        usage: Usage::default(),
    });
    let spans = traced.kept.spans.lock().unwrap().clone();
    assert!(requests(&spans)[0].failure.is_some());
    let Some(SpanContent::Turn { state, failure, .. }) = spans.last().map(|span| &span.content)
    else {
        panic!("the turn comes last");
    };
    assert_eq!(
        (*state, failure.as_ref().map(|failure| failure.code)),
        (TurnState::Failed, Some(ErrorCode::Overloaded))
    );
}
